using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Collecting;

/// <summary>Bytes of entries. One thread.</summary>
internal sealed unsafe class BlobCollector : IDisposable
{
    private const int KeptMax = 1 << 18;
    private const int KeptBytesMax = 4 << 20;

    private readonly NativeList<int> _entries = new();
    private readonly NativeList<int> _ends = new();
    private readonly NativeBuffer _bytes = new();

    /// <summary>Adds the bytes of an entry. Entries come in order, each once.</summary>
    public void Add(int entry, ReadOnlySpan<byte> bytes)
    {
        _entries.Add(entry);
        _bytes.AddBytes(bytes);
        _ends.Add(_bytes.Length);
    }

    /// <summary>Adds bytes behind those that the entry already has.</summary>
    public void AddMore(int entry, ReadOnlySpan<byte> bytes)
    {
        if (_entries.IsEmpty || _entries.Last != entry)
        {
            Add(entry, bytes);
            return;
        }

        _bytes.AddBytes(bytes);
        _ends.Last = _bytes.Length;
    }

    public void Write(SegmentWriter writer, BlobWriter target, int field, PartKind kind)
    {
        if (_entries.IsEmpty)
        {
            return;
        }

        target.Begin(writer, field, kind);
        int first = 0;
        for (int i = 0; i < _entries.Count; i++)
        {
            target.Add(_entries[i], new ReadOnlySpan<byte>(_bytes.Start + first, _ends[i] - first));
            first = _ends[i];
        }

        target.End();
    }

    public void Clear()
    {
        _entries.Trim(KeptMax);
        _ends.Trim(KeptMax);
        _bytes.Trim(KeptBytesMax);
    }

    public void Dispose()
    {
        _entries.Dispose();
        _ends.Dispose();
        _bytes.Dispose();
    }
}
