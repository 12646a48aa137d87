using Jackdaw.Security.Keys;

namespace Jackdaw.Security.Tests.Keys;

public sealed class ProtectedFilesTests : IDisposable
{
    private readonly TemporarySecurityFolder _temporary = new();

    private string Folder => _temporary.Folder.Path;

    public void Dispose() => _temporary.Dispose();

    [Fact]
    public void WriteAll_NewAndExisting_ReplacesAndLeavesNothingElse()
    {
        string path = Path.Combine(Folder, "file");
        ProtectedFiles.WriteAll(path, [1, 2, 3]);
        ProtectedFiles.WriteAll(path, [4]);
        Assert.Equal([4], ProtectedFiles.ReadAll(path));
        Assert.Equal([path], Directory.GetFileSystemEntries(Folder));
        Assert.Equal(ProtectedFiles.FileMode, File.GetUnixFileMode(path));
        Assert.Equal(ProtectedFiles.FolderMode, File.GetUnixFileMode(Folder));
    }

    [Fact]
    public void WriteAll_PathIsAFolder_FailsAndLeavesNothing()
    {
        string path = Path.Combine(Folder, "file");
        Directory.CreateDirectory(Path.Combine(path, "inner"));
        Assert.ThrowsAny<IOException>(() => ProtectedFiles.WriteAll(path, [1]));
        Assert.Equal([path], Directory.GetFileSystemEntries(Folder));
    }

    [Fact]
    public void ReadAll_MissingFile_IsNull() => Assert.Null(ProtectedFiles.ReadAll(Path.Combine(Folder, "none")));

    [Fact]
    public void ReadAll_FileThatIsTooLarge_NamesItsSize()
    {
        string path = Path.Combine(Folder, "large");
        using (FileStream file = File.Create(path))
        {
            file.SetLength((64L << 20) + 1);
        }

        Assert.Contains("67108865 bytes", Assert.Throws<KeyFileException>(() => ProtectedFiles.ReadAll(path)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void CheckModes_OnlyTheUser_IsFine()
    {
        ProtectedFiles.WriteAll(Path.Combine(Folder, "file"), [1]);
        ProtectedFiles.CheckModes(Folder);
    }

    [Theory]
    [InlineData(UnixFileMode.GroupRead)]
    [InlineData(UnixFileMode.GroupWrite)]
    [InlineData(UnixFileMode.GroupExecute)]
    [InlineData(UnixFileMode.OtherRead)]
    [InlineData(UnixFileMode.OtherWrite)]
    [InlineData(UnixFileMode.OtherExecute)]
    public void CheckModes_FileThatOthersMayOpen_NamesTheLineWithChmod(UnixFileMode wider)
    {
        string path = Path.Combine(Folder, "it's a file");
        ProtectedFiles.WriteAll(path, [1]);
        File.SetUnixFileMode(path, ProtectedFiles.FileMode | wider);
        string message = Assert.Throws<KeyFileException>(() => ProtectedFiles.CheckModes(Folder)).Message;
        Assert.EndsWith($"run: chmod 600 '{Folder}/it'\\''s a file'", message, StringComparison.Ordinal);
    }

    [Fact]
    public void CheckModes_FolderThatOthersMayOpen_NamesTheLineWithChmod()
    {
        File.SetUnixFileMode(Folder, ProtectedFiles.FolderMode | UnixFileMode.OtherExecute);
        string inner = Path.Combine(Folder, "audit");
        Directory.CreateDirectory(inner, ProtectedFiles.FolderMode | UnixFileMode.GroupRead);
        string message = Assert.Throws<KeyFileException>(() => ProtectedFiles.CheckModes(Folder)).Message;
        Assert.EndsWith($"run: chmod 700 '{Folder}' '{inner}'", message, StringComparison.Ordinal);
    }

    [Fact]
    public void CheckModes_ManyFiles_GivesOneShortLine()
    {
        for (int i = 0; i < 9; i++)
        {
            File.WriteAllText(Path.Combine(Folder, $"file{i}"), "");
            File.SetUnixFileMode(Path.Combine(Folder, $"file{i}"), ProtectedFiles.FileMode | UnixFileMode.OtherRead);
        }

        string message = Assert.Throws<KeyFileException>(() => ProtectedFiles.CheckModes(Folder)).Message;
        Assert.EndsWith($"run: chmod -R u=rwX,go= '{Folder}'", message, StringComparison.Ordinal);
    }
}
