using System.Diagnostics;
using System.Globalization;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Native;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Xunit.Abstractions;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Segments.Tests.Proofs;

/// <summary>An index for tests of many or long things: in files when it is large, in memory when it is small. It prints its figures.</summary>
internal sealed class LargeIndex : IDisposable
{
    private readonly ITestOutputHelper _output;
    private readonly string? _folder;
    private readonly IPlatform _platform;
    private readonly StorageEnvironment _root;
    private readonly StorageEnvironment _branch;
    private long _began = Stopwatch.GetTimestamp();

    /// <param name="isInFiles">Whether it lies in a folder for temporary files, and is flushed in the background.</param>
    public LargeIndex(ITestOutputHelper output, IndexFields fields, bool isInFiles = false)
    {
        _output = output;
        _folder = isInFiles ? Directory.CreateTempSubdirectory("jackdaw-large-").FullName : null;
        _platform = isInFiles ? new NativePlatform() : new MemoryPlatform();
        var options = new StorageOptions { BackgroundFlush = isInFiles };
        _root = StorageEnvironment.Open(_platform, _folder ?? "/db", options);
        _branch = StorageEnvironment.OpenBranch(_root, BranchFolder, options);
        Index = SegmentEngine.Instance.Open(_branch, fields);
    }

    public SearchIndex Index { get; }

    private string BranchFolder => (_folder ?? "/db") + "/Indexes/a";

    /// <summary>Writes batches, with the maintenance that an index gets between them.</summary>
    /// <param name="fill">Fills an entry with the content of a number; its id is set by then, and is deleted before where <paramref name="isUpdate"/>.</param>
    public void Write(IEnumerable<int> numbers, int batchEntries, Action<IndexEntry, int> fill, bool isUpdate = false)
    {
        var entry = new IndexEntry();
        foreach (int[] some in numbers.Chunk(batchEntries))
        {
            using (IndexBatch batch = Index.BeginBatch())
            {
                foreach (int number in some)
                {
                    byte[] id = IdOf(number);
                    if (isUpdate)
                    {
                        batch.Delete(id);
                    }

                    entry.Reset(id);
                    fill(entry, number);
                    batch.Add(entry);
                }

                batch.Commit();
            }

            Index.Maintain(() => true);
        }
    }

    public void Delete(IEnumerable<int> numbers, int batchEntries)
    {
        foreach (int[] some in numbers.Chunk(batchEntries))
        {
            using IndexBatch batch = Index.BeginBatch();
            foreach (int number in some)
            {
                batch.Delete(IdOf(number));
            }

            batch.Commit();
        }
    }

    public void MaintainAll()
    {
        while (Index.Maintain(() => false))
        {
        }
    }

    public long Count(SearchNode node) => Search(new SearchRequest(node, [], 0, 0)).Total;

    /// <summary>The ids of the first hits.</summary>
    public string[] Find(SearchNode node, int take, params SortKey[] order) =>
        [.. Search(new SearchRequest(node, order, 0, take)).Hits.Select(hit => System.Text.Encoding.UTF8.GetString(hit.Id.Span))];

    public T Ask<T>(Func<Searcher, T> ask)
    {
        using Searcher searcher = Index.BeginSearch();
        return ask(searcher);
    }

    /// <summary>The least milliseconds that something takes, of some times.</summary>
    public static double Time(Action action)
    {
        double least = double.MaxValue;
        for (int i = 0; i < 7; i++)
        {
            long began = Stopwatch.GetTimestamp();
            action();
            least = Math.Min(least, Stopwatch.GetElapsedTime(began).TotalMilliseconds);
        }

        return least;
    }

    /// <summary>Prints the time since the last figures, the size of the data file and of the segments, and the memory of the process.</summary>
    public void Print(string what)
    {
        using Process process = Process.GetCurrentProcess();
        IReadOnlyList<Storing.SegmentRecord> segments = ((SegmentSearchIndex)Index).State.Records;
        using PalFile data = _platform.OpenFile(BranchFolder + "/data", FileOpening.Existing, FileUse.Data);
        _output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{what}: {Stopwatch.GetElapsedTime(_began).TotalSeconds:F1} s; {segments.Count} segments, {segments.Sum(segment => segment.Bytes) / 1e6:F1} MB, "
            + $"{segments.Sum(segment => (long)segment.Deleted)} of {segments.Sum(segment => (long)segment.Entries)} entries deleted; data file "
            + $"{data.GetLength() / 1e6:F1} MB; peak of memory {process.PeakWorkingSet64 / 1e6:F0} MB, now {process.WorkingSet64 / 1e6:F0} MB, managed "
            + $"{GC.GetTotalMemory(false) / 1e6:F0} MB"));
        _began = Stopwatch.GetTimestamp();
    }

    public void Note(FormattableString text) => _output.WriteLine(text.ToString(CultureInfo.InvariantCulture));

    public IReadOnlyList<string> Verify() => SegmentEngine.Instance.Verify(_branch);

    public void Dispose()
    {
        Index.Dispose();
        _branch.Dispose();
        _root.Dispose();
        if (_folder is not null)
        {
            Directory.Delete(_folder, recursive: true);
        }
    }

    private SearchResults Search(SearchRequest request)
    {
        using Searcher searcher = Index.BeginSearch();
        return searcher.Search(request, default);
    }

    private static byte[] IdOf(int number) => System.Text.Encoding.UTF8.GetBytes("orders/" + number.ToString(CultureInfo.InvariantCulture));
}
