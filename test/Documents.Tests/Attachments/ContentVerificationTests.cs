using System.Security.Cryptography;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal.InMemory;

namespace Jackdaw.Documents.Tests.Attachments;

/// <summary>What <c>jackdaw verify</c> finds in the contents of attachments.</summary>
public sealed class ContentVerificationTests : IAsyncLifetime
{
    private static readonly byte[] s_bytes = [1, 2, 3];

    private DocumentDatabase _database = null!;

    public async Task InitializeAsync()
    {
        _database = AttachmentBed.Open(new MemoryPlatform());
        await AttachmentBed.WriteAsync(_database, TestCommands.Put("a", TestCommands.Json("A", 1)), AttachmentBed.Put("a", "n", s_bytes));
    }

    public async Task DisposeAsync() => await _database.DisposeAsync();

    [Fact]
    public void Examine_OfWholeContents_FindsNothing()
    {
        ContentReport report = Examine();
        Assert.Empty(report.Problems);
        Assert.Equal((1, 0, 0), (report.Contents, report.Loose, report.LooseBytes));
    }

    [Fact]
    public async Task Examine_OfAReferenceThatNothingHas_SaysSo()
    {
        await ChangeAsync(contents => contents.TryAddReference(SHA256.HashData(s_bytes)));
        Assert.Contains("has 2 references, and 1 attachments", Assert.Single(Examine().Problems), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Examine_OfAContentThatIsGone_SaysSo()
    {
        await ChangeAsync(contents => contents.RemoveReference(SHA256.HashData(s_bytes)));
        Assert.Contains("is not stored", Assert.Single(Examine().Problems), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Examine_OfOtherBytes_SaysSo()
    {
        byte[] hash = SHA256.HashData("other"u8);
        PutAttachmentCommand put = AttachmentBed.Put("a", "m", s_bytes);
        put.Content = new ReceivedContent(hash, s_bytes.Length, 0, s_bytes);
        Assert.Equal(WriteStatus.Applied, (await AttachmentBed.WriteAsync(_database, put)).Status);
        Assert.Contains("its chunks are different", Assert.Single(Examine().Problems), StringComparison.Ordinal);
    }

    private Task ChangeAsync(Action<AttachmentContents> change) => AttachmentBed.WriteAsync(_database, new ReferenceCommand(change));

    private ContentReport Examine()
    {
        using DocumentReadScope read = _database.BeginRead();
        return ContentVerification.Examine(read.Transaction);
    }
}
