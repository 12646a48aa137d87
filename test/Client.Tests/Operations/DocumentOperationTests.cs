using System.Text;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Operations;

/// <summary>Patches, counters and attachments without a session.</summary>
public sealed class DocumentOperationTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;

    private DocumentStore Store => _fixture.Store;

    public async Task InitializeAsync()
    {
        _fixture = await StoreFixture.StartAsync();
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        await session.StoreAsync(new Note { Text = "old" }, "notes/1");
        await session.SaveChangesAsync();
    }

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task Patch_EachOutcome_HasItsStatus()
    {
        PatchRequest set = Script("this.Text = args.text;", ("text", "it's \"new\""));
        PatchResult<Note> patched = await Store.Operations.SendAsync(new PatchOperation<Note>("notes/1", null, set));
        Assert.Equal((PatchStatus.Patched, "it's \"new\"", "notes/1"), (patched.Status, patched.Document!.Text, patched.Document.Id));
        Assert.Equal(PatchStatus.NotModified, Store.Operations.Send(new PatchOperation("notes/1", null, set)).Status);
        PatchResult<Note> missing = await Store.Operations.SendAsync(new PatchOperation<Note>("notes/2", null, set));
        Assert.Equal((PatchStatus.DocumentDoesNotExist, null), (missing.Status, missing.Document));
        PatchRequest make = Script("this.Text = 'made'; this['@metadata'] = { '@collection': 'Notes' };");
        PatchResult created = await Store.Operations.SendAsync(new PatchOperation("notes/2", null, set, make));
        Assert.Equal((PatchStatus.Created, "made", "Notes"),
            (created.Status, created.ModifiedDocument.GetProperty("Text").GetString(), created.Collection));
        var other = new PatchOperation("notes/1", "A:999-x", Script("this.Text = 'x';"), skipPatchIfChangeVectorMismatch: true);
        Assert.Equal(PatchStatus.Skipped, (await Store.Operations.SendAsync(other)).Status);
        await Assert.ThrowsAsync<ConcurrencyException>(
            () => Store.Operations.SendAsync(new PatchOperation("notes/1", "A:999-x", Script("this.Text = 'x';"))));
        await Assert.ThrowsAsync<JavaScriptException>(() => Store.Operations.SendAsync(new PatchOperation("notes/1", null, Script("throw 'x';"))));
        Assert.Throws<ArgumentException>(() => new PatchOperation("", null, set));
    }

    [Fact]
    public async Task Counters_OfABatch_AreOneTransaction()
    {
        IReadOnlyList<CounterDetail?> changed = await Store.Operations.SendAsync(new CounterBatchOperation(
            new DocumentCountersOperation(
                "notes/1",
                new CounterOperation(CounterOperationType.Increment, "Likes", 3),
                new CounterOperation(CounterOperationType.Put, "Views", 7),
                new CounterOperation(CounterOperationType.Get, "None"))));
        Assert.Equal([3L, 7L], changed.OfType<CounterDetail>().Select(counter => counter.TotalValue));
        Assert.Equal([new CounterDetail("notes/1", "likes", 3), null], Store.Operations.Send(new GetCountersOperation("notes/1", "likes", "none")));
        await Assert.ThrowsAsync<DocumentDoesNotExistException>(() => Store.Operations.SendAsync(new CounterBatchOperation(
            new DocumentCountersOperation("notes/1", new CounterOperation(CounterOperationType.Increment, "Likes", 1)),
            new DocumentCountersOperation("notes/9", new CounterOperation(CounterOperationType.Increment, "Likes", 1)))));
        Assert.Equal(["Likes", "Views"], (await Store.Operations.SendAsync(new GetCountersOperation("notes/1"))).Select(counter => counter!.CounterName));
        await Assert.ThrowsAsync<CounterOverflowException>(() => Store.Operations.SendAsync(new CounterBatchOperation(
            new DocumentCountersOperation("notes/1", new CounterOperation(CounterOperationType.Increment, "Likes", long.MaxValue)))));
        Assert.Equal(3, Store.Operations.Send(new GetCountersOperation("notes/1", "Likes"))[0]!.TotalValue);
    }

    [Fact]
    public async Task Attachments_PutGetDelete_KeepTheContent()
    {
        AttachmentDetails put = await Store.Operations.SendAsync(
            new PutAttachmentOperation("notes/1", "a b.txt", new MemoryStream(Encoding.UTF8.GetBytes("hello")), "text/plain"));
        Assert.Equal(("notes/1", "a b.txt", "text/plain", 5L), (put.DocumentId, put.Name, put.ContentType, put.Size));
        using (AttachmentResult got = Store.Operations.Send(new GetAttachmentOperation("notes/1", "A B.txt"))!)
        using (var text = new StreamReader(got.Content))
        {
            Assert.Equal("hello", text.ReadToEnd());
            Assert.Equal((put.Hash, put.ChangeVector, 5L), (got.Hash, got.ChangeVector, got.Size));
        }

        await Assert.ThrowsAsync<ConcurrencyException>(
            () => Store.Operations.SendAsync(new DeleteAttachmentOperation("notes/1", "a b.txt", "A:999-x")));
        await Store.Operations.SendAsync(new DeleteAttachmentOperation("notes/1", "a b.txt", put.ChangeVector));
        Assert.Null(await Store.Operations.SendAsync(new GetAttachmentOperation("notes/1", "a b.txt")));
        await Assert.ThrowsAsync<DocumentDoesNotExistException>(
            () => Store.Operations.SendAsync(new PutAttachmentOperation("notes/9", "a", new MemoryStream([1]))));
    }

    private static PatchRequest Script(string script, params (string Name, object? Value)[] values) =>
        new() { Script = script, Values = values.ToDictionary(value => value.Name, value => value.Value) };

    private sealed class Note
    {
        public string? Id { get; set; }

        public string Text { get; set; } = "";
    }
}
