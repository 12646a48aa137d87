using System.Diagnostics;
using Jackdaw.Json.Tape;
using Jint;
using Jint.Native;

namespace Jackdaw.Scripting;

/// <summary>Presents one JSON text as values of JavaScript, which are made when they are used.</summary>
/// <remarks>It belongs to one run. A value that is read later would belong to another text, which is a bug of ours.</remarks>
internal sealed class TapeSource
{
    /// <summary>Number of digits that a double always preserves.</summary>
    private const int SafeDigits = 15;

    /// <summary>Smaller numbers are written with an exponent.</summary>
    private const double PlainMin = 1e-4;

    // The slots of a layout do not have values of their own.
    private static readonly JsValue[] s_noValues = new JsValue[ObjectLayouts.MembersMax];

    private readonly Engine _engine;
    private readonly ObjectLayouts _layouts;
    private readonly ExactNumbers _numbers;
    private readonly JsonTape _tape = new();
    private ReadOnlyMemory<byte> _json;
    private ScriptDocument? _document;
    private int _root;

    public TapeSource(Engine engine, ObjectLayouts layouts, ExactNumbers numbers)
    {
        _engine = engine;
        _layouts = layouts;
        _numbers = numbers;
    }

    /// <summary>Reads a text; returns its value.</summary>
    /// <param name="document">The document whose text it is; null for other JSON.</param>
    public JsValue Read(ReadOnlyMemory<byte> json, ScriptDocument? document = null)
    {
        _json = json;
        _document = document;
        _root = _tape.Read(json.Span).Index;
        JsValue made = Make(_root);
        if (document?.Id is not null && made is JsObject whole && !Root["@metadata"u8].Exists)
        {
            ScriptMetadata.AddHidden(whole, document, new JsObject(_engine));
        }

        return made;
    }

    /// <summary>The value of the text, for C# code that reads it.</summary>
    public TapeValue Root => At(_root);

    /// <summary>Returns the memory.</summary>
    public void Clear()
    {
        _json = default;
        _document = null;
        _tape.Dispose();
    }

    /// <summary>A value of the text.</summary>
    public TapeValue At(int index) => new(_json.Span, _tape, index);

    /// <summary>A member of an object of the text for JavaScript. The metadata of a document has what the server keeps, too.</summary>
    /// <param name="owner">The index of the object.</param>
    public JsValue Make(int owner, TapeMember member)
    {
        JsValue made = Make(member.Value.Index);
        if (owner == _root && _document is not null && made is JsObject metadata && member.NameSource.SequenceEqual("@metadata"u8))
        {
            ScriptMetadata.AddHidden(metadata, _document);
        }

        return made;
    }

    /// <summary>A value of the text for JavaScript.</summary>
    public JsValue Make(int index)
    {
        TapeValue value = At(index);
        return value.Kind switch
        {
            JsonKind.Object => MakeObject(value),
            JsonKind.Array => MakeArray(value),
            JsonKind.String => JsString.Create(value.ToText()!),
            JsonKind.Number => MakeNumber(value),
            JsonKind.True => JsBoolean.True,
            JsonKind.False => JsBoolean.False,
            JsonKind.Null => JsValue.Null,
            _ => JsValue.Undefined,
        };
    }

    private JsObject MakeObject(TapeValue value)
    {
        if (value.Count is > 0 and <= ObjectLayouts.MembersMax && ObjectLayouts.CanHold(value))
        {
            return JsObject.Create(_engine, _layouts.Find(value), s_noValues.AsSpan(0, value.Count),
                new TapeObject(this, value.Index));
        }

        var made = new JsObject(_engine);
        foreach (TapeMember member in value.Members)
        {
            made.FastSetDataProperty(ObjectLayouts.NameOf(member), Make(value.Index, member));
        }

        return made;
    }

    private JsArray MakeArray(TapeValue value)
    {
        var elements = new JsValue[value.Count];
        int at = 0;
        foreach (TapeValue element in value.Elements)
        {
            elements[at++] = Make(element.Index);
        }

        return new JsArray(_engine, elements);
    }

    private JsNumber MakeNumber(TapeValue value)
    {
        ReadOnlySpan<byte> text = value.Source;
        if (value.TryGetInt64(out long whole) && text.Length <= SafeDigits && text[^1] != '-' && !text.SequenceEqual("-0"u8))
        {
            return JsNumber.Create(whole);
        }

        bool isNumber = value.TryGetDouble(out double number);
        Debug.Assert(isNumber);
        bool isExact = text.Length <= SafeDigits && text[^1] != '0' && Math.Abs(number) >= PlainMin
            && text.IndexOfAny((byte)'e', (byte)'E') < 0;
        return isExact ? JsNumber.Create(number) : _numbers.Keep(number, text);
    }
}

/// <summary>State of a lazily read object: where its value is.</summary>
internal sealed record TapeObject(TapeSource Source, int Index)
{
    /// <summary>Reads the member with a number, 0-based.</summary>
    public JsValue Read(int ordinal)
    {
        foreach (TapeMember member in Source.At(Index).Members)
        {
            if (ordinal-- == 0)
            {
                return Source.Make(Index, member);
            }
        }

        return JsValue.Undefined;
    }
}

/// <summary>Texts of numbers that a double does not preserve: those with more than 15 digits, with zeros at the end or with an exponent.</summary>
/// <remarks>They are found by the identity of the value. A number that a script only passes on is written as it was read, and a number that it
/// computes is written as JavaScript has it. They belong to one run.</remarks>
internal sealed class ExactNumbers
{
    private readonly Dictionary<JsValue, byte[]> _texts = new(ReferenceEqualityComparer.Instance);

    public JsNumber Keep(double number, ReadOnlySpan<byte> text)
    {
        var kept = new JsNumber(number);
        _texts.Add(kept, text.ToArray());
        return kept;
    }

    /// <summary>The text of a number as it was read; false when the double preserves it.</summary>
    public bool TryGet(JsValue number, out ReadOnlySpan<byte> text)
    {
        byte[]? found = null;
        bool isKept = _texts.Count > 0 && _texts.TryGetValue(number, out found);
        text = found;
        return isKept;
    }

    public void Clear() => _texts.Clear();
}
