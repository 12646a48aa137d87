using Jackdaw.Client.BulkInserts;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;
using Jackdaw.Client.Vectors;
using Xunit.Abstractions;

namespace Jackdaw.Client.Tests.Vectors;

/// <summary>Words with vectors that lie in groups, as those of a language do: what LINQ finds while words change, go and come back, against a comparison
/// with all of them.</summary>
public sealed class WordSearchTests(ITestOutputHelper output)
{
    private const int Dimensions = 50;
    private const int Queries = 20;
    private const int Take = 10;
    private const double Rounding = 1e-5;

    [Fact]
    public Task Words_OfASmallIndex_AreTheNearest() => SearchAsync(words: 600, recallMin: 1);

    /// <summary>Above some thousand vectors the index walks through its graph.</summary>
    [Fact]
    [Trait("Tier", "Full")]
    public Task Words_OfALargeIndex_AreMostlyTheNearest() => SearchAsync(words: 8000, recallMin: 0.93);

    private async Task SearchAsync(int words, double recallMin)
    {
        int seed = Environment.TickCount;
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        Word[] made = [.. Make(words + Queries, random)];
        Word[] all = made[..words];
        float[][] queries = [.. made[words..].Select(word => word.Vector.Embedding)];
        await using StoreFixture fixture = await StoreFixture.StartAsync();
        var check = new Check(fixture.Store, queries, recallMin, output);
        await StoreAsync(fixture.Store, all);
        await check.AllAsync("as stored", all);

        Word[] gone = [.. all.Where(word => word.Rank % 4 == 1)];
        Word[] kept = [.. all.Where(word => word.Rank % 4 != 1)];
        float[][] vectors = [.. kept.Where(word => word.Rank % 4 == 3).Select(word => word.Vector.Embedding)];
        Word[] changed = [.. kept.Where(word => word.Rank % 4 == 3).Select((word, i) => word with { Vector = vectors[(i + 1) % vectors.Length] })];
        await StoreAsync(fixture.Store, changed);
        using (IAsyncDocumentSession session = fixture.Store.OpenAsyncSession())
        {
            foreach (Word word in gone)
            {
                session.Delete(word.Id);
            }

            await session.SaveChangesAsync();
        }

        kept = [.. kept.Where(word => word.Rank % 4 != 3), .. changed];
        await check.AllAsync("half changed or gone", kept);
        await StoreAsync(fixture.Store, gone);
        await check.AllAsync("come back", [.. kept, .. gone]);
    }

    private static IEnumerable<Word> Make(int count, Random random)
    {
        double Noise() => Enumerable.Range(0, 4).Sum(_ => random.NextDouble() - 0.5);
        double[][] centres = [.. Enumerable.Range(0, 40).Select(_ => Enumerable.Range(0, Dimensions).Select(_ => Noise()).ToArray())];
        for (int rank = 0; rank < count; rank++)
        {
            double[] centre = centres[random.Next(centres.Length)];
            yield return new Word($"words/{rank}", $"word {rank}", rank, new EmbeddingVector<float>([.. centre.Select(one => (float)(one + (0.4 * Noise())))]));
        }
    }

    private static async Task StoreAsync(DocumentStore store, IEnumerable<Word> words)
    {
        await using BulkInsertOperation bulk = store.BulkInsert();
        foreach (Word word in words)
        {
            await bulk.StoreAsync(word, word.Id);
        }
    }

    /// <summary>A document.</summary>
    public sealed record Word(string Id, string Text, int Rank, EmbeddingVector<float> Vector);

    /// <summary>Compares searches with a loop.</summary>
    private sealed class Check(DocumentStore store, float[][] queries, double recallMin, ITestOutputHelper output)
    {
        public async Task AllAsync(string when, Word[] words)
        {
            int last = words.Max(word => word.Rank);
            foreach (double part in new[] { 1, 0.5, 0.05, 0.01 })
            {
                await RecallAsync($"{when}, {part:P0} of the ranks", [.. words.Where(word => word.Rank <= last * part)], (int)(last * part));
            }

            await PagesAsync(words);
            await ExactAsync(words);
        }

        private async Task RecallAsync(string what, Word[] matching, int rankMax)
        {
            double sum = 0;
            foreach (float[] query in queries)
            {
                double[] best = [.. matching.Select(word => Cosine(word.Vector.Embedding, query)).OrderDescending().Take(Take)];
                using IAsyncDocumentSession session = store.OpenAsyncSession();
                List<Word> found = await Fresh(session).Where(word => word.Rank <= rankMax).VectorSearch(word => word.Vector, value => value.ByEmbedding(query))
                    .Take(Take).ToListAsync();
                Assert.Equal(best.Length, found.Count);
                double[] cosines = [.. found.Select(word => Cosine(matching.Single(one => one.Id == word.Id).Vector.Embedding, query))];
                for (int i = 0; i < found.Count; i++)
                {
                    Assert.Equal(cosines[i], Convert.ToDouble(session.Advanced.GetMetadataFor(found[i])["@index-score"]), Rounding);
                    Assert.True(i == 0 || cosines[i] <= cosines[i - 1] + Rounding, $"{what}: row {i} is better than the one before it");
                }

                sum += best.Length == 0 ? 1 : cosines.Count(cosine => cosine >= best[^1] - Rounding) / (double)best.Length;
            }

            output.WriteLine($"{what}: recall {sum / queries.Length:0.000} among {matching.Length}");
            Assert.InRange(sum / queries.Length, recallMin, 1);
        }

        // Pages of one search are parts of one order: no word comes twice.
        private async Task PagesAsync(Word[] words)
        {
            List<string> paged = [];
            for (int page = 0; page < 5; page++)
            {
                using IAsyncDocumentSession session = store.OpenAsyncSession();
                paged.AddRange(await Fresh(session).VectorSearch(word => word.Vector, value => value.ByEmbedding(queries[0]), isExact: true)
                    .Skip(page * 7).Take(7).Select(word => word.Id).ToListAsync());
            }

            Assert.Equal(35, paged.Distinct().Count());
            double[] best = [.. words.Select(word => Cosine(word.Vector.Embedding, queries[0])).OrderDescending().Take(35)];
            var byId = words.ToDictionary(word => word.Id);
            Assert.All(paged.Zip(best), pair => Assert.Equal(pair.Second, Cosine(byId[pair.First].Vector.Embedding, queries[0]), Rounding));
        }

        private async Task ExactAsync(Word[] words)
        {
            foreach (float[] query in queries.Take(5))
            {
                using IAsyncDocumentSession session = store.OpenAsyncSession();
                int count = await Fresh(session).VectorSearch(word => word.Vector, value => value.ByEmbedding(query), 0.3f, isExact: true).CountAsync();
                int CountFrom(double minimum) => words.Count(word => Cosine(word.Vector.Embedding, query) >= minimum);
                Assert.InRange(count, CountFrom(0.3 + Rounding), CountFrom(0.3 - Rounding));
            }
        }

        private static IDocumentQueryable<Word> Fresh(IAsyncDocumentSession session) =>
            session.Query<Word>().Customize(query => query.WaitForNonStaleResults());
    }

    private static double Cosine(float[] left, float[] right)
    {
        double product = 0, ofLeft = 0, ofRight = 0;
        for (int i = 0; i < left.Length; i++)
        {
            product += (double)left[i] * right[i];
            ofLeft += (double)left[i] * left[i];
            ofRight += (double)right[i] * right[i];
        }

        return product / Math.Sqrt(ofLeft * ofRight);
    }
}
