using System.Diagnostics;

namespace Jackdaw.Server.Http.Descriptions;

/// <summary>What a method of a route is for, takes and answers, for people and for programs that read /openapi.json. Complete once the table is
/// built.</summary>
/// <remarks>It cannot go out of date: a debug build refuses to read a query parameter that is not described, and a test sends each one that is.</remarks>
/// <param name="title">Method and template of the route.</param>
internal sealed class RouteDescription(string title)
{
    private readonly List<Input> _parameters = [];
    private readonly List<RouteAnswer> _outcomes = [];

    /// <summary>What the route does, in one sentence.</summary>
    public string Summary { get; private set; } = "";

    public IReadOnlyList<Input> Parameters => _parameters;

    /// <summary>Null where no body is read.</summary>
    public Body? Body { get; private set; }

    /// <summary>All answers but problems.</summary>
    public IReadOnlyList<RouteAnswer> Outcomes => _outcomes;

    /// <summary>Sees the names of query parameters that are read, in debug builds.</summary>
    public Action<string>? Reads { get; set; }

    public RouteDescription Says(string summary)
    {
        Summary = summary;
        return this;
    }

    /// <summary>Adds query parameters.</summary>
    public RouteDescription Takes(params IReadOnlyList<Input> parameters)
    {
        _parameters.AddRange(parameters);
        return this;
    }

    /// <summary>Adds query parameters that mean nothing without another one.</summary>
    public RouteDescription TakesWith(Input other, IReadOnlyList<Input> parameters) => Takes([.. parameters.Select(parameter => parameter.With(other))]);

    /// <summary>Says which body requests send.</summary>
    public RouteDescription Sends(Body body)
    {
        Body = body;
        return this;
    }

    /// <summary>Adds an answer with a body, which is JSON where no types are named.</summary>
    public RouteDescription Answers(int status, string meaning, params IReadOnlyList<string> mediaTypes) =>
        Add(new RouteAnswer(status, meaning, mediaTypes.Count > 0 ? mediaTypes : [MediaTypes.Json]));

    /// <summary>Adds an answer without a body.</summary>
    public RouteDescription AnswersEmpty(int status, string meaning) => Add(new RouteAnswer(status, meaning, []));

    /// <summary>Whether a query parameter is described.</summary>
    public bool Has(string parameter)
    {
        foreach (Input known in _parameters)
        {
            if (known.Name.Equals(parameter, StringComparison.OrdinalIgnoreCase))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Notes that the handler looks for a query parameter, whether or not it was sent.</summary>
    /// <exception cref="InvalidOperationException">It is not described.</exception>
    [Conditional("DEBUG")]
    public void Note(string parameter)
    {
        if (!Has(parameter))
        {
            throw new InvalidOperationException($"{title} reads the query parameter '{parameter}', which its registration does not describe (Takes).");
        }

        Reads?.Invoke(parameter);
    }

    private RouteDescription Add(RouteAnswer outcome)
    {
        _outcomes.Add(outcome);
        return this;
    }
}
