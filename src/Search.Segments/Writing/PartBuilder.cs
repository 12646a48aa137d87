using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Writing;

/// <summary>Collects the bytes of one part of a segment, and writes them in chunks. The writer of the segment uses it again for other parts.</summary>
internal sealed unsafe class PartBuilder(SegmentWriter owner) : IDisposable
{
    private const int KeptBytesMax = 4 << 20;

    /// <summary>The bytes since the last chunk.</summary>
    public NativeBuffer Bytes { get; } = new();

    /// <summary>The chunks that are written.</summary>
    public List<PartRun> Runs { get; } = [];

    public int Field { get; private set; }

    public PartKind Kind { get; private set; }

    /// <summary>The place in the part of the first byte in <see cref="Bytes"/>.</summary>
    public long Start { get; private set; }

    /// <summary>The place in the part of the next byte.</summary>
    public long Offset => Start + Bytes.Length;

    public void Begin(int field, PartKind kind)
    {
        (Field, Kind, Start) = (field, kind, 0);
        Bytes.Trim(KeptBytesMax);
        Runs.Clear();
    }

    /// <summary>Is called where a chunk may end.</summary>
    public void EndItem()
    {
        if (Bytes.Length >= owner.Sizes.ChunkBytes)
        {
            WriteChunk();
        }
    }

    public void WriteChunk()
    {
        Runs.Add(new PartRun(Start, owner.WriteRun(Field, Kind, Runs.Count, Bytes.Span)));
        Start += Bytes.Length;
        Bytes.Clear();
    }

    public void Dispose() => Bytes.Dispose();
}
