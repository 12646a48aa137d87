using System.Text;
using Jackdaw.Json.Tape;

namespace Jackdaw.Indexing.Definitions.Values;

public readonly partial struct Value
{
    private static readonly string[] s_knownMetadata =
        ["@id", "@collection", "@change-vector", "@flags", "@last-modified"];

    /// <summary>For the loops of additional sources.</summary>
    public IEnumerator<Value> GetEnumerator() => AsSequence().GetEnumerator();

    /// <summary>Elements of a list, members of an object with Key and Value, characters of a text; nothing for null, any
    /// other value itself.</summary>
    internal IEnumerable<Value> AsSequence()
    {
        switch (_kind)
        {
            case <= ValueKind.Null:
                return [];
            case ValueKind.List:
                return List;
            case ValueKind.TapeArray:
                return TapeElements(Document, (int)_bits);
            case ValueKind.TapeObject or ValueKind.Object or ValueKind.Metadata:
                return Pairs();
            case ValueKind.Text or ValueKind.TapeText:
                return Characters(AsText());
            case ValueKind.Boosted:
                return Unboosted().AsSequence();
            default:
                return [this];
        }
    }

    /// <summary>The values of <see cref="AsSequence"/>, all at once.</summary>
    internal Value[] ToValues()
    {
        if (_kind == ValueKind.List)
        {
            return List;
        }

        if (_kind != ValueKind.TapeArray)
        {
            return [.. AsSequence()];
        }

        int count = Tape.Count;
        ExecutionBudget.Reserve(24L * count);
        var values = new Value[count];
        int next = 0;
        for (TapeCursor cursor = Cursor(); cursor.MoveNext();)
        {
            values[next++] = cursor.Current;
        }

        return values;
    }

    /// <summary>Elements of a list, members of an object, characters of a text.</summary>
    internal int Count() => _kind switch
    {
        <= ValueKind.Null => 0,
        ValueKind.List => List.Length,
        ValueKind.TapeArray or ValueKind.TapeObject => Tape.Count,
        ValueKind.Object => Made<ObjectValue>().Names.Length,
        ValueKind.Text or ValueKind.TapeText => AsText().Length,
        ValueKind.Boosted => Unboosted().Count(),
        ValueKind.Metadata => Members().Count(),
        _ => 1,
    };

    /// <summary>Names and values of an object, in order.</summary>
    internal IEnumerable<NamedValue> Members() => _kind switch
    {
        ValueKind.TapeObject => TapeMembers(Document, (int)_bits),
        ValueKind.Metadata => MetadataMembers(),
        ValueKind.Object => Made<ObjectValue>().Names.Zip(Made<ObjectValue>().Values, (n, v) => new NamedValue(n, v)),
        _ => [],
    };

    /// <summary>Walks an array of a document without allocating. Other values have no elements here.</summary>
    internal TapeCursor Cursor() =>
        _kind == ValueKind.TapeArray ? new TapeCursor(Document, (int)_bits) : default;

    private IEnumerable<Value> Pairs() => Members().Select(member => new Value(ValueKind.Pair, member));

    private static IEnumerable<Value> Characters(string text)
    {
        foreach (char character in text)
        {
            ExecutionBudget.Step();
            yield return character;
        }
    }

    private IEnumerable<NamedValue> MetadataMembers()
    {
        Value self = this;
        IEnumerable<NamedValue> stored = _bits < 0 ? [] : TapeMembers(Document, (int)_bits);
        return stored.Where(member => self.KnownMetadata(member.Name).IsMissing)
            .Concat(s_knownMetadata.Select(name => new NamedValue(name, self.KnownMetadata(name)))
                .Where(member => !member.Value.IsMissing));
    }

    private Value KnownMetadata(string name) =>
        s_knownMetadata.Contains(name) ? new Value(ValueKind.Metadata, _object, -1).MetadataMember(name) : default;

    private static IEnumerable<Value> TapeElements(DocumentText document, int index)
    {
        for (var cursor = new TapeCursor(document, index); cursor.MoveNext();)
        {
            ExecutionBudget.Step();
            yield return cursor.Current;
        }
    }

    private static IEnumerable<NamedValue> TapeMembers(DocumentText document, int index)
    {
        int end = document.At(index).EndIndex;
        for (int at = index + 2; at < end; at = document.At(index).After(at + 1))
        {
            ExecutionBudget.Step();
            yield return new NamedValue(NameAt(document, at), FromTape(document, at + 1));
        }
    }

    private static string NameAt(DocumentText document, int at)
    {
        TapeValue holder = document.At(0);
        ReadOnlySpan<byte> source = holder.TextOf(holder.WordAt(at));
        if (holder.WordAt(at).Kind != TapeKind.EscapedName)
        {
            return Encoding.UTF8.GetString(source);
        }

        byte[] unescaped = new byte[source.Length];
        return Encoding.UTF8.GetString(unescaped, 0, Json.JsonText.Unescape(source, unescaped));
    }
}

/// <summary>Walks the elements of an array of a document.</summary>
internal struct TapeCursor
{
    private readonly DocumentText? _document;
    private readonly int _end;
    private int _next;
    private int _current;

    public TapeCursor(DocumentText document, int index)
    {
        _document = document;
        _next = index + 2;
        _end = document.At(index).EndIndex;
    }

    public readonly Value Current => Value.FromTape(_document!, _current);

    public bool MoveNext()
    {
        if (_next >= _end)
        {
            return false;
        }

        _current = _next;
        _next = _document!.At(_next).After(_next);
        return true;
    }
}
