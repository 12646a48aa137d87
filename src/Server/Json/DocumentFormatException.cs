namespace Jackdaw.Server.Json;

/// <summary>A request's JSON text was refused: the message says what is wrong, where, and what to do.</summary>
/// <remarks>The fault is always the sender's. Nothing was stored and the parser that threw can be reused.</remarks>
public sealed class DocumentFormatException : Exception
{
    /// <summary>Creates the exception; positions are of the text that was handed to the parser.</summary>
    public DocumentFormatException(DocumentFormatError error, string problem, JsonLocation location)
        : base($"{problem} (at {location})")
    {
        Error = error;
        Problem = problem;
        Location = location;
    }

    /// <summary>The rule that was broken.</summary>
    public DocumentFormatError Error { get; }

    /// <summary>The message without its place, for callers that add a place of their own.</summary>
    public string Problem { get; }

    /// <summary>Where in the text.</summary>
    public JsonLocation Location { get; }
}
