using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Collecting;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Merging;

/// <summary>Merges some parts of some segments, step by step. The thread of the index.</summary>
internal abstract class PartMerge(MergeSources sources, SegmentWriter writer, SegmentTools tools, int field)
{
    /// <summary>The most bytes of a part of a segment that are read ahead of the merge. Other bytes are read run by run when they are used.</summary>
    private const long PrefetchBytesMax = 4 << 20;

    protected MergeSources Sources => sources;

    protected SegmentWriter Writer => writer;

    protected SegmentTools Tools => tools;

    /// <summary>The field.</summary>
    public int Field { get; } = field;

    /// <summary>The parts that it reads.</summary>
    public abstract IEnumerable<PartKind> Reads { get; }

    /// <summary>Begins to read the runs of the segments, which will be used soon.</summary>
    public void Prefetch()
    {
        foreach (PartKind kind in Reads)
        {
            foreach (SegmentView view in sources.Views)
            {
                view.Prefetch(Field, kind, PrefetchBytesMax);
            }
        }
    }

    /// <summary>Is called before the first step, and after the segments were opened in another transaction.</summary>
    public abstract void Open();

    /// <summary>Does as much as takes a millisecond or so.</summary>
    /// <returns>False when nothing is left to do.</returns>
    public abstract bool Step();
}

/// <summary>Merges sets of entries.</summary>
internal sealed unsafe class SetMerge(MergeSources sources, SegmentWriter writer, SegmentTools tools, int field, PartKind kind)
    : PartMerge(sources, writer, tools, field)
{
    public override IEnumerable<PartKind> Reads => [kind];

    public override void Open()
    {
        // Everything is done in one step.
    }

    public override bool Step()
    {
        Arena.Mark mark = Sources.Scratch.Now();
        int* merged = Sources.Scratch.Take<int>(Sources.Entries + 1L); // one that is deleted may be written behind the last
        int count = 0;
        for (int i = 0; i < Sources.Count; i++)
        {
            EntrySet set = Sources.Views[i].FindSet(Field, kind);
            int* entries = Sources.Scratch.Take<int>(set.Count);
            set.CopyTo(entries);
            int* map = Sources.MapOf(i);
            for (int k = 0; k < set.Count; k++)
            {
                merged[count] = map[entries[k]];
                count += merged[count] >= 0 ? 1 : 0;
            }
        }

        if (count > 0)
        {
            PartBuilder part = Writer.Open(Field, kind);
            EntrySet.Write(part.Bytes, new ReadOnlySpan<int>(merged, count), Writer.Entries);
            Writer.Close(part);
        }

        Sources.Scratch.Return(mark);
        return false;
    }
}

/// <summary>Merges the ids of the entries.</summary>
internal sealed unsafe class IdsMerge(MergeSources sources, SegmentWriter writer, SegmentTools tools) : PartMerge(sources, writer, tools, FieldRecord.OfEntries)
{
    private const int StepEntries = 8192;

    private IdReader[] _ids = [];
    private byte* _id;
    private int _source;
    private int _entry = -1;

    public override IEnumerable<PartKind> Reads => [PartKind.Ids];

    public override void Open()
    {
        _ids = [.. Sources.Views.Select(view => new IdReader(view))];
        _id = Sources.Arena.Take<byte>(Term.BytesMax);
    }

    public override bool Step()
    {
        if (_entry < 0)
        {
            _entry = 0;
            Tools.Ids.Begin(Writer);
        }

        for (int left = StepEntries; left > 0 && _source < Sources.Count; left--)
        {
            if (_entry == Sources.Views[_source].Entries)
            {
                (_source, _entry) = (_source + 1, 0);
                continue;
            }

            if (Sources.MapOf(_source)[_entry] >= 0)
            {
                Tools.Ids.Add(_id, _ids[_source].Read(_entry, _id));
            }

            _entry++;
        }

        if (_source < Sources.Count)
        {
            return true;
        }

        Tools.Ids.End();
        return false;
    }
}

/// <summary>Merges the bytes of entries.</summary>
internal sealed unsafe class BlobMerge(MergeSources sources, SegmentWriter writer, SegmentTools tools, int field, PartKind kind)
    : PartMerge(sources, writer, tools, field)
{
    private const int StepEntries = 256;

    private BlobReader _blobs;
    private int* _entries;
    private int _source;
    private int _next = -1;

    public override IEnumerable<PartKind> Reads => [kind.Of(BlobPart.Entries), kind.Of(BlobPart.Index), kind.Of(BlobPart.Bytes)];

    public override void Open() => OpenSource();

    public override bool Step()
    {
        if (_next < 0)
        {
            _next = 0;
            Tools.Blobs.Begin(Writer, Field, kind);
        }

        for (int left = StepEntries; left > 0 && _source < Sources.Count; left--)
        {
            if (!_blobs.Exists || _next == _blobs.Entries.Count)
            {
                (_source, _next) = (_source + 1, 0);
                OpenSource();
                continue;
            }

            int entry = _entries[_next++], merged = Sources.MapOf(_source)[entry];
            if (merged >= 0 && _blobs.TryRead(entry, out ReadOnlySpan<byte> bytes))
            {
                Tools.Blobs.Add(merged, bytes);
            }
        }

        if (_source < Sources.Count)
        {
            return true;
        }

        Tools.Blobs.End();
        return false;
    }

    private void OpenSource()
    {
        if (_source < Sources.Count)
        {
            _blobs = BlobReader.Open(Sources.Views[_source], Field, kind);
            if (_blobs.Exists)
            {
                _entries = Sources.Arena.Take<int>(_blobs.Entries.Count);
                _blobs.Entries.CopyTo(_entries);
            }
        }
    }
}
