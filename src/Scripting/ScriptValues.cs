using System.Globalization;
using System.Runtime.CompilerServices;
using Jint;
using Jint.Native;
using Jint.Native.Function;
using Jint.Native.Object;
using Jint.Runtime;
using Thrown = Jint.Runtime.JavaScriptException;

namespace Jackdaw.Scripting;

/// <summary>Checks arguments of helpers, and makes errors that a script can catch.</summary>
internal static class ScriptValues
{
    private const double UnixEpochMs = 62_135_596_800_000;
    private const double DateMsMax = 315_537_897_600_000;

    /// <summary>An argument by position; undefined when it was not given.</summary>
    public static JsValue At(this JsValue[] arguments, int index) =>
        index < arguments.Length ? arguments[index] : JsValue.Undefined;

    public static bool IsNothing(this JsValue value) => value.IsNull() || value.IsUndefined();

    /// <summary>An error at the place of the call, which the script may catch.</summary>
    public static Thrown Fault(Engine engine, string problem) => new(engine.Intrinsics.TypeError, problem);

    /// <summary>The error of a helper that a kind of script does not have.</summary>
    public static Thrown NotHere(Engine engine, string function) =>
        Fault(engine, $"{function}() is not available in this kind of script.");

    /// <summary>Finds something for a text, or for each of an array of texts. Null and undefined give null and not an error, because documents may
    /// lack references.</summary>
    public static JsValue Each(Engine engine, JsValue argument, Func<string, JsValue> find, string function)
    {
        try
        {
            return argument switch
            {
                JsString one => find(one.ToString()),
                JsArray many => new JsArray(engine, Array.ConvertAll(
                    many.ToArray(), id => id is JsString text ? find(text.ToString()) : JsValue.Null)),
                _ when argument.IsNothing() => JsValue.Null,
                _ => throw Fault(engine, $"{function}() takes a text or an array of texts."),
            };
        }
        catch (NotSupportedException)
        {
            throw NotHere(engine, function);
        }
    }

    public static string Text(this JsValue[] arguments, int index, Engine engine, string use) =>
        arguments.At(index) is JsString text
            ? text.ToString()
            : throw Fault(engine, $"Argument {index + 1} of {use} must be a text.");

    public static double Number(this JsValue[] arguments, int index, Engine engine, string use) =>
        arguments.At(index) is JsNumber number
            ? number.AsNumber()
            : throw Fault(engine, $"Argument {index + 1} of {use} must be a number.");

    /// <summary>Null for a date that .NET does not have, and for an invalid one.</summary>
    public static DateTime? ToDateTime(JsDate date)
    {
        double ms = date.DateValue + UnixEpochMs;
        return ms is >= 0 and < DateMsMax
            ? new DateTime((long)ms * TimeSpan.TicksPerMillisecond, DateTimeKind.Utc)
            : null;
    }

    /// <summary>Reads a date as documents contain it; null for any other text.</summary>
    public static DateTime? ToDateTime(string text)
    {
        bool looksRight = text.Length is >= 10 and <= 33 && text[4] == '-' && char.IsAsciiDigit(text[0]);
        return looksRight && DateTime.TryParse(text, CultureInfo.InvariantCulture,
            DateTimeStyles.AdjustToUniversal | DateTimeStyles.AssumeUniversal, out DateTime date) ? date : null;
    }

    /// <summary>Calls a function from within a run. The public methods of the interpreter begin a new budget with each call, which a script could
    /// use to run forever.</summary>
    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "Call")]
    public static extern JsValue CallInside(Function function, JsValue self, JsValue[] arguments);

    public static long LengthOf(ObjectInstance list) => (long)TypeConverter.ToLength(list.Get("length"));
}
