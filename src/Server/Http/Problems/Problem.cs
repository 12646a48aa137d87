using System.Text.Json;

namespace Jackdaw.Server.Http.Problems;

/// <summary>A refusal or failure as the client will see it.</summary>
/// <param name="Status">HTTP status.</param>
/// <param name="Type">One of the names of <see cref="ProblemTypes"/>.</param>
/// <param name="Message">What was wrong, where, and what to do.</param>
internal sealed record Problem(int Status, string Type, string Message)
{
    /// <summary>Writes members that some types have in addition to the four common ones.</summary>
    public Action<Utf8JsonWriter>? WriteDetails { get; init; }

    /// <summary>Whether the client may try again after a moment.</summary>
    public bool RetryLater { get; init; }

    /// <summary>Whether the rest of the request is not read, so that the connection ends with the answer.</summary>
    public bool CloseConnection { get; init; }

    /// <summary>The value of the header Allow; null for no header.</summary>
    public string? Allow { get; init; }

    /// <summary>The value of the header Database-Missing; null for no header.</summary>
    public string? MissingDatabase { get; init; }

    public static Problem BadRequest(string message) => new(400, ProblemTypes.BadRequest, message);

    public static Problem Argument(string message) => new(400, ProblemTypes.Argument, message);

    public static Problem TooLarge(string message) =>
        new(413, ProblemTypes.BadRequest, message) { CloseConnection = true };

    public static Problem NotSupported(string feature) =>
        new(501, ProblemTypes.NotSupported, $"{feature} not supported yet by this version of Jackdaw.");

    public static Problem DatabaseMissing(string name) =>
        new(503, ProblemTypes.DatabaseMissing, $"Database '{name}' does not exist; create it with PUT /admin/databases?name={name}.")
        {
            MissingDatabase = name,
        };

    public static Problem Unavailable(string type, string message) => new(503, type, message) { RetryLater = true };

    public void WriteTo(Utf8JsonWriter json, string url)
    {
        json.WriteStartObject();
        json.WriteString("Url"u8, url);
        json.WriteString("Type"u8, Type);
        json.WriteString("Message"u8, Message);
        json.WriteString("Error"u8, $"{Type}: {Message}");
        WriteDetails?.Invoke(json);
        json.WriteEndObject();
    }
}

/// <summary>A request cannot be served as it is. The exception is thrown where the mistake is found, and answered in one place.</summary>
/// <remarks>It is for malformed input only. Conflicts and missing documents are values.</remarks>
internal sealed class RequestRefusedException(Problem problem) : Exception(problem.Message)
{
    public Problem Problem { get; } = problem;
}
