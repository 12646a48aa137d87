using Jackdaw.Json.Refusals;

namespace Jackdaw.Scripting;

/// <summary>Why a script failed; one value per limit, so that callers and tests need not read messages.</summary>
public enum ScriptError
{
    /// <summary>The text is not JavaScript.</summary>
    Syntax,

    /// <summary>The script uses JavaScript that is not allowed here.</summary>
    Refused,

    /// <summary>The script threw an error that it did not catch.</summary>
    Thrown,

    /// <summary>A helper was called with an argument that it cannot use, or in a script where it is not available.</summary>
    Helper,
    Statements,
    Memory,
    Recursion,
    ArrayLength,
    TextLength,
    RegexTime,
    OutputLength,
    Loads,
    Time,

    /// <summary>The value that the script returned cannot be written as JSON, or is not an object.</summary>
    Result,
}

/// <summary>A script failed while it ran: the message says what, where in the user's text, and what to do.</summary>
/// <remarks>The fault is always the script's; the engine that ran it can be used again.</remarks>
public class JavaScriptException : RefusedException
{
    /// <summary>Creates the exception.</summary>
    /// <param name="place">Where in the user's text; null when that is not known.</param>
    public JavaScriptException(ScriptError error, string problem, ScriptPosition? place, Exception? inner = null)
        : this(RefusalKind.ScriptFailed, error, problem, place, inner)
    {
    }

    private protected JavaScriptException(RefusalKind kind, ScriptError error, string problem, ScriptPosition? place, Exception? inner)
        : base(kind, place is { } known ? $"{problem} (at {known})" : problem, inner)
    {
        Error = error;
        Problem = problem;
        Place = place;
    }

    /// <summary>The rule or limit that was broken.</summary>
    public ScriptError Error { get; }

    /// <summary>The message without its place.</summary>
    public string Problem { get; }

    /// <summary>Where in the user's text; null when that is not known.</summary>
    public ScriptPosition? Place { get; }
}

/// <summary>A script was refused before it ran, because it is not JavaScript or uses something that is not allowed.</summary>
public sealed class JavaScriptParseException(
    ScriptError error, string problem, ScriptPosition? place, Exception? inner = null)
    : JavaScriptException(RefusalKind.InvalidScript, error, problem, place, inner);

/// <summary>A place in a text that a user wrote.</summary>
/// <param name="Part">What text it is, for the message: <c>select</c>, <c>map 2</c>.</param>
/// <param name="Line">1-based.</param>
/// <param name="Column">1-based, in UTF-16 units.</param>
public readonly record struct ScriptPosition(string Part, int Line, int Column)
{
    public override string ToString() => $"{Line}:{Column} of {Part}";
}
