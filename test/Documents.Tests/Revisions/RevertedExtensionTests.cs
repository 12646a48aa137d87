using Jackdaw.DocumentKit;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Tests.Attachments;
using Jackdaw.Pal.InMemory;

namespace Jackdaw.Documents.Tests.Revisions;

/// <summary>A document with attachments goes back to a revision.</summary>
public sealed class RevertedExtensionTests
{
    [Fact]
    public async Task Revert_OfADocumentWithAttachments_SaysSoUntilTheNextVersion()
    {
        await using DocumentDatabase database = AttachmentBed.Open(new MemoryPlatform());
        await AttachmentBed.WriteAsync(database, TestCommands.Put("users/1", TestCommands.Json("Users", 1)), AttachmentBed.Put("users/1", "a", [1]));
        var force = new ForceRevisionCommand();
        force.SetId("users/1"u8.ToArray(), TestCommands.Key("users/1"));
        Etag first = Stored(database).Etag;
        await AttachmentBed.WriteAsync(database, force);
        await AttachmentBed.WriteAsync(database, TestCommands.Put("users/1", TestCommands.Json("Users", 2)));

        await AttachmentBed.WriteAsync(database, new RevertCommand(TestCommands.Key("users/1"), first));
        Assert.Equal(DocumentFlags.Reverted | DocumentFlags.HasAttachments | DocumentFlags.HasRevisions, Stored(database).Flags);

        await AttachmentBed.WriteAsync(database, AttachmentBed.About<DeleteAttachmentCommand>("users/1", "a"));
        Assert.Equal(DocumentFlags.HasRevisions, Stored(database).Flags);
    }

    private static (Etag Etag, DocumentFlags Flags) Stored(DocumentDatabase database)
    {
        using DocumentReadScope read = database.BeginRead();
        Assert.True(read.TryGet(TestCommands.Key("users/1"), out StoredDocument document));
        return (document.Etag, document.Flags);
    }
}
