using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Storing;
using K4os.Compression.LZ4;

namespace Jackdaw.Search.Segments.Writing;

/// <summary>Writes bytes of entries, compressed in blocks.</summary>
/// <remarks>
/// <code>
/// entries  the set of entries that have bytes
/// index    for each block: rank of its first entry (4), bytes before compression (4), place (8)
/// bytes    the blocks in LZ4, or as they are where that is not longer; before compression: for each entry length, bytes
/// </code>
/// </remarks>
internal sealed unsafe class BlobWriter : IDisposable
{
    public const int IndexRecordBytes = 16;

    /// <summary>The bytes at which a block ends: reading one entry costs some 10 us.</summary>
    private const int BlockBytes = 16 * 1024;

    private readonly NativeBuffer _block = new();
    private readonly NativeList<int> _entries = new();
    private SegmentWriter _writer = null!; // set by Begin
    private PartBuilder _index = null!;
    private PartBuilder _bytes = null!;
    private int _field;
    private PartKind _kind;
    private int _first;

    public void Begin(SegmentWriter writer, int field, PartKind kind)
    {
        (_writer, _field, _kind, _first) = (writer, field, kind, 0);
        _index = writer.Open(field, kind.Of(BlobPart.Index));
        _bytes = writer.Open(field, kind.Of(BlobPart.Bytes));
        _entries.Clear();
        _block.Clear();
    }

    /// <summary>Adds the bytes of the next entry that has some.</summary>
    public void Add(int entry, ReadOnlySpan<byte> bytes)
    {
        _entries.Add(entry);
        _block.AddVarInt((uint)bytes.Length);
        _block.AddBytes(bytes);
        if (_block.Length >= BlockBytes)
        {
            EndBlock();
        }
    }

    public void End()
    {
        if (_block.Length > 0)
        {
            EndBlock();
        }

        if (_entries.IsEmpty)
        {
            _writer.Discard(_index);
            _writer.Discard(_bytes);
            return;
        }

        _writer.Close(_index);
        _writer.Close(_bytes);
        PartBuilder entries = _writer.Open(_field, _kind.Of(BlobPart.Entries));
        EntrySet.Write(entries.Bytes, _entries.Span, _writer.Entries);
        _writer.Close(entries);
    }

    public void Dispose()
    {
        _block.Dispose();
        _entries.Dispose();
    }

    private void EndBlock()
    {
        _bytes.EndItem();
        _index.Bytes.AddUInt32((uint)_first);
        _index.Bytes.AddUInt32((uint)_block.Length);
        _index.Bytes.AddUInt64((ulong)_bytes.Offset);
        int most = LZ4Codec.MaximumOutputSize(_block.Length);
        NativeBuffer target = _bytes.Bytes;
        int start = target.Length;
        int packed = LZ4Codec.Encode(_block.Span, new Span<byte>(target.Extend(most), most));
        target.Cut(start);
        if (packed > 0 && packed < _block.Length)
        {
            target.Extend(packed);
        }
        else
        {
            target.AddBytes(_block.Start, _block.Length);
        }

        _first = _entries.Count;
        _block.Trim(1 << 20);
    }
}
