using System.Buffers.Binary;
using System.Text;
using Jackdaw.Indexing.Reducing;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Indexing.Tests.Reducing;

/// <summary>Groups of mapped rows that are reduced again where they were touched.</summary>
public sealed class GroupStoreTests
{
    /// <summary>Random documents with several rows each, which change, move between groups and go; some groups become large and sparse.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void RandomChanges_AgainstAPlainSum_AreTheSame(int seed)
    {
        var random = new Random(seed);
        using StorageEnvironment storage = StorageEnvironment.Open(new MemoryPlatform(), "/index");
        var documents = new Dictionary<string, List<(int Group, long Value)>>();
        var results = new Dictionary<KeyHash, long>();
        for (int step = 0; step < 60; step++)
        {
            using WriteTransaction write = storage.BeginWrite();
            var store = new GroupStore(write.Trees);
            int changes = random.Next(1, 120);
            bool isShrinking = step is > 25 and < 40;
            for (int i = 0; i < changes; i++)
            {
                string id = $"doc/{random.Next(900)}";
                List<(int Group, long Value)> rows = isShrinking || random.Next(5) == 0 ? [] : Rows(random);
                store.Replace(Encoding.UTF8.GetBytes(id), [.. rows.Select(row => new MappedRow(Hash(row.Group), Row(row.Value, 1)))]);
                documents[id] = rows;
            }

            foreach (ReducedGroup reduced in store.ReduceTouched(new SumReducer()))
            {
                Apply(results, reduced);
            }

            write.Commit();
            Dictionary<KeyHash, long> expected = documents.Values.SelectMany(rows => rows).GroupBy(row => row.Group)
                .ToDictionary(group => Hash(group.Key), group => group.Sum(row => row.Value));
            Assert.True(expected.Count == results.Count && expected.All(pair => results.TryGetValue(pair.Key, out long sum) && sum == pair.Value),
                $"seed {seed}, step {step}");
        }

        Assert.Empty(EnvironmentVerifier.Verify(storage, []));
    }

    [Fact]
    public void LargeGroup_OneDocumentChanges_ReadsOnlyTheNodesAboveIt()
    {
        using StorageEnvironment storage = StorageEnvironment.Open(new MemoryPlatform(), "/index");
        var reducer = new SumReducer();
        Fill(storage, reducer, 20_000);
        int rowsBefore = reducer.RowsRead;
        using WriteTransaction write = storage.BeginWrite();
        var store = new GroupStore(write.Trees);
        store.Replace("doc/777"u8, [new MappedRow(Hash(0), Row(1000, 1))]);
        ReducedGroup reduced = Assert.Single(store.ReduceTouched(reducer));
        Assert.Equal(20_000 + 999, BinaryPrimitives.ReadInt64LittleEndian(reduced.Row));
        Assert.InRange(reducer.RowsRead - rowsBefore, 1, 3 * GroupStore.NodeRows);
    }

    [Fact]
    public void Replace_TheSameRow_TouchesNothing()
    {
        using StorageEnvironment storage = StorageEnvironment.Open(new MemoryPlatform(), "/index");
        Fill(storage, new SumReducer(), 10);
        using WriteTransaction write = storage.BeginWrite();
        var store = new GroupStore(write.Trees);
        store.Replace("doc/5"u8, [new MappedRow(Hash(0), Row(1, 1))]);
        Assert.Equal(0, store.TouchedGroups);
    }

    [Fact]
    public void LargeGroup_AllDocumentsGo_LeavesNothing()
    {
        using StorageEnvironment storage = StorageEnvironment.Open(new MemoryPlatform(), "/index");
        Fill(storage, new SumReducer(), 5_000);
        using WriteTransaction write = storage.BeginWrite();
        var store = new GroupStore(write.Trees);
        for (int i = 0; i < 5_000; i++)
        {
            store.Replace(Encoding.UTF8.GetBytes($"doc/{i}"), []);
        }

        Assert.Null(Assert.Single(store.ReduceTouched(new SumReducer())).Row);
        foreach (string tree in (ReadOnlySpan<string>)["reduce documents", "reduce groups", "reduce rows", "reduce partials"])
        {
            Assert.Equal(0, write.Trees.FindTree(tree)!.EntryCount);
        }
    }

    /// <summary>Negative values cannot be reduced. A large group with one has no row, whatever else in it changes, until that one is gone.</summary>
    [Fact]
    public void LargeGroup_OneNodeCannotBeReduced_HasNoRowUntilItCan()
    {
        using StorageEnvironment storage = StorageEnvironment.Open(new MemoryPlatform(), "/index");
        var reducer = new SumReducer();
        Fill(storage, reducer, 10_000);
        Assert.Null(Change(70, -1));
        Assert.Null(Change(9_000, 5));
        Assert.Null(Change(71, 7));
        Assert.Equal(10_000 + 4 + 6 + 2, BinaryPrimitives.ReadInt64LittleEndian(Change(70, 3)));

        byte[]? Change(int document, long value)
        {
            using WriteTransaction write = storage.BeginWrite();
            var store = new GroupStore(write.Trees);
            store.Replace(Encoding.UTF8.GetBytes($"doc/{document}"), [new MappedRow(Hash(0), Row(value, 1))]);
            ReducedGroup reduced = Assert.Single(store.ReduceTouched(reducer));
            write.Commit();
            return reduced.Row;
        }
    }

    private static void Fill(StorageEnvironment storage, SumReducer reducer, int documents)
    {
        using WriteTransaction write = storage.BeginWrite();
        var store = new GroupStore(write.Trees);
        for (int i = 0; i < documents; i++)
        {
            store.Replace(Encoding.UTF8.GetBytes($"doc/{i}"), [new MappedRow(Hash(0), Row(1, 1))]);
        }

        ReducedGroup reduced = Assert.Single(store.ReduceTouched(reducer));
        Assert.Equal(documents, BinaryPrimitives.ReadInt64LittleEndian(reduced.Row));
        write.Commit();
    }

    // Group 0 gets most rows.
    private static List<(int Group, long Value)> Rows(Random random) =>
        [.. Enumerable.Range(0, random.Next(1, 5)).Select(_ => (Math.Max(0, random.Next(-30, 12)), (long)random.Next(100)))];

    private static void Apply(Dictionary<KeyHash, long> results, ReducedGroup reduced)
    {
        if (reduced.Row is null)
        {
            results.Remove(reduced.Group);
        }
        else
        {
            results[reduced.Group] = BinaryPrimitives.ReadInt64LittleEndian(reduced.Row);
        }
    }

    private static KeyHash Hash(int group) => KeyHash.Of(BitConverter.GetBytes(group));

    private static byte[] Row(long sum, long count)
    {
        byte[] row = new byte[16];
        BinaryPrimitives.WriteInt64LittleEndian(row, sum);
        BinaryPrimitives.WriteInt64LittleEndian(row.AsSpan(8), count);
        return row;
    }

    private sealed class SumReducer : IGroupReducer
    {
        public int RowsRead { get; private set; }

        public byte[] Reduce(IReadOnlyList<ReadOnlyMemory<byte>> rows)
        {
            RowsRead += rows.Count;
            return rows.Any(row => BinaryPrimitives.ReadInt64LittleEndian(row.Span) < 0) ? GroupStore.Failed : Row(
                rows.Sum(row => BinaryPrimitives.ReadInt64LittleEndian(row.Span)),
                rows.Sum(row => BinaryPrimitives.ReadInt64LittleEndian(row.Span[8..])));
        }
    }
}
