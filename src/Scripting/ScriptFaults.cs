using System.Text.RegularExpressions;
using Jint;
using Jint.Runtime;
using Thrown = Jint.Runtime.JavaScriptException;

namespace Jackdaw.Scripting;

/// <summary>Turns what an interpreter throws into errors for users.</summary>
internal static class ScriptFaults
{
    /// <summary>The error to throw instead; the exception itself when it does not come from a script.</summary>
    public static Exception Translate(Exception error, PreparedScript script, ScriptLimits limits)
    {
        ScriptPosition? place = JintException.TryGetJavaScriptLocation(error, out Acornima.SourceLocation location)
            ? script.Locate(location)
            : null;
        return error switch
        {
            JavaScriptParseException => error,
            JavaScriptException { Place: null } ours => new JavaScriptException(ours.Error, ours.Problem, place, ours),
            StatementsCountOverflowException => Limit(ScriptError.Statements,
                $"The script ran more than {limits.Statements} statements. Look for a loop without end, or do less.", place, error),
            MemoryLimitExceededException when error.Message.Contains("array", StringComparison.OrdinalIgnoreCase) =>
                Limit(ScriptError.ArrayLength,
                    $"An array would have more than {limits.ArrayLength} elements. Use smaller ones.", place, error),
            MemoryLimitExceededException or OutOfMemoryException => Limit(ScriptError.Memory,
                $"The script took more than {limits.MemoryBytes / (1024 * 1024)} MB. Use less of the document at once.", place, error),
            RecursionDepthOverflowException or InsufficientExecutionStackException => TooDeep(limits, place, error),
            Thrown thrown when IsStackEnd(thrown) => TooDeep(limits, place, error),
            RegexMatchTimeoutException => Limit(ScriptError.RegexTime,
                $"A regular expression took longer than {limits.RegexTimeoutMs} ms. Use a simpler one.", place, error),
            TimeoutException => Limit(ScriptError.Time,
                $"The script ran longer than {limits.TotalMs} ms. Do less in it.", place, error),
            Thrown thrown => new JavaScriptException(ScriptError.Thrown, Describe(thrown), place, error),
            _ => error,
        };
    }

    private static string Describe(Thrown thrown)
    {
        string message = thrown.Message;
        const int shown = 500;
        return $"The script threw an error: {(message.Length > shown ? message[..shown] + "..." : message)}";
    }

    private static bool IsStackEnd(Thrown thrown) =>
        thrown.Message.Contains("Maximum call stack size", StringComparison.Ordinal);

    private static JavaScriptException TooDeep(ScriptLimits limits, ScriptPosition? place, Exception error) =>
        Limit(ScriptError.Recursion,
            $"More than {limits.Recursion} function calls are nested. Use a loop, or a flatter value.", place, error);

    private static JavaScriptException Limit(ScriptError kind, string problem, ScriptPosition? place, Exception inner) =>
        new(kind, problem, place, inner);
}
