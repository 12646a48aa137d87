using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.Linq;

/// <summary>How a query runs.</summary>
public interface IDocumentQueryCustomization
{
    /// <summary>The answer waits until the index has read everything that was written before.</summary>
    /// <param name="timeout">Null: 15 seconds.</param>
    IDocumentQueryCustomization WaitForNonStaleResults(TimeSpan? timeout = null);

    /// <summary>The session does not track the results.</summary>
    IDocumentQueryCustomization NoTracking();

    /// <summary>No cache is used.</summary>
    IDocumentQueryCustomization NoCaching();

    /// <summary>Rows in a random order.</summary>
    /// <param name="seed">The same seed gives the same order; null: another one each time.</param>
    IDocumentQueryCustomization RandomOrdering(string? seed = null);

    /// <summary>Where the values of a projection come from.</summary>
    IDocumentQueryCustomization Projection(ProjectionBehavior behavior);

    /// <summary>The server says how long each step took.</summary>
    IDocumentQueryCustomization Timings(out QueryTimings timings);

    /// <summary>Called before each run, with the query as it will be sent.</summary>
    IDocumentQueryCustomization BeforeQueryExecuted(Action<IndexQuery> action);
}

internal sealed class QueryCustomization(QuerySettings settings) : IDocumentQueryCustomization
{
    public QuerySettings Settings { get; private set; } = settings;

    /// <summary>The parts that are in the text.</summary>
    public List<QueryStep> Steps { get; } = [];

    public IDocumentQueryCustomization WaitForNonStaleResults(TimeSpan? timeout = null) =>
        With(Settings with { WaitForNonStaleResults = true, WaitForNonStaleResultsTimeout = timeout ?? TimeSpan.FromSeconds(15) });

    public IDocumentQueryCustomization NoTracking() => With(Settings with { NoTracking = true });

    public IDocumentQueryCustomization NoCaching() => With(Settings with { NoCaching = true });

    public IDocumentQueryCustomization RandomOrdering(string? seed = null)
    {
        Steps.Add(new RandomStep(seed));
        return NoCaching();
    }

    public IDocumentQueryCustomization Projection(ProjectionBehavior behavior) => With(Settings with { ProjectionBehavior = behavior });

    public IDocumentQueryCustomization Timings(out QueryTimings timings)
    {
        var filled = new QueryTimings();
        timings = filled;
        Steps.Add(new IncludeStep([new IncludeClause(null, null, "timings", [])]));
        return With(Settings with { WithParts = Settings.WithParts + (parts => filled.Read(parts.Timings)) });
    }

    public IDocumentQueryCustomization BeforeQueryExecuted(Action<IndexQuery> action) => With(Settings with { BeforeRun = Settings.BeforeRun + action });

    private QueryCustomization With(QuerySettings changed)
    {
        Settings = changed;
        return this;
    }
}
