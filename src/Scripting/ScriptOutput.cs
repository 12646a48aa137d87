using System.Globalization;
using System.Text;
using Jackdaw.Json;
using Jint;
using Jint.Native;
using Jint.Native.Function;
using Jint.Native.Object;
using Jint.Runtime;
using Jint.Runtime.Descriptors;

namespace Jackdaw.Scripting;

/// <summary>Writes what a script returned as JSON.</summary>
/// <remarks>
/// Undefined members are left out, undefined elements are null, numbers that JSON does not have are null, dates are
/// ISO 8601 with seven digits in UTC. Functions, symbols, getters, maps and sets are refused, because leaving them out silently would hide a
/// mistake. Not-enumerable members and those with symbols for names are left out, as JSON.stringify does.
/// </remarks>
internal sealed class ScriptOutput(ExactNumbers numbers, int bytesMax, Action checkTime)
{
    private const string DateFormat = "yyyy-MM-dd'T'HH:mm:ss.fffffff'Z'";

    /// <summary>Characters of a number in the shortest form.</summary>
    private const int NumberBytesMax = 32;

    /// <summary>Whole numbers below it are written without point or exponent, and cast to long exactly.</summary>
    private const double WholeMax = 1e15;

    /// <summary>Number of values between two checks of the clock; each takes a microsecond.</summary>
    private const int ValuesPerTimeCheck = 1024;

    private readonly List<ObjectInstance> _path = [];
    private PooledBuffer _buffer = null!;
    private int _start;
    private int _values;

    /// <summary>Appends a value.</summary>
    /// <exception cref="JavaScriptException">The value cannot be written. What was written so far stays in the buffer.</exception>
    public void Write(JsValue value, PooledBuffer buffer)
    {
        _buffer = buffer;
        _start = buffer.Length;
        _path.Clear();
        WriteValue(value, "the result");
    }

    /// <summary>A date as documents have it.</summary>
    public static string Format(DateTime date) => date.ToString(DateFormat, CultureInfo.InvariantCulture);

    private void WriteValue(JsValue value, string name)
    {
        CheckLength();
        if (++_values % ValuesPerTimeCheck == 0)
        {
            checkTime();
        }

        switch (value)
        {
            case JsString text:
                WriteText(text.ToString());
                break;
            case JsNumber number:
                WriteNumber(number);
                break;
            case JsBoolean flag:
                _buffer.Append(ReferenceEquals(flag, JsBoolean.True) || flag.Equals(JsBoolean.True) ? "true"u8 : "false"u8);
                break;
            case ObjectInstance instance:
                WriteObject(instance, name);
                break;
            default:
                _buffer.Append(value.IsSymbol() ? throw Refused(name, "a symbol", "a text") : "null"u8);
                break;
        }
    }

    private void WriteObject(ObjectInstance value, string name)
    {
        if (value is JsDate date)
        {
            WriteDate(date);
            return;
        }

        Refuse(value, name);
        if (_path.Exists(open => ReferenceEquals(open, value)))
        {
            throw new JavaScriptException(ScriptError.Result,
                $"{name} contains itself, which JSON cannot express. Return a new object with the members that are needed.", null);
        }

        if (_path.Count == DocumentLimits.JsonDepthMax)
        {
            throw new JavaScriptException(ScriptError.Result,
                $"More than {DocumentLimits.JsonDepthMax} objects and arrays of the result are nested. " +
                "Return a flatter object.", null);
        }

        _path.Add(value);
        if (value is JsArray array)
        {
            WriteArray(array);
        }
        else
        {
            WriteMembers(value);
        }

        _path.RemoveAt(_path.Count - 1);
    }

    private void WriteMembers(ObjectInstance value)
    {
        _buffer.Append((byte)'{');
        bool isFirst = true;
        foreach (JsValue key in value.GetOwnPropertyKeys(Types.String))
        {
            PropertyDescriptor property = value.GetOwnProperty(key);
            JsValue member = ReadValue(property, key);
            if (!property.Enumerable || member.IsUndefined())
            {
                continue;
            }

            if (!isFirst)
            {
                _buffer.Append((byte)',');
            }

            isFirst = false;
            string name = key.ToString();
            WriteText(name);
            _buffer.Append((byte)':');
            WriteValue(member, name);
        }

        _buffer.Append((byte)'}');
    }

    private void WriteArray(JsArray array)
    {
        _buffer.Append((byte)'[');
        for (uint i = 0; i < array.Length; i++)
        {
            if (i > 0)
            {
                _buffer.Append((byte)',');
            }

            WriteValue(ReadElement(array, i), "an element");
        }

        _buffer.Append((byte)']');
    }

    // A getter would run script code outside the run's budget.
    private static JsValue ReadValue(PropertyDescriptor member, JsValue key)
    {
        if (member.IsAccessorDescriptor())
        {
            throw Refused(key.ToString(), "a getter", "its value");
        }

        return member.Value ?? JsValue.Undefined;
    }

    private static JsValue ReadElement(JsArray array, uint index)
    {
        if (array.TryGetValue(index, out JsValue? element))
        {
            return element;
        }

        JsNumber key = JsNumber.Create((long)index);
        return ReadValue(array.GetOwnProperty(key), key);
    }

    private static void Refuse(ObjectInstance value, string name)
    {
        if (value is Function)
        {
            throw Refused(name, "a function", "its result: call it");
        }

        if (value is not (JsObject or JsArray))
        {
            string kind = value.GetType().Name.TrimStart('J', 's').ToLowerInvariant();
            throw Refused(name, $"not a plain object, array or date (a {kind})", "Object.fromEntries or Array.from of it");
        }
    }

    private static JavaScriptException Refused(string name, string what, string instead) => new(ScriptError.Result,
        $"{name} is {what}, which JSON cannot express. Return {instead}.", null);

    private void WriteDate(JsDate date)
    {
        if (double.IsNaN(date.DateValue))
        {
            _buffer.Append("null"u8);
            return;
        }

        DateTime? time = ScriptValues.ToDateTime(date);
        WriteText(time is { } known ? Format(known) : date.ToString());
    }

    private void WriteNumber(JsNumber number)
    {
        if (numbers.TryGet(number, out ReadOnlySpan<byte> kept))
        {
            _buffer.Append(kept);
            return;
        }

        double value = number.AsNumber();
        Span<byte> room = _buffer.Reserve(NumberBytesMax);
        if (!double.IsFinite(value))
        {
            _buffer.Append("null"u8);
        }
        else if (Math.Abs(value) < WholeMax && value == Math.Truncate(value))
        {
            _ = ((long)value).TryFormat(room, out int used, default, CultureInfo.InvariantCulture);
            _buffer.Advance(used);
        }
        else
        {
            _ = value.TryFormat(room, out int used, "R", CultureInfo.InvariantCulture);
            _buffer.Advance(used);
        }
    }

    private void WriteText(string text)
    {
        CheckLength(text.Length);
        _buffer.Append((byte)'"');
        using var characters = new PooledBuffer();
        Span<byte> source = characters.Reserve(Encoding.UTF8.GetMaxByteCount(text.Length));
        int length = Encoding.UTF8.GetBytes(text, source);
        Span<byte> room = _buffer.Reserve(length * JsonText.EscapedByteMax);
        _buffer.Advance(JsonText.WriteEscaped(source[..length], room));
        _buffer.Append((byte)'"');
    }

    private void CheckLength(int more = 0)
    {
        if ((long)_buffer.Length - _start + more > bytesMax)
        {
            throw new JavaScriptException(ScriptError.OutputLength,
                $"The result has more than {bytesMax} bytes of JSON. Return less of the document.", null);
        }
    }
}
