using Jackdaw.Pal.Native;
using Jackdaw.Search;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene;
using Jackdaw.Search.Segments;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Bench.Search;

/// <summary>An index in a branch of an empty root, on disk, deleted when it is disposed.</summary>
internal sealed class StoredIndex : IDisposable
{
    /// <summary>Documents of a batch: as the server's.</summary>
    public const int BatchMax = 4096;

    private readonly string _folder;
    private readonly StorageEnvironment _root;
    private readonly StorageEnvironment _branch;

    public StoredIndex(string folder, SearchEngine? engine = null)
    {
        _folder = Path.Combine(folder, "stored" + engine?.Name);
        Delete();
        Directory.CreateDirectory(_folder);
        var platform = new NativePlatform();
        _root = StorageEnvironment.Open(platform, _folder);
        _branch = StorageEnvironment.OpenBranch(_root, _folder + "/Indexes/a");
        Any = engine is null ? LuceneSearchIndex.Open(_branch, Orders.Fields) : engine.Open(_branch, Orders.Fields);
    }

    /// <summary>The index of the engine that was asked for.</summary>
    public SearchIndex Any { get; }

    /// <summary>The index, when no other engine was asked for.</summary>
    public LuceneSearchIndex Index => (LuceneSearchIndex)Any;

    /// <summary>Bytes of the data file, without holes.</summary>
    public long DataBytes => _branch.Figures.DataBytes;

    /// <summary>Bytes written to journal and data file.</summary>
    public (long Journal, long Data) WrittenBytes => (WrittenByKind.Journal, WrittenByKind.Direct + WrittenByKind.Flushed);

    /// <summary>Bytes written to the journal, to the data file at once, and by flushes.</summary>
    public (long Journal, long Direct, long Flushed) WrittenByKind =>
        (_branch.Statistics.Sum.StoredBytes, _branch.Statistics.Sum.DirectBytes, _branch.FlushTotal.Bytes);

    /// <summary>Segments of an index of our own engine.</summary>
    public int SegmentCount => Any is SegmentSearchIndex segments ? segments.State.Segments.Count : 0;

    /// <summary>Bytes of the data file that are not holes.</summary>
    public long UsedBytes => _branch.Figures.DataBytes - _branch.HoleBytes;

    /// <summary>Bytes of the pages of all trees: the rest of the file is free, and grows in steps.</summary>
    public long TreeBytes
    {
        get
        {
            using ReadTransaction read = _branch.BeginRead();
            long pages = 0;
            using BTreeCursor names = read.Trees.OpenNames();
            for (bool on = names.SeekFirst(); on; on = names.MoveNext())
            {
                TreeHeader header = read.Trees.FindTree(names.Key)!.Header;
                pages += header.OverflowPages + header.LeafPages + header.BranchPages;
            }

            return pages * Page.Size;
        }
    }

    /// <summary>The bytes that all segments of our own engine have of each kind of part.</summary>
    public unsafe IEnumerable<(string Part, long Bytes)> ListParts()
    {
        using var arena = new Arena();
        using ReadTransaction read = _branch.BeginRead();
        SegmentState state = ((SegmentSearchIndex)Any).State;
        var view = new SegmentView();
        Dictionary<string, long> bytes = [];
        for (int i = 0; i < state.Segments.Count; i++)
        {
            view.Open(read, state, i, arena, arena, null, null);
            foreach ((int field, PartKind kind) in view.ListParts())
            {
                string name = state.Fields.All.FirstOrDefault(one => one.Number == field)?.Name is { Length: > 0 } known ? known : "(entries)";
                view.TryFind(field, kind, out Part part);
                bytes[$"{name}.{kind}"] = bytes.GetValueOrDefault($"{name}.{kind}") + part.Bytes;
            }
        }

        return bytes.OrderByDescending(one => one.Value).Select(one => (one.Key, one.Value));
    }

    /// <summary>Writes orders in batches, with the maintenance that the server does behind each.</summary>
    /// <returns>Bytes of their documents.</returns>
    public long Write(Orders orders, IEnumerable<int> numbers, int version)
    {
        long bytes = 0;
        var entry = new IndexEntry();
        foreach (int[] part in numbers.Chunk(BatchMax))
        {
            using (IndexBatch batch = Any.BeginBatch())
            {
                foreach (int number in part)
                {
                    if (version > 0)
                    {
                        batch.Delete(Orders.IdOf(number));
                    }

                    bytes += orders.Fill(entry, number, version);
                    batch.Add(entry);
                }

                batch.Commit();
            }

            Any.Maintain(() => false);
        }

        return bytes;
    }

    /// <summary>Finishes merges, flushes, and gives space back.</summary>
    public void Rest()
    {
        while (Any.Maintain(() => false))
        {
        }

        _branch.Flush();
        _branch.Sync();
        _branch.PunchHoles();
    }

    public void Dispose()
    {
        Any.Dispose();
        _branch.Dispose();
        _root.Dispose();
        Delete();
    }

    private void Delete()
    {
        if (Directory.Exists(_folder))
        {
            Directory.Delete(_folder, recursive: true);
        }
    }
}
