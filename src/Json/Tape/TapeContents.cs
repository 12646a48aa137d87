namespace Jackdaw.Json.Tape;

/// <summary>One member of an object.</summary>
internal readonly ref struct TapeMember
{
    private readonly TapeValue _parent;
    private readonly int _index;

    internal TapeMember(TapeValue parent, int index)
    {
        _parent = parent;
        _index = index;
    }

    public TapeValue Value => _parent.At(_index + 1);

    /// <summary>The bytes of the name as stored, without quotes. They contain escapes if <see cref="NameHasEscapes"/>.</summary>
    public ReadOnlySpan<byte> NameSource => _parent.TextOf(Name);

    public bool NameHasEscapes => Name.Kind == TapeKind.EscapedName;

    private TapeWord Name => _parent.WordAt(_index);

    /// <summary>True when the name is the given one, no matter how it is escaped.</summary>
    /// <param name="name">UTF-8, without escapes; case counts.</param>
    public bool NameEquals(ReadOnlySpan<byte> name) => _parent.IsNamed(Name, name);

    /// <summary>Decodes the name into the caller's memory.</summary>
    /// <param name="destination">At least as long as <see cref="NameSource"/>.</param>
    /// <returns>Bytes of UTF-8.</returns>
    public int CopyName(Span<byte> destination)
    {
        ReadOnlySpan<byte> source = NameSource;
        if (NameHasEscapes)
        {
            return JsonText.Unescape(source, destination[..source.Length]);
        }

        source.CopyTo(destination);
        return source.Length;
    }
}

/// <summary>Walks over the members of an object in the order of the text. Each is one step, no matter what it contains.</summary>
internal ref struct TapeMembers
{
    private readonly TapeValue _parent;
    private readonly int _end;
    private int _next;
    private int _current;

    internal TapeMembers(TapeValue parent)
    {
        _parent = parent;
        _next = parent.Index + 2;
        _end = parent.IsObject ? parent.EndIndex : _next;
    }

    public readonly TapeMember Current => new(_parent, _current);

    public readonly TapeMembers GetEnumerator() => this;

    public bool MoveNext()
    {
        if (_next >= _end)
        {
            return false;
        }

        _current = _next;
        _next = _parent.After(_current + 1);
        return true;
    }
}

/// <summary>Walks over the elements of an array in the order of the text. Each is one step, no matter what it contains.</summary>
internal ref struct TapeElements
{
    private readonly TapeValue _parent;
    private readonly int _end;
    private int _next;
    private int _current;

    internal TapeElements(TapeValue parent)
    {
        _parent = parent;
        _next = parent.Index + 2;
        _end = parent.IsArray ? parent.EndIndex : _next;
    }

    public readonly TapeValue Current => _parent.At(_current);

    public readonly TapeElements GetEnumerator() => this;

    public bool MoveNext()
    {
        if (_next >= _end)
        {
            return false;
        }

        _current = _next;
        _next = _parent.After(_current);
        return true;
    }
}
