using System.Text.Json;
using System.Text.Json.Nodes;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>What a session has changed without its objects, it sees in its objects; and one document is one object.</summary>
public sealed class OwnChangesTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;

    public async Task InitializeAsync() => _fixture = await StoreFixture.StartAsync();

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task Patch_OfALoadedDocument_IsSeenAndNotUndone(bool isOptimistic, bool isBlocking)
    {
        await StoreAsync(new Tally { N = 1, Name = "a" }, "tallies/1");
        await StoreAsync(new Score("a", 1), "scores/1");
        await StoreAsync(new JsonObject { ["N"] = 1 }, "free/1");
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        using IDocumentSession blocking = _fixture.Store.OpenSession();
        session.Advanced.UseOptimisticConcurrency = blocking.Advanced.UseOptimisticConcurrency = isOptimistic;
        async Task<T> Load<T>(string id) => (isBlocking ? blocking.Load<T>(id) : await session.LoadAsync<T>(id))!;
        Task Save() => isBlocking ? Task.Run(blocking.SaveChanges) : session.SaveChangesAsync();
        SessionPatches patches = isBlocking ? blocking.Advanced.Patches : session.Advanced.Patches;

        Tally tally = await Load<Tally>("tallies/1");
        Score score = await Load<Score>("scores/1");
        JsonObject free = await Load<JsonObject>("free/1");
        tally.Name = "with the patch";
        patches.Increment<Tally, int>("tallies/1", x => x.N, 10);
        patches.Increment<Score, int>("SCORES/1", x => x.Points, 5);
        patches.Script("free/1", "this.N += args.value; this.M = 1;", 2);
        await Save();
        Assert.Equal((11, "with the patch", 6, 3), (tally.N, tally.Name, score.Points, (int)free["N"]!));
        tally.Name = "renamed";
        free["N"] = 4;
        await Save();
        await Save();
        Assert.Equal("""{"N":11,"Name":"renamed"}""", await TextAsync("tallies/1"));
        Assert.Equal("""{"N":4,"M":1}""", await TextAsync("free/1"));
    }

    [Fact]
    public async Task AttachmentsAndPatches_OfWhatTheSessionKnows_KeepItsVersionTrue()
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        session.Advanced.UseOptimisticConcurrency = true;
        Assert.Null(await session.LoadAsync<Tally>("tallies/9"));
        session.Advanced.Patches.AddOrIncrement("tallies/9", new Tally { N = 3 }, x => x.N, 1);
        await session.SaveChangesAsync();
        Tally tally = (await session.LoadAsync<Tally>("tallies/9"))!;
        using var content = new MemoryStream([1, 2]);
        session.Advanced.Attachments.Store("tallies/9", "a", content);
        session.CountersFor("tallies/9").Increment("seen", 1);
        await session.SaveChangesAsync();
        tally.N = 7;
        await session.SaveChangesAsync();
        Assert.Equal("""{"N":7,"Name":""}""", await TextAsync("tallies/9"));
    }

    [Fact]
    public async Task Document_AskedForAsASecondType_IsRefusedWithBothNames()
    {
        await StoreAsync(new Tally(), "tallies/1");
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        await session.LoadAsync<Tally>("tallies/1");
        InvalidOperationException refused = await Assert.ThrowsAsync<InvalidOperationException>(() => session.LoadAsync<Score>("tallies/1"));
        Assert.Contains(nameof(Tally), refused.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(Score), refused.Message, StringComparison.Ordinal);
        Assert.Equal(0, (await session.LoadAsync<JsonElement>("tallies/1")).GetProperty("N").GetInt32());
        Assert.Same(await session.LoadAsync<object>("tallies/1"), await session.LoadAsync<Tally>("tallies/1"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Record_StoredAgainWithChanges_ReplacesTheLoadedOne(bool isOptimistic)
    {
        await StoreAsync(new Score("a", 1), "scores/1");
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        session.Advanced.UseOptimisticConcurrency = isOptimistic;
        Score score = (await session.LoadAsync<Score>("scores/1"))!;
        string? version = session.Advanced.GetChangeVectorFor(score);
        Score next = score with { Points = 2 };
        await session.StoreAsync(next, "scores/1");
        Assert.Equal(version, session.Advanced.GetChangeVectorFor(next));
        Assert.Same(next, await session.LoadAsync<Score>("scores/1"));
        await session.SaveChangesAsync();
        await session.StoreAsync(next with { Points = 3 }, "scores/1");
        if (isOptimistic)
        {
            await StoreAsync(new Score("other", 9), "scores/1");
            await Assert.ThrowsAsync<ConcurrencyException>(() => session.SaveChangesAsync());
            return;
        }

        await session.SaveChangesAsync();
        Assert.Equal("""{"Name":"a","Points":3}""", await TextAsync("scores/1"));
        await session.LoadAsync<Tally>("tallies/1");
        await session.StoreAsync(new Tally(), "tallies/1");
        await Assert.ThrowsAsync<NonUniqueObjectException>(() => session.StoreAsync(new Tally(), "tallies/1"));
        await Assert.ThrowsAsync<NonUniqueObjectException>(() => session.StoreAsync(new Tally(), "scores/1"));
    }

    [Fact]
    public async Task Version_IsFilledAndDemanded()
    {
        var page = new Page { Text = "a" };
        using (IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession())
        {
            await session.StoreAsync(page);
            await session.SaveChangesAsync();
        }

        Assert.NotNull(page.Version);
        Assert.Equal("""{"Text":"a"}""", await TextAsync(page.Id!));
        using (IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession())
        {
            Page mine = (await session.LoadAsync<Page>(page.Id))!;
            Assert.Equal(page.Version, mine.Version);
            mine.Text = "b";
            await session.SaveChangesAsync();
            Assert.NotEqual(page.Version, mine.Version);
        }

        page.Text = "from an old form";
        using IAsyncDocumentSession late = _fixture.Store.OpenAsyncSession();
        await late.StoreAsync(page);
        await Assert.ThrowsAsync<ConcurrencyException>(() => late.SaveChangesAsync());
        using IAsyncDocumentSession again = _fixture.Store.OpenAsyncSession();
        await again.StoreAsync(new Page { Id = page.Id, Text = "new" });
        await Assert.ThrowsAsync<ConcurrencyException>(() => again.SaveChangesAsync());
    }

    [Fact]
    public async Task Ids_OfOtherTypes_MakeAndFindDocuments()
    {
        var order = new GuidOrder();
        var first = new NumberOrder { Text = "a" };
        var second = new TypedOrder { Before = new OrderId(Guid.NewGuid()) };
        using (IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession())
        {
            await session.StoreAsync(order);
            await session.StoreAsync(first);
            await session.StoreAsync(second);
            await session.SaveChangesAsync();
            Assert.Equal(order.Id.ToString(), session.Advanced.GetDocumentId(order));
            Assert.Equal($"numberOrders/{first.Id}", session.Advanced.GetDocumentId(first), ignoreCase: true);
        }

        using (IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession())
        {
            Assert.Equal(order.Id, (await session.LoadAsync<GuidOrder>(order.Id))!.Id);
            Assert.Equal("a", (await session.LoadAsync<NumberOrder>(first.Id))!.Text);
            Assert.Equal(second.Before, (await session.LoadAsync<TypedOrder>(second.Id))!.Before);
            Assert.Null(await session.LoadAsync<NumberOrder>(77L));
            await Assert.ThrowsAsync<ArgumentException>(() => session.LoadAsync<NumberOrder>(new List<int>()));
            session.Delete<NumberOrder>(first.Id);
            await session.SaveChangesAsync();
        }

        using IDocumentSession blocking = _fixture.Store.OpenSession();
        Assert.Null(blocking.Load<NumberOrder>(first.Id));
        Assert.Equal(second.Id, Assert.Single(Linq(blocking).Where(one => one.Before == second.Before)).Id);
        Assert.Equal(second.Id, Assert.Single(Linq(blocking).Where(one => one.Id == second.Id)).Id);
    }

    [Fact]
    public async Task RegisteredIds_AreWholeIdsOfDocuments()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync(conventions =>
            conventions.RegisterIdConverter<Sku>(sku => $"items/{sku.Maker}-{sku.Number}", text =>
                new Sku(text["items/".Length..].Split('-')[0], int.Parse(text.Split('-')[1], System.Globalization.CultureInfo.InvariantCulture))));
        using IAsyncDocumentSession session = fixture.Store.OpenAsyncSession();
        await session.StoreAsync(new Item { Id = new("acme", 7), Parts = [new("acme", 8)] });
        await session.StoreAsync(new Item { Id = new("acme", 8) });
        await Assert.ThrowsAsync<InvalidOperationException>(() => session.StoreAsync(new Item()));
        await session.SaveChangesAsync();
        session.Advanced.Clear();
        Item item = (await session.Include<Item>(one => one.Parts).LoadAsync<Item>("items/acme-7"))!;
        Item part = (await session.LoadAsync<Item>(item.Parts[0]))!;
        Assert.Equal(new Sku("acme", 8), part.Id);
        Assert.Equal(2, session.Advanced.NumberOfRequests);
    }

    [Fact]
    public async Task Session_ThatIsDisposed_DoesNothingMore()
    {
        IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        var tally = new Tally();
        await session.StoreAsync(tally, "tallies/1");
        session.Dispose();
        Func<Task>[] calls =
        [
            () => session.LoadAsync<Tally>("tallies/1"), () => session.SaveChangesAsync(), () => session.StoreAsync(new Tally()),
            () => Linq(session).ToListAsyncOf(), () => session.Advanced.RefreshAsync(tally), () => session.Advanced.ExistsAsync("a"),
            () => Act(() => session.Delete("a")), () => Act(() => session.Delete(tally)), () => session.Advanced.Attachments.GetAsync("a", "b"),
            () => Act(() => session.Advanced.Patches.Script("a", "this.A = 1", 1)), () => session.CountersFor("a").GetAllAsync(),
            () => session.Advanced.LoadStartingWithAsync<Tally>("t"),
        ];
        foreach (Func<Task> call in calls)
        {
            await Assert.ThrowsAsync<ObjectDisposedException>(call);
        }

        static Task Act(Action action)
        {
            action();
            return Task.CompletedTask;
        }
    }

    [Fact]
    public void Attachment_OfAStreamThatIsNotAtItsBeginning_IsRefused()
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        var written = new MemoryStream();
        written.Write([1, 2, 3]);
        ArgumentException refused = Assert.Throws<ArgumentException>(() => session.Advanced.Attachments.Store("a/1", "photo", written));
        Assert.Contains("'photo' of 'a/1' stands at byte 3 of 3", refused.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => new Client.Operations.PutAttachmentOperation("a/1", "photo", written));
        written.Dispose();
        Assert.Contains("'photo'", Assert.Throws<ArgumentException>(() => session.Advanced.Attachments.Store("a/1", "photo", written)).Message, StringComparison.Ordinal);
    }

    private static Client.Linq.IDocumentQueryable<TypedOrder> Linq(IDocumentSession session) =>
        Client.Linq.DocumentQueryable.Customize(session.Query<TypedOrder>(), query => query.WaitForNonStaleResults());

    private static IAsyncDocumentSession Linq(IAsyncDocumentSession session) => session;

    private async Task StoreAsync(object entity, string id)
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        await session.StoreAsync(entity, id);
        await session.SaveChangesAsync();
    }

    private async Task<string> TextAsync(string id)
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        JsonObject document = JsonNode.Parse((await session.LoadAsync<JsonElement>(id)).GetRawText())!.AsObject();
        document.Remove("@metadata");
        return document.ToJsonString();
    }

    private sealed class Tally
    {
        public int N { get; set; }

        public string Name { get; set; } = "";
    }

    private sealed record Score(string Name, int Points);

    private sealed class Page
    {
        public string? Id { get; set; }

        [DocumentVersion]
        public string? Version { get; set; }

        public string Text { get; set; } = "";
    }

    private sealed class GuidOrder
    {
        public Guid Id { get; private set; }
    }

    private sealed class NumberOrder
    {
        public int Id { get; private set; }

        public string Text { get; set; } = "";
    }

    private readonly record struct OrderId(Guid Value);

    private sealed class TypedOrder
    {
        public OrderId Id { get; private set; }

        public OrderId Before { get; init; }
    }

    private sealed record Sku(string Maker, int Number);

    private sealed class Item
    {
        public Sku? Id { get; set; }

        public List<Sku> Parts { get; set; } = [];
    }
}

file static class QueriesOfSessions
{
    public static Task ToListAsyncOf(this IAsyncDocumentSession session) => Client.Linq.DocumentQueryable.ToListAsync(session.Query<JsonObject>());
}
