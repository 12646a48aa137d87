using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Writing;

/// <summary>Writes the ids in the order of the entries, so that a hit's id is read from one place.</summary>
/// <remarks>
/// A chunk has the ids of 65,536 entries: for each 16 the offset in the chunk (4), then the blocks: for each id the bytes that it shares with the one before
/// (1; 0 for the first), and its rest (length, bytes).
/// </remarks>
internal sealed unsafe class IdsWriter : IDisposable
{
    public const int BlockIds = 16;

    private readonly NativeBuffer _blocks = new();
    private readonly NativeBuffer _last = new();
    private readonly NativeList<int> _offsets = new();
    private SegmentWriter _writer = null!; // set by Begin
    private PartBuilder _part = null!;
    private int _count;

    public void Begin(SegmentWriter writer)
    {
        _writer = writer;
        _part = writer.Open(FieldRecord.OfEntries, PartKind.Ids);
        _count = 0;
        _blocks.Clear();
        _offsets.Clear();
    }

    public void Add(byte* id, int length)
    {
        if (_count > 0 && _count % ColumnHead.ChunkRows == 0)
        {
            EndChunk(isMore: true);
        }

        int shared = 0;
        if (_count++ % BlockIds == 0)
        {
            _offsets.Add(_blocks.Length);
        }
        else
        {
            shared = Math.Min(DictionaryWriter.SharedMax, Term.CommonLength(_last.Start, _last.Length, id, length));
        }

        _blocks.Add((byte)shared);
        _blocks.AddVarInt((uint)(length - shared));
        _blocks.AddBytes(id + shared, length - shared);
        _last.Clear();
        _last.AddBytes(id, length);
    }

    public void End()
    {
        EndChunk(isMore: false);
        _writer.Close(_part);
    }

    public void Dispose()
    {
        _blocks.Dispose();
        _last.Dispose();
        _offsets.Dispose();
    }

    private void EndChunk(bool isMore)
    {
        int table = _offsets.Count * sizeof(int);
        for (int i = 0; i < _offsets.Count; i++)
        {
            _part.Bytes.AddUInt32((uint)(table + _offsets[i]));
        }

        _part.Bytes.AddBytes(_blocks.Start, _blocks.Length);
        if (isMore)
        {
            _part.WriteChunk();
        }

        _blocks.Clear();
        _offsets.Clear();
    }
}
