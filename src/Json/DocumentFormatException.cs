using Jackdaw.Json.Refusals;

namespace Jackdaw.Json;

/// <summary>A request's JSON text was refused: the message says what is wrong, where, and what to do.</summary>
/// <remarks>The fault is always the sender's. Nothing was stored and the parser that threw can be reused.</remarks>
public sealed class DocumentFormatException : RefusedException
{
    /// <summary>Creates the exception; positions are of the text that was handed to the parser.</summary>
    public DocumentFormatException(DocumentFormatError error, string problem, JsonLocation location)
        : base(KindOf(error), $"{problem} (at {location})")
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

    private static RefusalKind KindOf(DocumentFormatError error) => error switch
    {
        DocumentFormatError.TooLarge => RefusalKind.TooLarge,
        DocumentFormatError.KeyTooBig => RefusalKind.KeyTooBig,
        DocumentFormatError.InvalidOperation => RefusalKind.NotPossible,
        DocumentFormatError.NotSupportedYet => RefusalKind.NotSupported,
        _ => RefusalKind.Malformed,
    };
}

/// <summary>Why a JSON text was refused; one value per rule, so that a caller can choose a status without reading
/// text.</summary>
public enum DocumentFormatError
{
    /// <summary>Not JSON: a token is missing, misplaced or misspelt, or the text continues after its end.</summary>
    Syntax,

    /// <summary>The text ends before its value does.</summary>
    UnexpectedEnd,

    /// <summary>The text starts with a byte order mark.</summary>
    ByteOrderMark,

    /// <summary>Bytes of a string are not UTF-8.</summary>
    InvalidUtf8,

    /// <summary>A backslash sequence JSON does not know, or a \u escape that is half of a surrogate pair.</summary>
    InvalidEscape,

    /// <summary>An object has two members whose names are equal after unescaping.</summary>
    DuplicateName,

    /// <summary>More nested objects and arrays than allowed.</summary>
    TooDeep,

    /// <summary>Larger than allowed.</summary>
    TooLarge,

    /// <summary>A key of a compare exchange value that is longer than allowed.</summary>
    KeyTooBig,

    /// <summary>A document that is not a JSON object.</summary>
    NotAnObject,

    /// <summary>The member @metadata, or a member of it that the server reads, has the wrong type or value.</summary>
    InvalidMetadata,

    /// <summary>A member of a request has the wrong type or value, or is missing.</summary>
    InvalidRequest,

    /// <summary>Well formed, but not allowed where it stands; clients know it as an invalid operation.</summary>
    InvalidOperation,

    /// <summary>Well formed and known, but not supported by this server yet.</summary>
    NotSupportedYet,
}
