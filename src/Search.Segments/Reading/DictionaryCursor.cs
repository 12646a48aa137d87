using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Reading;

/// <summary>Walks over the terms of a dictionary, in order.</summary>
internal unsafe struct DictionaryCursor
{
    private readonly DictionaryView _dictionary;
    private readonly bool _isText;
    private readonly bool _hasEntries;
    private byte* _next;
    private byte* _end;
    private TermEntries _entries;

    /// <param name="dictionary">One that exists.</param>
    /// <param name="arena">Memory for the current term.</param>
    public DictionaryCursor(in DictionaryView dictionary, Memory.Arena arena)
    {
        _dictionary = dictionary;
        _isText = dictionary.Parts.IsText;
        _hasEntries = dictionary.Parts.Postings != 0;
        Text = arena.Take<byte>(Term.BytesMax + DictionaryWriter.SharedMax);
        Buffer.MemoryCopy(dictionary.Prefix, Text, Term.BytesMax, dictionary.PrefixLength);
        Length = dictionary.PrefixLength;
        Ordinal = -1;
    }

    /// <summary>The current term; valid until the cursor moves.</summary>
    public byte* Text { get; }

    public int Length { get; private set; }

    /// <summary>The place of the current term.</summary>
    public int Ordinal { get; private set; }

    [UnscopedRef]
    public readonly ref readonly TermEntries Entries => ref _entries;

    public readonly ReadOnlySpan<byte> Span => new(Text, Length);

    /// <summary>Moves to the next term.</summary>
    public bool MoveNext()
    {
        if (++Ordinal >= _dictionary.Count)
        {
            return false;
        }

        if (Ordinal % DictionaryWriter.BlockTerms == 0)
        {
            _next = _dictionary.Block(Ordinal / DictionaryWriter.BlockTerms, out _end);
            (_entries.Postings, _entries.Positions) = (0, 0);
            Length = _dictionary.PrefixLength;
        }

        _dictionary.RequireTerm(_next < _end);
        int shared = *_next++;
        int rest = VarInt.ReadLength(ref _next, _end);
        int at = _dictionary.PrefixLength + shared;
        _dictionary.RequireTerm(at <= Length);
        Length = at + ReadRest(at, rest);
        _next += rest;
        _entries.Ordinal = Ordinal;
        if (_isText)
        {
            ReadText();
        }
        else if (_hasEntries)
        {
            ReadKeyword();
        }

        return true;
    }

    /// <summary>Moves to the term with a place.</summary>
    /// <exception cref="Jackdaw.Storage.CorruptionException">There is none.</exception>
    public void MoveTo(int ordinal)
    {
        _dictionary.RequireTerm((uint)ordinal < (uint)_dictionary.Count);
        MoveToBlock(ordinal / DictionaryWriter.BlockTerms);
        while (Ordinal < ordinal)
        {
            MoveNext();
        }
    }

    /// <summary>Moves to the first term at or behind another one.</summary>
    /// <param name="isExact">Whether it is that term.</param>
    /// <returns>False when there is none.</returns>
    public bool Seek(byte* term, int length, out bool isExact)
    {
        isExact = false;
        int prefix = _dictionary.PrefixLength;
        int common = Term.CommonLength(_dictionary.Prefix, prefix, term, length);
        if (common < prefix)
        {
            if (common < length && term[common] > _dictionary.Prefix[common])
            {
                Ordinal = _dictionary.Count;
                return false;
            }

            MoveToBlock(0);
            return MoveNext();
        }

        MoveToBlock(_dictionary.FindBlock(term + prefix, length - prefix));
        while (MoveNext())
        {
            int order = Term.Compare(Text + prefix, Length - prefix, term + prefix, length - prefix);
            if (order >= 0)
            {
                isExact = order == 0;
                return true;
            }
        }

        return false;
    }

    // The first term of a block has no symbols.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly int ReadRest(int at, int rest)
    {
        if (_dictionary.SymbolCount != 0 && Ordinal % DictionaryWriter.BlockTerms != 0)
        {
            return Decode(at, rest);
        }

        _dictionary.RequireTerm(rest <= Term.BytesMax - at);
        Unsafe.CopyBlockUnaligned(Text + at, _next, (uint)rest);
        return rest;
    }

    private readonly int Decode(int at, int rest)
    {
        int length = SymbolTable.Decode(_dictionary.Symbols, _dictionary.SymbolCount, _next, rest, Text + at, Term.BytesMax - at);
        return length >= 0 ? length : throw new Storage.CorruptionException(
            $"Term {Ordinal} of a dictionary of segment {_dictionary.Segment.Id} of the index cannot be right.");
    }

    // The next move goes to the first term of the block.
    private void MoveToBlock(int block) => Ordinal = (block * DictionaryWriter.BlockTerms) - 1;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void ReadKeyword()
    {
        ReadCount();
        if (_entries.Count == 1)
        {
            _entries.Single = (int)VarInt.Read(ref _next, _end);
            _dictionary.RequireTerm((uint)_entries.Single < (uint)_dictionary.Segment.Entries);
        }
        else if (_entries.Count != _dictionary.Segment.Entries)
        {
            _entries.Postings += (long)VarInt.ReadLong(ref _next, _end);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void ReadCount()
    {
        uint count = VarInt.Read(ref _next, _end);
        _dictionary.RequireTerm(count - 1 < (uint)_dictionary.Segment.Entries);
        _entries.Count = (int)count;
    }

    private void ReadText()
    {
        ReadCount();
        if (_entries.Count == 1)
        {
            ulong read = VarInt.ReadLong(ref _next, _end);
            _dictionary.RequireTerm(read >> 1 < (ulong)_dictionary.Segment.Entries);
            _entries.Single = (int)(read >> 1);
            _entries.Frequency = (read & 1) != 0 ? 1 : (int)VarInt.Read(ref _next, _end);
            _dictionary.RequireTerm(_entries.Frequency > 0);
        }
        else
        {
            _entries.Postings += (long)VarInt.ReadLong(ref _next, _end);
        }

        _entries.Positions += (long)VarInt.ReadLong(ref _next, _end);
    }
}
