using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal.Native;
using Jackdaw.Server.Tests.Notices;
using Jackdaw.Server.Tests.Verbs;
using Jackdaw.Server.Verbs;

namespace Jackdaw.Server.Tests.Additions;

/// <summary>The verbs that work on folders know what an extension stores, because its descriptor says so.</summary>
public sealed class OwnExtensionFolderTests : IDisposable
{
    private readonly string _folder = Path.Combine(Path.GetTempPath(), $"jackdaw-labels-{Guid.NewGuid():N}");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Verify_OfAFolderWithLabels_FindsItSound()
    {
        await FillAsync();
        (int code, string[] lines) = Verify(OwnExtensionTests.Extensions);
        Assert.True(code == FolderVerification.ExitCodeSound, string.Join('\n', lines));
    }

    [Fact]
    public async Task Verify_OfALabelWithoutADocument_ReportsWhatTheExtensionFound()
    {
        await FillAsync(server => server.Database.WriteAsync(new WriteBatch { Commands = new DocumentCommand[] { new LoseLabelCommand() } }, default));
        (int code, string[] lines) = Verify(OwnExtensionTests.Extensions);
        Assert.Equal(FolderVerification.ExitCodeDamaged, code);
        Assert.Contains(lines, line => line.EndsWith("a label belongs to 'users/none', and there is no such document", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Compact_OfAFolderWithLabels_KeepsThem()
    {
        await FillAsync();
        (int code, string[] lines) = BranchFoldersTests.Print(console => FolderCompaction.Run(_folder, console, OwnExtensionTests.Extensions));
        Assert.True(code == FolderCompaction.ExitCodeDone, string.Join('\n', lines));
        Assert.Equal(FolderVerification.ExitCodeSound, Verify(OwnExtensionTests.Extensions).Code);
        Assert.Contains("\"LabelIncludes\":{\"users/1\":{\"color\":\"red\"}}", await LoadAsync(OwnExtensionTests.Extensions), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Open_WithoutTheExtension_ShowsNothingOfItAndKeepsIt()
    {
        await FillAsync();
        Assert.DoesNotContain("abel", await LoadAsync(StandardExtensions.All), StringComparison.Ordinal);
        Assert.Contains("\"@labels\":[\"color\"]", await LoadAsync(OwnExtensionTests.Extensions), StringComparison.Ordinal);
    }

    private (int Code, string[] Lines) Verify(DocumentExtensions extensions) =>
        BranchFoldersTests.Print(console => FolderVerification.Run(_folder, console, extensions));

    private Task<ServerFixture> StartAsync(DocumentExtensions extensions) =>
        ServerFixture.StartAsync(new ServerSetup { Extensions = extensions, Platform = new NativePlatform(), DataDir = _folder });

    private async Task FillAsync(Func<ServerFixture, ValueTask<WriteOutcome>>? more = null)
    {
        await using ServerFixture server = await StartAsync(OwnExtensionTests.Extensions);
        await server.PutEmptyAsync("users/1");
        await server.WriteAsync([new { Type = "Label", Id = "users/1", Name = "color", Text = "red" }]);
        if (more is not null)
        {
            Assert.Equal(WriteStatus.Applied, (await more(server)).Status);
        }
    }

    private async Task<string> LoadAsync(DocumentExtensions extensions)
    {
        await using ServerFixture server = await StartAsync(extensions);
        return (await server.DbAsync("GET", "/docs?id=users/1&label=color")).Text;
    }

    /// <summary>Stores a label of a document that does not exist.</summary>
    private sealed class LoseLabelCommand : DocumentCommand
    {
        internal override WriteStatus Apply(DocumentTransaction documents)
        {
            byte[] key = LabelTable.KeyOf("users/none"u8, "color")!;
            LabelWrites.Of(documents).Table.Insert(LabelTable.BuildRow(key, "color", "red", new Etag(1)));
            return WriteStatus.Applied;
        }
    }
}
