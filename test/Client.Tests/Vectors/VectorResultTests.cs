using System.Numerics;
using Jackdaw.Client.DocumentQueries;
using Jackdaw.Client.Indexes;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;
using Jackdaw.Client.Vectors;
using Xunit.Abstractions;

namespace Jackdaw.Client.Tests.Vectors;

/// <summary>What vector searches find, against a loop over all documents.</summary>
public sealed class VectorResultTests(ITestOutputHelper output) : IAsyncLifetime
{
    private const int Dimensions = 16;
    private const double Rounding = 1e-5;

    private readonly List<Picture> _pictures = [];
    private StoreFixture _fixture = null!;
    private float[] _query = [];

    public async Task InitializeAsync()
    {
        int seed = Environment.TickCount;
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        _query = Numbers(random);
        _pictures.AddRange(Enumerable.Range(0, 80).Select(i => Make(i, random)));
        _fixture = await StoreFixture.StartAsync();
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        foreach (Picture picture in _pictures)
        {
            await session.StoreAsync(picture);
        }

        await session.SaveChangesAsync();
    }

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task Search_OfEachFieldOfAClass_FindsTheNearest()
    {
        await FindsAsync(f => f.WithEmbedding(x => x.Plain), v => v.ByEmbedding(_query), x => Cosine(x.Plain!));
        await FindsAsync(f => f.WithEmbedding(x => x.Vector), v => v.ByEmbedding<float>(_query), x => x.Vector is null ? null : Cosine(x.Vector));
        await FindsAsync(f => f.WithBase64(x => x.Text), v => v.ByEmbedding(new ReadOnlyMemory<float>(_query)), x => Cosine(x.Plain!));
        await FindsAsync(f => f.WithEmbedding(x => x.Many), v => v.ByEmbedding(_query), x => x.Many.Count == 0 ? null : x.Many.Max(one => Cosine(one)));
        await FindsAsync(
            f => f.WithEmbedding(x => x.Parts.Select(part => part.Vector)), v => v.ByEmbedding(_query), x => x.Parts.Max(part => Cosine(part.Vector)));
        await FindsAsync(f => f.WithEmbedding(x => x.Wide), v => v.ByEmbedding(_query), x => Cosine([.. x.Wide!.Embedding.Select(one => (float)one)]));
        sbyte[] small = [.. _query.Select(one => (sbyte)(one * 100))];
        await FindsAsync(
            f => f.WithEmbedding(x => x.Small), v => v.ByEmbedding(small),
            x => Cosine([.. x.Small!.Embedding], [.. small]));
        byte[] bits = Bits(_query);
        await FindsAsync(f => f.WithEmbedding(x => x.Bits), v => v.ByEmbedding(bits), x => OfBits(x.Bits!, bits));
        await FindsAsync(f => f.WithEmbedding(x => x.Plain).TargetQuantization(EmbeddingType.Binary), v => v.ByEmbedding(_query), x => OfBits(x.Bits!, bits));
    }

    [Fact]
    public async Task Search_ByEachValue_FindsTheNearest()
    {
        float[] other = _pictures[3].Plain!;
        double? ByOther(Picture picture) => Cosine(picture.Plain!, other);
        await FindsAsync(f => f.WithEmbedding(x => x.Plain), v => v.ByEmbeddings([_query, other]), x => Math.Max(Cosine(x.Plain!)!.Value, ByOther(x)!.Value));
        await FindsAsync(f => f.WithEmbedding(x => x.Plain), v => v.ByBase64(Base64(other)), ByOther);
        await FindsAsync(f => f.WithEmbedding(x => x.Plain), v => v.ForDocument(_pictures[3].Id!), ByOther);
    }

    [Fact]
    public async Task Search_WithConditionsAndChoices_FindsWhatAllOfThemAllow()
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        IDocumentQueryable<Picture> all = session.Query<Picture>().Customize(query => query.WaitForNonStaleResults());
        IEnumerable<string?> Nearest(Func<Picture, bool> where) => _pictures.Where(where).OrderByDescending(x => Cosine(x.Plain!)).Select(x => x.Id);
        List<Picture> early = await all.Where(x => x.Year < 1905).VectorSearch(x => x.Plain, v => v.ByEmbedding(_query)).ToListAsync();
        Assert.Equal(Nearest(x => x.Year < 1905), early.Select(x => x.Id));
        List<Picture> near = await all.VectorSearch(x => x.Plain, v => v.ByEmbedding(_query), 0.25f).ToListAsync();
        Assert.Equal(Nearest(x => Cosine(x.Plain!) >= 0.25), near.Select(x => x.Id));
        Assert.Equal(80, await all.VectorSearch(x => x.Plain, v => v.ByEmbedding(_query), numberOfCandidates: 50).CountAsync());
        List<string> titles = await all.VectorSearch("Plain", v => v.ByEmbedding(_query), isExact: true).Skip(5).Take(5).Select(x => x.Title).ToListAsync();
        Assert.Equal(_pictures.OrderByDescending(x => Cosine(x.Plain!)).Skip(5).Take(5).Select(x => x.Title), titles);
        List<string?> streamed = [];
        await foreach (StreamResult<Picture> row in session.Advanced.StreamAsync(all.VectorSearch(x => x.Plain, v => v.ByEmbedding(_query))))
        {
            streamed.Add(row.Id);
        }

        Assert.Equal(Nearest(_ => true), streamed);
        using IDocumentSession sync = _fixture.Store.OpenSession();
        IDocumentQuery<Picture> either = sync.Advanced.DocumentQuery<Picture>()
            .VectorSearch(x => x.Plain, v => v.ByEmbedding(_query), 0.25f).OrElse().WhereEquals(x => x.Year, 1903);
        Assert.Equal(_pictures.Where(x => Cosine(x.Plain!) >= 0.25 || x.Year == 1903).Select(x => x.Id).Order(), either.ToList().Select(x => x.Id).Order());
    }

    [Fact]
    public async Task Index_WithVectors_IsQueriedByItsClass()
    {
        await _fixture.Store.ExecuteIndexAsync(new Pictures_ByVectors());
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        async Task IsAsync(string field, Func<VectorValueFactory, VectorValue> value, Func<Picture, double?> score, double off = Rounding)
        {
            Compare(field, session, await session.Query<Picture, Pictures_ByVectors>().Customize(query => query.WaitForNonStaleResults())
                .VectorSearch(field, value).Take(10).ToListAsync(), score, off);
        }

        await IsAsync("Vector", v => v.ByEmbedding(_query), x => x.Vector is null ? null : Cosine(x.Vector));
        await IsAsync("Text", v => v.ByEmbedding(_query), x => Cosine(x.Plain!), 0.03);
        await IsAsync("Many", v => v.ByEmbedding(_query), x => x.Many.Count == 0 ? null : x.Many.Max(one => Cosine(one)));
        await IsAsync("Bits", v => v.ByEmbedding(Bits(_query)), x => OfBits(x.Bits!, Bits(_query)));
    }

    [Fact]
    public async Task Score_OfADocumentThatTheSessionHas_IsThatOfTheLastQuery()
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        IDocumentQueryable<Picture> all = session.Query<Picture>().Customize(query => query.WaitForNonStaleResults());
        await session.LoadAsync<Picture>(_pictures.Select(one => one.Id!));
        Picture changed = (await session.LoadAsync<Picture>(_pictures[0].Id!))!;
        session.Advanced.GetMetadataFor(changed)["Mood"] = "blue";
        foreach (float[] query in (float[][])[_query, _pictures[3].Plain!, _query])
        {
            List<Picture> found = await all.VectorSearch(x => x.Plain, v => v.ByEmbedding(query)).ToListAsync();
            Assert.Equal(80, found.Count);
            Assert.All(found, one => Assert.Equal(
                Cosine(_pictures.Single(other => other.Id == one.Id).Plain!, query),
                Convert.ToDouble(session.Advanced.GetMetadataFor(one)["@index-score"]), Rounding));
        }

        List<Picture> lazily = all.VectorSearch(x => x.Plain, v => v.ByEmbedding(_pictures[5].Plain!)).Take(1).Lazily().Value;
        Assert.Equal(1, Convert.ToDouble(session.Advanced.GetMetadataFor(lazily[0])["@index-score"]), Rounding);
        Assert.Equal("blue", session.Advanced.GetMetadataFor(changed)["Mood"]);
        Assert.Equal([changed.Id!], session.Advanced.WhatChanged().Keys);
        await session.Query<Picture>().ToListAsync();
        Assert.False(session.Advanced.GetMetadataFor(lazily[0]).ContainsKey("@index-score"));
        int requests = session.Advanced.NumberOfRequests;
        await session.SaveChangesAsync();
        Assert.Equal(requests + 1, session.Advanced.NumberOfRequests);
        await session.Advanced.RefreshAsync(changed);
        Assert.Equal("blue", session.Advanced.GetMetadataFor(changed)["Mood"]);
        Assert.False(session.Advanced.GetMetadataFor(changed).ContainsKey("@index-score"));
    }

    private async Task FindsAsync(
        Func<VectorFieldFactory<Picture>, VectorField> field, Func<VectorValueFactory, VectorValue> value, Func<Picture, double?> score)
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        IDocumentQueryable<Picture> query = session.Query<Picture>().Customize(query => query.WaitForNonStaleResults()).VectorSearch(field, value);
        Compare(query.ToRql().Query, session, await query.Take(10).ToListAsync(), score, Rounding);
    }

    // Rows with equal scores may stand in any order.
    private void Compare(string search, IAsyncDocumentSession session, List<Picture> found, Func<Picture, double?> score, double off)
    {
        double[] best = [.. _pictures.Select(score).OfType<double>().OrderDescending().Take(10)];
        double[] scores = [.. found.Select(x => Convert.ToDouble(session.Advanced.GetMetadataFor(x)["@index-score"]))];
        Assert.Equal(best.Length, found.Count);
        for (int i = 0; i < best.Length; i++)
        {
            double? own = score(_pictures.Single(x => x.Id == found[i].Id));
            Assert.True(
                Math.Abs(best[i] - scores[i]) <= off && Math.Abs((own ?? 9) - scores[i]) <= off,
                $"{search}: row {i}, {found[i].Id}, has the score {scores[i]} and the cosine {own}; the best is {best[i]}");
        }
    }

    private double? Cosine(float[] vector) => Cosine(vector, _query);

    private static double Cosine(float[] left, float[] right)
    {
        double Product(float[] one, float[] other) => one.Zip(other, (a, b) => (double)a * b).Sum();
        return Product(left, right) / Math.Sqrt(Product(left, left) * Product(right, right));
    }

    private static double OfBits(byte[] left, byte[] right) =>
        1 - (2.0 * left.Zip(right, (a, b) => BitOperations.PopCount((uint)(a ^ b))).Sum() / (8 * left.Length));

    private static float[] Numbers(Random random) => [.. Enumerable.Range(0, Dimensions).Select(_ => (float)((2 * random.NextDouble()) - 1))];

    private static byte[] Bits(float[] numbers)
    {
        byte[] bits = new byte[numbers.Length / 8];
        for (int i = 0; i < numbers.Length; i++)
        {
            bits[i / 8] |= (byte)(numbers[i] >= 0 ? 1 << (i % 8) : 0);
        }

        return bits;
    }

    private static string Base64(float[] numbers) => Convert.ToBase64String(System.Runtime.InteropServices.MemoryMarshal.AsBytes<float>(numbers));

    private static Picture Make(int i, Random random)
    {
        float[] numbers = Numbers(random);
        return new Picture
        {
            Id = $"pictures/{i:d3}",
            Title = $"Picture {i}",
            Year = 1900 + (i % 10),
            Plain = numbers,
            Vector = i % 4 == 0 ? null : numbers,
            Small = numbers.Select(one => (sbyte)(one * 100)).ToArray(),
            Bits = Bits(numbers),
            Wide = numbers.Select(one => (double)one).ToArray(),
            Many = [.. Enumerable.Range(0, i % 3).Select(_ => new EmbeddingVector<float>(Numbers(random)))],
            Text = Base64(numbers),
            Parts = [new() { Vector = Numbers(random) }, new() { Vector = Numbers(random) }],
        };
    }

    [SkipIndexCreation]
    private sealed class Pictures_ByVectors : AbstractIndexCreationTask<Picture>
    {
        public Pictures_ByVectors()
        {
            Map = pictures => from x in pictures
                              select new
                              {
                                  x.Year,
                                  Vector = CreateVector(x.Vector),
                                  Many = CreateVector(x.Many),
                                  Text = CreateVector(x.Text),
                                  Bits = CreateVector(x.Bits),
                              };
            Vector("Vector", v => v.Dimensions(Dimensions));
            Vector("Many", v => v.NumberOfEdges(8).NumberOfCandidates(50));
            Vector("Text", v => v.DestinationEmbedding(EmbeddingType.Int8));
            Vector("Bits", v => v.SourceEmbedding(EmbeddingType.Binary).DestinationEmbedding(EmbeddingType.Binary));
        }
    }
}
