using Jackdaw.Client.Sessions.Core;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>The documents of a session, few or many, against two dictionaries.</summary>
public sealed class TrackedDocumentsTests
{
    [Theory]
    [InlineData(4)] // compared one by one
    [InlineData(12)] // at times one by one, at times in tables
    [InlineData(100)]
    public void Documents_AfterAnyChanges_AreFoundAsInDictionaries(int ids)
    {
        const int seed = 20261127;
        var random = new Random(seed + ids);
        var documents = new TrackedDocuments();
        var byId = new Dictionary<string, TrackedDocument>(StringComparer.OrdinalIgnoreCase);
        var byEntity = new Dictionary<object, TrackedDocument>(ReferenceEqualityComparer.Instance);
        for (int step = 0; step < 5_000; step++)
        {
            string id = (random.Next(2) == 0 ? "orders/" : "ORDERS/") + random.Next(ids);
            TrackedDocument? known = byEntity.Count == 0 ? null : byEntity.Values.ElementAt(random.Next(byEntity.Count));
            switch (random.Next(7))
            {
                case 0 or 1 or 2 when !byId.ContainsKey(id):
                    var added = new TrackedDocument { Entity = new object(), Id = id };
                    documents.Set(id, added);
                    byId[id] = byEntity[added.Entity] = added;
                    break;
                case 3 when byEntity.Count < ids:
                    var without = new TrackedDocument { Entity = new object() };
                    documents.Set(null, without);
                    byEntity[without.Entity] = without;
                    break;
                case 4 when known is { Id: null } && !byId.ContainsKey(id):
                    known.Id = id;
                    documents.Set(id, known);
                    byId[id] = known;
                    break;
                case 5 when known is not null:
                    byEntity.Remove(known.Entity);
                    documents.Replace(known, new object());
                    byEntity[known.Entity] = known;
                    break;
                default:
                    Remove(documents, byId, byEntity, random.Next(2) == 0 ? id : known?.Entity ?? id);
                    break;
            }

            Assert.Equal(byEntity.Values.ToHashSet(), documents.All.ToHashSet());
            Assert.Equal(byEntity.Count, documents.All.Count());
            Assert.Equal(byId.GetValueOrDefault(id), documents.Find(id));
            Assert.True(known is null || documents.Find(known.Entity) == byEntity.GetValueOrDefault(known.Entity), $"seed {seed}, step {step}");
        }
    }

    [Theory]
    [InlineData(3)]
    [InlineData(30)]
    public void Documents_ThatAreRemovedWhileTheyAreListed_AreListedAllTheSame(int count)
    {
        var documents = new TrackedDocuments();
        Array.ForEach([.. Enumerable.Range(0, count)], i => documents.Set($"a/{i}", new TrackedDocument { Entity = new object(), Id = $"a/{i}" }));
        int seen = 0;
        foreach (TrackedDocument one in documents.All)
        {
            seen++;
            documents.Remove(one.Id!, out _);
        }

        Assert.Equal(count, seen);
    }

    [Fact]
    public void Documents_InTheirOrder_AreThoseThatCameFirst()
    {
        var documents = new TrackedDocuments();
        TrackedDocument[] added = [.. Enumerable.Range(0, 20).Select(i => new TrackedDocument { Entity = new object(), Id = $"orders/{i}" })];
        for (int i = 0; i < added.Length; i++)
        {
            documents.Set(added[i].Id, added[i]);
            Assert.Equal(added[..(i + 1)], documents.All);
        }
    }

    private static void Remove(
        TrackedDocuments documents, Dictionary<string, TrackedDocument> byId, Dictionary<object, TrackedDocument> byEntity, object removed)
    {
        TrackedDocument? expected = removed is string id ? byId.GetValueOrDefault(id) : byEntity.GetValueOrDefault(removed);
        TrackedDocument? found;
        bool isFound = removed is string text ? documents.Remove(text, out found) : documents.Remove(removed, out found);
        Assert.Equal((expected is not null, expected), (isFound, found));
        if (expected is not null)
        {
            byEntity.Remove(expected.Entity);
            byId.Remove(expected.Id ?? "");
        }
    }
}
