using Jackdaw.DocumentKit;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal.InMemory;
using Jackdaw.TestKit;

namespace Jackdaw.Documents.Tests.Attachments;

/// <summary>Who keeps contents from being collected, and until when; references that others than attachments hold.</summary>
public sealed class ContentHoldTests
{
    private static readonly byte[] s_large = Enumerable.Range(0, (2 * AttachmentLimits.ChunkBytes) + 7).Select(i => (byte)(i * 31 >> 3)).ToArray();

    [Fact]
    public async Task Collector_WhileAContentArrives_LeavesItAlone()
    {
        await using DocumentDatabase database = await OpenAsync();
        await using ContentReceiver receiver = AttachmentBed.NewReceiver(database);
        await receiver.AppendAsync(s_large, CancellationToken.None);
        await AttachmentBed.CollectAsync(database);
        PutAttachmentCommand put = AttachmentBed.About<PutAttachmentCommand>("docs/1", "a");
        put.Content = await receiver.FinishAsync(0, CancellationToken.None);
        await AttachmentBed.CollectAsync(database);
        Assert.Equal(WriteStatus.Applied, (await AttachmentBed.WriteAsync(database, put)).Status);
        await AttachmentBed.CollectAsync(database);

        Assert.Equal(s_large, AttachmentBed.Read(database, "docs/1", "a"));
        AttachmentBed.Check(database, "adopted");
    }

    [Fact]
    public async Task Collector_AfterAContentWasGivenUp_RemovesIt()
    {
        await using DocumentDatabase database = await OpenAsync();
        await using (ContentReceiver receiver = AttachmentBed.NewReceiver(database))
        {
            await receiver.AppendAsync(s_large, CancellationToken.None);
            await receiver.FinishAsync(0, CancellationToken.None);
            Assert.Equal(1, database.ContentHolds.Count);
            AttachmentBed.Check(database, "given up", looseExpected: 1);
        }

        // The giving up wakes it; no time has to pass.
        await Eventually.IsTrueAsync(() => Loose(database) == 0);
        AttachmentBed.Check(database, "collected");
        Assert.Equal(0, database.ContentHolds.Count);
    }

    [Fact]
    public async Task Put_OfAContentThatWasCollected_IsRefused()
    {
        await using DocumentDatabase database = await OpenAsync();
        PutAttachmentCommand put = AttachmentBed.About<PutAttachmentCommand>("docs/1", "a");
        await using (ContentReceiver receiver = AttachmentBed.NewReceiver(database))
        {
            await receiver.AppendAsync(s_large, CancellationToken.None);
            put.Content = await receiver.FinishAsync(0, CancellationToken.None);
        }

        await AttachmentBed.CollectAsync(database);
        Assert.Equal(WriteStatus.Conflict, (await AttachmentBed.WriteAsync(database, put)).Status);
        Assert.Equal(AttachmentFault.ContentGone, put.Fault);
        Assert.Null(AttachmentBed.Read(database, "docs/1", "a"));
        AttachmentBed.Check(database, "refused");
    }

    [Fact]
    public async Task Collector_WhileADeletedContentIsRead_LeavesItAlone()
    {
        await using DocumentDatabase database = await OpenAsync();
        await AttachmentBed.UploadAsync(database, "docs/1", "a", s_large);
        using (ContentReader reader = ContentReader.Open(() => database.BeginRead(), database.ContentHolds, AttachmentBed.KeyOf("docs/1", "a"))!)
        {
            await AttachmentBed.WriteAsync(database, TestCommands.Delete("docs/1"));
            await AttachmentBed.CollectAsync(database);
            Assert.Equal(s_large, AttachmentBed.Read(reader));
            AttachmentBed.Check(database, "still read", looseExpected: 1);
        }

        await AttachmentBed.CollectAsync(database);
        AttachmentBed.Check(database, "collected");
    }

    [Fact]
    public async Task Collector_ManyChunks_GoesInBoundedCommands()
    {
        await using DocumentDatabase database = await OpenAsync();
        byte[] bytes = new byte[(CollectContentsCommand.ChunksMax + 3) * AttachmentLimits.ChunkBytes];
        await AttachmentBed.UploadAsync(database, "docs/1", "a", bytes);

        // Held from the collector, which the upload has woken: it may come at any moment.
        const long number = 1;
        database.ContentHolds.Hold(number);
        await AttachmentBed.WriteAsync(database, AttachmentBed.About<DeleteAttachmentCommand>("docs/1", "a"));
        var collect = new CollectContentsCommand([number]);
        await AttachmentBed.WriteAsync(database, collect);
        Assert.False(collect.IsComplete);
        AttachmentBed.Check(database, "half", looseExpected: 1);
        await AttachmentBed.WriteAsync(database, collect);
        Assert.True(collect.IsComplete);
        database.ContentHolds.Release(number);
        Assert.False(await database.CollectAsync(CancellationToken.None));
        AttachmentBed.Check(database, "all");
    }

    [Fact]
    public async Task Opening_AfterAnAbandonedUpload_CollectsIt()
    {
        var platform = new MemoryPlatform();
        string id = DocumentDatabase.MakeDatabaseId();
        ContentReceiver receiver;
        await using (DocumentDatabase database = AttachmentBed.Open(platform, id))
        {
            receiver = AttachmentBed.NewReceiver(database);
            await receiver.AppendAsync(s_large, CancellationToken.None);
            await receiver.FinishAsync(0, CancellationToken.None);
            Assert.Equal(1, Loose(database));
        }

        await receiver.DisposeAsync();
        await using DocumentDatabase reopened = AttachmentBed.Open(platform, id);
        await Eventually.IsTrueAsync(() => Loose(reopened) == 0);
        AttachmentBed.Check(reopened, "reopened");
    }

    [Fact]
    public async Task Collector_OfADeletedAttachment_WaitsForItsRound()
    {
        var time = new ManualTime();
        await using DocumentDatabase database = AttachmentBed.Open(new MemoryPlatform(), time: time);
        await AttachmentBed.WriteAsync(database, TestCommands.Put("docs/1", TestCommands.Json("Docs", 1)), AttachmentBed.Put("docs/1", "a", [1, 2, 3]));
        await AttachmentBed.WriteAsync(database, AttachmentBed.About<DeleteAttachmentCommand>("docs/1", "a"));
        Assert.Equal(1, Loose(database));
        await time.AdvanceUntilAsync(ContentCollector.Pause, () => Task.FromResult(Loose(database) == 0), "the collector had no round");
        AttachmentBed.Check(database, "after a round");
    }

    /// <summary>What keeps contents besides attachments: for every reference that it adds it removes one.</summary>
    [Fact]
    public async Task References_OfOthers_KeepTheContent()
    {
        await using DocumentDatabase database = await OpenAsync();
        await AttachmentBed.WriteAsync(database, AttachmentBed.Put("docs/1", "a", [1, 2, 3]));
        byte[] hash = System.Security.Cryptography.SHA256.HashData([1, 2, 3]);
        await AttachmentBed.WriteAsync(database, new ReferenceCommand(contents => Assert.True(contents.TryAddReference(hash))));
        await AttachmentBed.WriteAsync(database, TestCommands.Delete("docs/1"));
        Assert.Equal(0, Loose(database));
        await AttachmentBed.WriteAsync(database, new ReferenceCommand(contents => contents.RemoveReference(hash)));
        Assert.Equal(1, Loose(database));
        await AttachmentBed.WriteAsync(database, new ReferenceCommand(contents => Assert.False(contents.TryAddReference(hash))));
        await AttachmentBed.CollectAsync(database);
        AttachmentBed.Check(database, "all gone");
    }

    [Fact]
    public async Task Attachments_OfTheSameContent_AreStoredOnce()
    {
        await using DocumentDatabase database = await OpenAsync();
        await AttachmentBed.UploadAsync(database, "docs/1", "a", s_large);
        await AttachmentBed.UploadAsync(database, "docs/1", "b", s_large);
        await AttachmentBed.UploadAsync(database, "docs/1", "a", s_large); // replaced by the same
        await AttachmentBed.CollectAsync(database);
        AttachmentBed.Check(database, "stored once");
        using DocumentReadScope read = database.BeginRead();
        Assert.Equal((2, 1), (AttachmentTable.Open(read.Transaction).Count, ContentTable.Open(read.Transaction).Count));
    }

    private static async Task<DocumentDatabase> OpenAsync()
    {
        DocumentDatabase database = AttachmentBed.Open(new MemoryPlatform());
        await AttachmentBed.WriteAsync(database, TestCommands.Put("docs/1", TestCommands.Json("Docs", 1)));
        return database;
    }

    private static long Loose(DocumentDatabase database)
    {
        using DocumentReadScope read = database.BeginRead();
        return Math.Max(0, (read.Transaction.Trees.FindTree(ContentTable.LooseName)?.EntryCount ?? 0) - 1);
    }
}
