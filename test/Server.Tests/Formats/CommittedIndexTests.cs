using System.IO.Compression;
using Jackdaw.Documents.Rows;
using Jackdaw.Server.Tests.Verbs;
using Jackdaw.Server.Verbs;

namespace Jackdaw.Server.Tests.Formats;

/// <summary>A data folder with indexes that a program of an older format version wrote: they answer at once, and are built again beside.</summary>
/// <remarks>As <see cref="CommittedDatabaseTests"/>: when the format version is raised, the folder of the new one is made by
/// <see cref="Archive_OfTheVersionThatIsWritten_IsThere"/> with JACKDAW_FORMAT_ARCHIVE=1. Those of older versions are never made again.</remarks>
public sealed class CommittedIndexTests : IDisposable
{
    /// <summary>Bytes: half of it are the compiled definitions.</summary>
    private const int ArchiveBytesMax = 48 * 1024;

    private readonly string _data = Directory.CreateTempSubdirectory("jackdaw-archive").FullName;

    public void Dispose() => Directory.Delete(_data, recursive: true);

    [Fact]
    public async Task Archive_OfTheVersionThatIsWritten_IsThere()
    {
        string archive = ArchiveOf(DatabaseTree.Format);
        if (Environment.GetEnvironmentVariable("JACKDAW_FORMAT_ARCHIVE") == "1" && !File.Exists(archive))
        {
            await new IndexContents(_data).WriteAsync();
            Assert.Equal(FolderCompaction.ExitCodeDone, BranchFoldersTests.Compact(_data).Code);
            Array.ForEach(Directory.GetFiles(_data, "lock", SearchOption.AllDirectories), File.Delete); // they name this process
            ZipFile.CreateFromDirectory(_data, archive, CompressionLevel.SmallestSize, includeBaseDirectory: false);
        }

        Assert.True(File.Exists(archive), $"'{archive}' is missing: set JACKDAW_FORMAT_ARCHIVE=1, run this test, and commit the file.");
        Assert.InRange(new FileInfo(archive).Length, 1, ArchiveBytesMax);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Open_IndexesOfAFormat_AnswerAtOnceAndGoOn(int format)
    {
        ZipFile.ExtractToDirectory(ArchiveOf(format), _data);
        Assert.Equal(FolderVerification.ExitCodeSound, BranchFoldersTests.Verify(_data).Code);
        await new IndexContents(_data).CheckAsync();
        Assert.Equal(FolderVerification.ExitCodeSound, BranchFoldersTests.Verify(_data).Code);
    }

    private static string ArchiveOf(int format) => CommittedDatabaseTests.ArchiveOf($"format-{format}-indexes");
}
