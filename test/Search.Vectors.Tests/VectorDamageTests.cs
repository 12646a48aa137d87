using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Jackdaw.Pal.Simulation;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Vectors.Graphs;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;
using Jackdaw.TestKit;

namespace Jackdaw.Search.Vectors.Tests;

/// <summary>A damaged page of an index with vectors gives the exception of a damaged storage, or is not needed: never other rows, another exception or an
/// endless walk.</summary>
public sealed class VectorDamageTests
{
    private const string Path = "/db";
    private const string File = Path + "/data";
    private const int Dimensions = 16;
    private const int Entries = 2300; // more than are compared without a walk

    private static readonly string[] s_parts =
        ["vectors", "vectors/ids/v", "vectors/hashes/v", "vectors/recall", "vectors/nodes/v", "vectors/upper/v", "vectors/vectors/v", "vectors/codes/v"];

    private static readonly CrashOptions s_all = new() { Retention = CrashRetention.All };
    private static readonly StorageOptions s_options = new() { BackgroundFlush = false };
    private static readonly IndexField s_field = new("v") { Vector = new VectorSettings() };
    private static readonly float[][] s_vectors = RandomVectors.Clustered(new Random(51), Entries + 10, Dimensions);
    private static readonly Lazy<SimulatedPlatform> s_image = new(MakeImage);
    private static readonly Lazy<string> s_expected = new(() => Answers(Copy()));

    [Fact]
    public void Search_PagesOfEachKindDamaged_AnswersRightOrSaysThatItIsDamaged() => DamagePages(ofEachKind: 2);

    [Fact]
    [Trait("Tier", "Full")]
    public void Search_AnyPageDamaged_AnswersRightOrSaysThatItIsDamaged() => DamagePages(ofEachKind: int.MaxValue);

    [Theory]
    [InlineData(1, 30)]
    public void Search_RecordsDamagedUnderARightChecksum_AnswersOrSaysThatItIsDamaged(int seed, int times) => DamageRecords(seed, times);

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData(2, 4000)]
    public void Search_ManyRecordsDamagedUnderARightChecksum_AnswersOrSaysThatItIsDamaged(int seed, int times) => DamageRecords(seed, times);

    private static void DamagePages(int ofEachKind)
    {
        Dictionary<uint, string> names = s_parts.ToDictionary(name => TreeCatalog.OwnerTagOf(Encoding.UTF8.GetBytes(name)));
        var damaged = new HashSet<string>();
        foreach (IGrouping<(PageType, uint), int> kind in ListPages().GroupBy(page => (page.Header.Type, page.Header.OwnerTag), page => page.Index))
        {
            foreach (int page in kind.Order().Take(ofEachKind))
            {
                SimulatedPlatform copy = Copy();
                copy.FlipBit(File, ((page * (long)Page.Size) + 70 + (page * 37 % 8000)) * 8);
                string what = $"page {page}, {kind.Key.Item1} of {names.GetValueOrDefault(kind.Key.Item2)}";
                if (Examine(copy, what, isRight: true) && names.TryGetValue(kind.Key.Item2, out string? name))
                {
                    damaged.Add(name);
                }
            }
        }

        Assert.Equal(s_parts.Order(), damaged.Order());
    }

    // Returns whether the verification finds it. What it does not find must not matter.
    private static bool Examine(SimulatedPlatform copy, string what, bool isRight)
    {
        try
        {
            bool isFound = IsFound(copy);
            string? answers = Tried(() => Answers(copy));
            Assert.True(!isRight || answers is null || answers == s_expected.Value, "other answers");
            Assert.True(!isRight || isFound || answers is not null, "the verification does not find what a search finds");
            Tried(() => Change(copy));
            return isFound;
        }
        catch (Exception e)
        {
            throw new InvalidOperationException($"{what}: {e.GetType().Name}: {e.Message}", e);
        }
    }

    private static void DamageRecords(int seed, int times)
    {
        var random = new Random(seed);
        int found = 0;
        for (int time = 0; time < times; time++)
        {
            SimulatedPlatform copy = Copy();
            string what = $"seed {seed}, time {time}: {DamageRecord(copy, random)}";
            found += Examine(copy, what, isRight: false) ? 1 : 0;
        }

        Assert.True(found > times / 10, $"{found} of {times} were found");
    }

    private static unsafe string DamageRecord(SimulatedPlatform copy, Random random)
    {
        using StorageEnvironment storage = StorageEnvironment.Open(copy, Path, s_options);
        using WriteTransaction write = storage.BeginWrite();
        VectorGraph.TryReadHeader(write.Trees, "v", out GraphHeader header);
        var view = new GraphView(new VectorGraph("v", header));
        view.BeginWrite(write.Trees, write, header);
        if (random.Next(8) == 0)
        {
            byte[] bytes = MemoryMarshal.AsBytes(new ReadOnlySpan<GraphHeader>(in header)).ToArray();
            int at = random.Next(64);
            bytes[at] = (byte)random.Next(256);
            VectorGraph.WriteHeader(write.Trees, "v", MemoryMarshal.Read<GraphHeader>(bytes));
            write.Commit();
            storage.Flush();
            return $"byte {at} of the header";
        }

        uint node = (uint)random.Next((int)header.Nodes);
        uint upper = (uint)random.Next((int)header.UpperRecords);
        (string column, nint record, int size) = random.Next(4) switch
        {
            0 => ("node", (nint)view.Nodes.Writable(node), view.Layout.NodeSize),
            1 => ("upper", (nint)view.Uppers.Writable(upper), view.Layout.UpperSize),
            2 => ("code", (nint)view.Codes.Writable(node), view.Layout.Code.Size),
            _ => ("vector", (nint)view.Vectors.Writable((long)node * view.Layout.VectorSize, out _), view.Layout.VectorSize),
        };
        int offset = random.Next(random.Next(2) == 0 ? Math.Min(size, 16) : size);
        int length = Math.Min(size - offset, 1 + random.Next(4));
        random.NextBytes(new Span<byte>((byte*)record + offset, length));
        write.Commit();
        storage.Flush();
        return $"{length} bytes at {offset} of {column} {(column == "upper" ? upper : node)}";
    }

    private static bool IsFound(SimulatedPlatform platform) => Tried(() =>
    {
        using StorageEnvironment storage = StorageEnvironment.Open(platform.Crash(s_all), Path, s_options);
        return EnvironmentVerifier.Verify(storage).Count + VectorSearchIndex.Verify(storage).Count > 0 ? null : "nothing";
    }) is null;

    private static string? Tried(Func<string?> action)
    {
        try
        {
            return action();
        }
        catch (CorruptionException)
        {
            return null;
        }
        catch (InvalidSearchException)
        {
            return null; // The number of dimensions is damaged, and no query has it.
        }
    }

    private static string Answers(SimulatedPlatform platform)
    {
        using StorageEnvironment storage = StorageEnvironment.Open(platform.Crash(s_all), Path, s_options);
        using var index = new VectorSearchIndex(storage, new PlainIndex(storage));
        using Searcher searcher = index.BeginSearch();
        var answers = new StringBuilder();
        foreach (float[] query in s_vectors[Entries..(Entries + 4)])
        {
            Search(index, searcher, new VectorNode("v", [query], null, 50, false), answers);
            Search(index, searcher, new VectorNode("v", [query], 0.8f, null, false), answers);
            Search(index, searcher, new VectorNode("v", [query], null, null, true), answers);
            Search(index, searcher, new AndNode([new TermNode("g", new TextValue("1")), new VectorNode("v", [query], null, null, false)]), answers);
        }

        return answers.ToString();
    }

    private static void Search(VectorSearchIndex index, Searcher searcher, SearchNode condition, StringBuilder answers)
    {
        SearchResults found = new VectorSearch(index, condition, 10)
            .Search(searcher, new SearchRequest(condition, [new Queries.SortKey(SortBy.Score)], 0, 10), default);
        Assert.Equal(found.Hits.Count, found.Hits.Select(hit => hit.Ordinal).Distinct().Count());
        answers.AppendJoin(' ', found.Hits.Select(hit => Encoding.UTF8.GetString(hit.Id.Span))).Append('\n');
    }

    // An eighth of the entries goes, so that a repair follows, and others come.
    private static string? Change(SimulatedPlatform platform)
    {
        using StorageEnvironment storage = StorageEnvironment.Open(platform.Crash(s_all), Path, s_options);
        using var index = new VectorSearchIndex(storage, new PlainIndex(storage));
        using (IndexBatch batch = index.BeginBatch())
        {
            for (int i = 0; i < Entries; i += 8)
            {
                batch.Delete(IdOf(i));
            }

            for (int i = 0; i < 100; i++)
            {
                Add(batch, Entries + i, s_vectors[Entries + (i % 10)]);
            }

            batch.Commit();
        }

        while (index.Maintain(() => false))
        {
        }

        return null;
    }

    private static SimulatedPlatform MakeImage()
    {
        var platform = new SimulatedPlatform(1);
        using StorageEnvironment storage = StorageEnvironment.Open(platform, Path, s_options);
        using (var index = new VectorSearchIndex(storage, new PlainIndex(storage)))
        {
            using (IndexBatch batch = index.BeginBatch())
            {
                for (int i = 0; i < Entries; i++)
                {
                    Add(batch, i, s_vectors[i]);
                }

                batch.Commit();
            }

            while (index.Maintain(() => false))
            {
            }
        }

        storage.Flush();
        storage.Sync();
        return platform.Crash(s_all);
    }


    private static void Add(IndexBatch batch, int number, float[] vector)
    {
        var entry = new IndexEntry();
        entry.Reset(IdOf(number));
        entry.AddText(new IndexField("g"), (number % 7).ToString(CultureInfo.InvariantCulture));
        entry.AddVector(s_field, vector);
        batch.Add(entry);
    }

    private static byte[] IdOf(int number) => Encoding.UTF8.GetBytes("e/" + number.ToString(CultureInfo.InvariantCulture));

    private static SimulatedPlatform Copy() => s_image.Value.Crash(s_all);

    private static IEnumerable<(int Index, PageHeader Header)> ListPages()
    {
        byte[] bytes = s_image.Value.ReadAll(File);
        for (int page = 0; page < bytes.Length / Page.Size; page++)
        {
            PageHeader header = MemoryMarshal.Read<PageHeader>(bytes.AsSpan(page * Page.Size));
            if (header.Type != PageType.None)
            {
                yield return (page, header);
            }
        }
    }
}
