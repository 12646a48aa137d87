using System.Text.Json;
using System.Text.Json.Nodes;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
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
    public async Task Session_ThatIsDisposed_DoesNothingMore()
    {
        IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        var tally = new Tally();
        await session.StoreAsync(tally, "tallies/1");
        session.Dispose();
        Func<Task>[] calls =
        [
            () => session.LoadAsync<Tally>("tallies/1"), () => session.SaveChangesAsync(), () => session.StoreAsync(new Tally()),
            () => session.Query<JsonObject>().ToListAsync(), () => session.Advanced.RefreshAsync(tally), () => session.Advanced.ExistsAsync("a"),
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
        refused = Assert.Throws<ArgumentException>(() => session.Advanced.Attachments.Store("a/1", "photo", written));
        Assert.Contains("'photo'", refused.Message, StringComparison.Ordinal);
    }

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
}
