using System.Text;
using Jackdaw.Indexing.Building;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Indexing.Tests.Building;

/// <summary>Who loaded whom.</summary>
public sealed class ReferenceStoreTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void RandomChanges_AgainstAModel_FindTheSameLoaders(int seed)
    {
        var random = new Random(seed);
        using StorageEnvironment storage = StorageEnvironment.Open(new MemoryPlatform(), "/index");
        var model = new Dictionary<string, string[]>();
        for (int step = 0; step < 40; step++)
        {
            using WriteTransaction write = storage.BeginWrite();
            var store = new ReferenceStore(write.Trees);
            for (int i = 0; i < 30; i++)
            {
                string loader = $"orders/{random.Next(60)}";
                string[] loaded = [.. Enumerable.Range(0, random.Next(4)).Select(_ => $"companies/{random.Next(12)}").Distinct()];
                store.Replace(Bytes(loader), [.. loaded.Select(Bytes)]);
                model[loader] = loaded;
            }

            for (int i = 0; i < 12; i++)
            {
                string company = $"companies/{i}";
                IEnumerable<string> expected = model.Where(pair => pair.Value.Contains(company)).Select(pair => pair.Key).Order(StringComparer.Ordinal);
                Assert.True(expected.SequenceEqual(ReadAll(store, company, random.Next(1, 9))), $"seed {seed}, step {step}, {company}");
            }

            write.Commit();
        }
    }

    [Fact]
    public void FindLoaders_OfAKeyThatBeginsAnother_FindsItsOwnOnly()
    {
        using StorageEnvironment storage = StorageEnvironment.Open(new MemoryPlatform(), "/index");
        using WriteTransaction write = storage.BeginWrite();
        var store = new ReferenceStore(write.Trees);
        store.Replace(Bytes("a"), [Bytes("companies/1")]);
        store.Replace(Bytes("b"), [Bytes("companies/10")]);
        Assert.Equal(["a"], ReadAll(store, "companies/1", 5));
        store.Replace(Bytes("a"), []);
        Assert.Empty(ReadAll(store, "companies/1", 5));
        Assert.Equal(1, write.Trees.FindTree("reference lists")!.EntryCount);
    }

    private static List<string> ReadAll(ReferenceStore store, string loaded, int step)
    {
        var all = new List<string>();
        byte[] after = [];
        while (store.FindLoaders(Bytes(loaded), after, step) is { Count: > 0 } some)
        {
            all.AddRange(some.Select(Encoding.UTF8.GetString));
            after = some[^1];
        }

        return all;
    }

    private static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);
}
