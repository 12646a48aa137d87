using System.Runtime.InteropServices;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Writing;

/// <summary>Which parts a dictionary has.</summary>
/// <param name="Postings">0 for a dictionary without entries.</param>
/// <param name="Positions">0 for keywords.</param>
internal readonly record struct DictionaryParts(PartKind Terms, PartKind Index, PartKind Postings, PartKind Positions)
{
    public static DictionaryParts Keywords { get; } = new(PartKind.Terms, PartKind.TermIndex, PartKind.Postings, 0);

    public static DictionaryParts Text { get; } = new(PartKind.Terms, PartKind.TermIndex, PartKind.Postings, PartKind.Positions);

    public static DictionaryParts SortTexts { get; } = new(PartKind.SortTerms, PartKind.SortIndex, 0, 0);

    public static DictionaryParts Cells { get; } = new(PartKind.CellTerms, PartKind.CellIndex, PartKind.CellPostings, 0);

    public bool IsText => Positions != 0;
}

/// <summary>Writes the terms of a field, in order, with their entries.</summary>
/// <remarks>
/// <code>
/// index: terms (4), blocks (4), bytes of the prefix that all terms have (4), symbols (4), the prefix, aligned to 8;
///        if there are several blocks: for each the first eight bytes of its first term behind the prefix (8, a number), then for each its place (8);
///        then the table of symbols (SymbolTable)
/// terms: blocks of 16: shared bytes with the term before (1), rest of the term (length, bytes; written with the symbols, if there are some and it is not the
///        first term), number of entries, and
///        of keywords: the entry, if there is one; nothing, if all entries have the term; else the place of the list
///        of texts: entry and frequency, if there is one; else the place of the list; then the place of the positions
/// </code>
/// Numbers without a size are groups of seven bits. Places are differences to those of the last term of the block that had one. In a dictionary without
/// entries the numbers of entries are left out.
/// </remarks>
internal sealed unsafe class DictionaryWriter : IDisposable
{
    public const int BlockTerms = 16;
    public const int IndexHeadBytes = 16;
    public const int SharedMax = byte.MaxValue;

    private readonly PostingsWriter _postingsWriter = new();
    private readonly NativeList<ulong> _heads = new();
    private readonly NativeList<ulong> _places = new();
    private readonly NativeBuffer _last = new();
    private readonly NativeBuffer _prefix = new();
    private readonly NativeBuffer _encoded = new();
    private SymbolTable? _symbols;
    private SegmentWriter _writer = null!; // set by Begin
    private DictionaryParts _parts;
    private PartBuilder _terms = null!;
    private PartBuilder? _postings;
    private PartBuilder? _positions;
    private int _field;
    private int _count;
    private long _lastPostings;
    private long _lastPositions;

    /// <summary>The terms so far.</summary>
    public int Count => _count;

    /// <param name="prefix">The bytes with which each term begins.</param>
    /// <param name="symbols">Symbols for the terms, which stay until the end; null for none.</param>
    public void Begin(SegmentWriter writer, int field, DictionaryParts parts, ReadOnlySpan<byte> prefix, SymbolTable? symbols)
    {
        (_writer, _field, _parts, _count, _symbols) = (writer, field, parts, 0, symbols);
        _terms = writer.Open(field, parts.Terms);
        _postings = parts.Postings == 0 ? null : writer.Open(field, parts.Postings);
        _positions = parts.Positions == 0 ? null : writer.Open(field, parts.Positions);
        _heads.Clear();
        _places.Clear();
        _prefix.Clear();
        _prefix.AddBytes(prefix);
    }

    /// <summary>Adds a term.</summary>
    /// <param name="entries">In order, each once; nothing for a dictionary without entries.</param>
    /// <param name="frequencies">Of texts only, as the rest.</param>
    /// <param name="positionBytes">The bytes of each entry's positions.</param>
    /// <param name="positions">The positions of all entries.</param>
    public void Add(byte* term, int length, int* entries, int count, int* frequencies = null, int* positionBytes = null, byte* positions = null)
    {
        term += _prefix.Length;
        length -= _prefix.Length;
        NativeBuffer target = _terms.Bytes;
        int shared = 0;
        if (_count % BlockTerms == 0)
        {
            _terms.EndItem();
            _heads.Add(Term.HeadOf(term, length));
            _places.Add((ulong)_terms.Offset);
            _lastPostings = _lastPositions = 0;
        }
        else
        {
            shared = Math.Min(SharedMax, Term.CommonLength(_last.Start, _last.Length, term, length));
        }

        bool isPlain = _symbols is null || _count % BlockTerms == 0;
        target.Add((byte)shared);
        AddRest(target, term + shared, length - shared, isPlain ? null : _symbols);
        _last.Clear();
        _last.AddBytes(term, length);
        _count++;
        if (_positions is not null)
        {
            AddTextEntries(entries, count, frequencies, positionBytes, positions);
        }
        else if (_postings is not null)
        {
            AddEntries(entries, count);
        }
    }

    /// <summary>Ends the dictionary.</summary>
    public void End()
    {
        Close(_terms);
        if (_postings is not null)
        {
            Close(_postings);
        }

        if (_positions is not null)
        {
            Close(_positions);
        }

        if (_count == 0)
        {
            return;
        }

        PartBuilder index = _writer.Open(_field, _parts.Index);
        index.Bytes.AddUInt32((uint)_count);
        index.Bytes.AddUInt32((uint)_heads.Count);
        index.Bytes.AddUInt32((uint)_prefix.Length);
        index.Bytes.AddUInt32((uint)(_symbols?.Count ?? 0));
        index.Bytes.AddBytes(_prefix.Span);
        index.Bytes.Align(sizeof(ulong));
        if (_heads.Count > 1)
        {
            index.Bytes.AddBytes(MemoryMarshal.AsBytes(_heads.Span));
            index.Bytes.AddBytes(MemoryMarshal.AsBytes(_places.Span));
        }

        _symbols?.Write(index.Bytes);
        _writer.Close(index);
    }

    public void Dispose()
    {
        _postingsWriter.Dispose();
        _heads.Dispose();
        _places.Dispose();
        _last.Dispose();
        _prefix.Dispose();
        _encoded.Dispose();
    }

    private void AddRest(NativeBuffer target, byte* rest, int length, SymbolTable? symbols)
    {
        if (symbols is not null)
        {
            _encoded.Clear();
            byte* encoded = _encoded.Extend(2 * length);
            length = symbols.Encode(rest, length, encoded);
            rest = encoded;
        }

        target.AddVarInt((uint)length);
        target.AddBytes(rest, length);
    }

    private void Close(PartBuilder part)
    {
        if (_count == 0)
        {
            _writer.Discard(part);
        }
        else
        {
            _writer.Close(part);
        }
    }

    private void AddEntries(int* entries, int count)
    {
        _terms.Bytes.AddVarInt((uint)count);
        if (count == 1)
        {
            _terms.Bytes.AddVarInt((uint)entries[0]);
        }
        else if (count != _writer.Entries)
        {
            AddList(entries, count, null, null);
        }
    }

    private void AddTextEntries(int* entries, int count, int* frequencies, int* positionBytes, byte* positions)
    {
        NativeBuffer target = _terms.Bytes;
        target.AddVarInt((uint)count);
        if (count == 1)
        {
            PostingsWriter.WriteOne(target, (uint)entries[0], frequencies[0]);
        }
        else
        {
            AddList(entries, count, frequencies, positionBytes);
        }

        _positions!.EndItem();
        target.AddVarInt((ulong)(_positions.Offset - _lastPositions));
        _lastPositions = _positions.Offset;
        int bytes = 0;
        for (int i = 0; i < count; i++)
        {
            bytes += positionBytes[i];
        }

        _positions.Bytes.AddBytes(positions, bytes);
    }

    private void AddList(int* entries, int count, int* frequencies, int* positionBytes)
    {
        _postings!.EndItem();
        if (frequencies == null && PostingsWriter.IsDense(count, _writer.Entries))
        {
            _postings.Bytes.Align(sizeof(ulong));
        }

        _terms.Bytes.AddVarInt((ulong)(_postings.Offset - _lastPostings));
        _lastPostings = _postings.Offset;
        _postingsWriter.Write(_postings.Bytes, entries, count, frequencies, positionBytes, _writer.Entries);
    }
}
