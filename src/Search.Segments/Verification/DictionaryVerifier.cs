using System.Runtime.InteropServices;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Verification;

/// <summary>Checks a dictionary: its terms are in order, and each list has as many entries as it says, in order.</summary>
internal sealed class DictionaryVerifier(SegmentView segment, int field, DictionaryParts parts)
{
    private readonly List<int> _entries = [];
    private byte[]? _symbols;
    private int _symbolCount;

    /// <summary>The terms.</summary>
    public int Count { get; private set; }

    /// <summary>All entries of all terms together.</summary>
    public long EntrySum { get; private set; }

    /// <exception cref="DamagedPartException">Something of it cannot be right.</exception>
    public unsafe void Run()
    {
        if (!segment.TryFind(field, parts.Index, out Part index))
        {
            return;
        }

        if (!segment.TryFind(field, parts.Terms, out Part terms))
        {
            throw new DamagedPartException("the dictionary has an index and no terms");
        }

        (int blocks, int prefix) = CheckIndex(index);
        ulong* places = (ulong*)(index.Start + DictionaryWriter.IndexHeadBytes + ((prefix + 7) & ~7)) + blocks;
        byte[] last = [];
        for (int block = 0; block < blocks; block++)
        {
            ByteReader reader = ByteReader.At(terms, blocks == 1 ? 0 : (long)places[block]);
            int count = Math.Min(DictionaryWriter.BlockTerms, Count - (block * DictionaryWriter.BlockTerms));
            last = CheckBlock(ref reader, count, block == 0 ? null : last);
        }
    }

    private unsafe (int Blocks, int Prefix) CheckIndex(Part index)
    {
        if (index.Bytes < DictionaryWriter.IndexHeadBytes)
        {
            throw new DamagedPartException($"the index has {index.Bytes} bytes");
        }

        int* head = (int*)index.Start;
        (Count, int blocks, int prefix, int symbols) = (head[0], head[1], head[2], head[3]);
        if (symbols is < 0 or > SymbolTable.CountMax)
        {
            throw new DamagedPartException($"the index says {symbols} symbols");
        }

        long bytes = DictionaryWriter.IndexHeadBytes + ((prefix + 7L) & ~7) + (blocks > 1 ? blocks * 2L * sizeof(ulong) : 0)
            + SymbolTable.StoredBytes(symbols);
        if (Count <= 0 || blocks != (Count + DictionaryWriter.BlockTerms - 1) / DictionaryWriter.BlockTerms || prefix < 0
            || symbols is < 0 or > SymbolTable.CountMax || bytes != index.Bytes)
        {
            throw new DamagedPartException($"the index says {Count} terms in {blocks} blocks, and has {index.Bytes} bytes");
        }

        CheckSymbols(index.Start + index.Bytes - SymbolTable.StoredBytes(symbols), symbols);
        return (blocks, prefix);
    }

    private unsafe void CheckSymbols(byte* table, int symbols)
    {
        _symbols = symbols == 0 ? null : [.. new ReadOnlySpan<byte>(table, (int)SymbolTable.StoredBytes(symbols))];
        _symbolCount = symbols;
        for (int code = 0; code < symbols; code++)
        {
            ulong symbol = ((ulong*)table)[code];
            int length = table[(symbols * sizeof(ulong)) + code];
            if (length is 0 or > SymbolTable.SymbolBytesMax || SymbolTable.Cut(symbol, length) != symbol)
            {
                throw new DamagedPartException($"symbol {code} has {length} bytes");
            }
        }
    }

    private unsafe byte[] Decode(ReadOnlySpan<byte> rest)
    {
        byte[] term = new byte[Term.BytesMax + SymbolTable.SymbolBytesMax];
        fixed (byte* table = _symbols, codes = rest, target = term)
        {
            int length = SymbolTable.Decode((ulong*)table, _symbolCount, codes, rest.Length, target, Term.BytesMax);
            return length >= 0 ? term[..length] : throw new DamagedPartException("a term has a symbol that there is not");
        }
    }

    private byte[] CheckBlock(ref ByteReader reader, int count, byte[]? last)
    {
        long postings = 0, positions = 0;
        for (int i = 0; i < count; i++)
        {
            int shared = reader.Byte();
            if (shared > (last?.Length ?? 0) || (i == 0 && shared != 0))
            {
                throw new DamagedPartException($"a term shares {shared} bytes with a shorter one");
            }

            ReadOnlySpan<byte> rest = reader.Bytes(reader.Number());
            byte[] term = [.. last.AsSpan(0, shared), .. i == 0 || _symbols is null ? rest : Decode(rest)];
            if (last is not null && term.AsSpan().SequenceCompareTo(last) <= 0)
            {
                throw new DamagedPartException("its terms are not in order");
            }

            last = term;
            if (parts.Postings != 0)
            {
                CheckEntries(ref reader, ref postings, ref positions);
            }
        }

        return last ?? [];
    }

    private void CheckEntries(ref ByteReader reader, ref long postings, ref long positions)
    {
        ulong count = reader.Number();
        if (count == 0 || count > (ulong)segment.Entries)
        {
            throw new DamagedPartException($"a term has {count} of {segment.Entries} entries");
        }

        EntrySum += (long)count;
        _entries.Clear();
        if (count == 1)
        {
            AddOne(ref reader);
        }
        else if (parts.IsText || count != (ulong)segment.Entries)
        {
            postings += (long)reader.Number();
            CheckList(postings, (int)count);
        }

        if (!parts.IsText)
        {
            return;
        }

        positions += (long)reader.Number();
        ByteReader read = ByteReader.At(PartOf(parts.Positions), positions);
        for (int left = _entries.Count; left > 0; left--)
        {
            read.Number(); // each entry has one at least; the frequencies are checked with the list
        }
    }

    private void AddOne(ref ByteReader reader)
    {
        ulong read = reader.Number();
        ulong entry = parts.IsText ? read >> 1 : read;
        if (parts.IsText && (read & 1) == 0 && reader.Number() == 0)
        {
            throw new DamagedPartException("an entry has a term no times");
        }

        Add(entry);
    }

    private unsafe void CheckList(long place, int count)
    {
        ByteReader reader = ByteReader.At(PartOf(parts.Postings), place);
        if (!parts.IsText && PostingsWriter.IsDense(count, segment.Entries))
        {
            ReadOnlySpan<ulong> words = MemoryMarshal.Cast<byte, ulong>(reader.Bytes((ulong)Bits.WordsOf(segment.Entries) * sizeof(ulong)));
            int bits = 0;
            foreach (ulong word in words)
            {
                bits += System.Numerics.BitOperations.PopCount(word);
            }

            if (bits != count)
            {
                throw new DamagedPartException($"a bitmap has {bits} entries, and its term says {count}");
            }

            return;
        }

        int blocks = count / BlockPacking.BlockSize;
        reader.Bytes((ulong)PostingsWriter.TableBytes(blocks, parts.IsText));
        int* entries = segment.Scratch.Take<int>(2 * BlockPacking.BlockSize);
        uint before = 0;
        for (int block = 0; block < blocks; block++)
        {
            CheckPacked(reader.Bytes(1)[0], ref reader, entries, ref before);
            if (parts.IsText)
            {
                SkipPacked(ref reader);
            }
        }

        for (int i = blocks * BlockPacking.BlockSize; i < count; i++)
        {
            ulong read = reader.Number();
            before += (uint)(parts.IsText ? read >> 1 : read);
            if (parts.IsText && (read & 1) == 0)
            {
                reader.Number();
            }

            Add(before);
        }
    }

    private unsafe void CheckPacked(byte width, ref ByteReader reader, int* entries, ref uint before)
    {
        if (width > 32)
        {
            throw new DamagedPartException($"a block has numbers of {width} bits");
        }

        ReadOnlySpan<byte> packed = reader.Bytes((ulong)BlockPacking.BytesOf(width));
        fixed (byte* source = packed)
        {
            BlockPacking.UnpackDeltas(source, width, before, (uint*)entries);
        }

        for (int i = 0; i < BlockPacking.BlockSize; i++)
        {
            Add((uint)entries[i]);
        }

        before = (uint)entries[BlockPacking.BlockSize - 1];
    }

    private static void SkipPacked(ref ByteReader reader)
    {
        byte width = reader.Byte();
        if (width > 32)
        {
            throw new DamagedPartException($"a block has numbers of {width} bits");
        }

        reader.Bytes((ulong)BlockPacking.BytesOf(width));
    }

    private void Add(ulong entry)
    {
        if (entry >= (ulong)segment.Entries || (_entries.Count > 0 && (int)entry <= _entries[^1]))
        {
            throw new DamagedPartException($"a list has entry {entry} where it cannot be");
        }

        _entries.Add((int)entry);
    }

    private Part PartOf(PartKind kind) =>
        segment.TryFind(field, kind, out Part part) ? part : throw new DamagedPartException($"the dictionary has no {kind}");
}
