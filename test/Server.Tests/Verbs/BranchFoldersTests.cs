using System.Text;
using Jackdaw.Pal.Native;
using Jackdaw.Server.Verbs;
using Jackdaw.Storage.Headers;
using Spectre.Console;

namespace Jackdaw.Server.Tests.Verbs;

/// <summary><c>verify</c> and <c>compact</c> on a database whose folder <c>Indexes</c> has storages that share its
/// journals.</summary>
public sealed class BranchFoldersTests : IDisposable
{
    private readonly StoredFamily _family = new();

    public void Dispose() => _family.Dispose();

    [Fact]
    public void Verify_KilledFamily_LooksAtEachAndChangesNothing()
    {
        string before = StoredFamily.Fingerprint(_family.DataFolder);
        (int code, string[] lines) = Verify(_family.DataFolder);

        Assert.True(code == FolderVerification.ExitCodeSound, string.Join('\n', lines));
        Assert.Equal(_family.Folders.Count, lines.Length);
        Assert.All(_family.Folders, (folder, i) => Assert.StartsWith($"sound   {folder}: ", lines[i], StringComparison.Ordinal));
        Assert.Equal(before, StoredFamily.Fingerprint(_family.DataFolder));
        _family.RequireContents();
    }

    [Fact]
    public void Verify_DamagedPageOfABranch_NamesTheBranch()
    {
        string damaged = Flip(_family.Branch("b"));
        (int code, string[] lines) = Verify(_family.Root);

        Assert.Equal(FolderVerification.ExitCodeDamaged, code);
        Assert.All(lines.Where(line => line.StartsWith("damaged", StringComparison.Ordinal)),
            line => Assert.StartsWith($"damaged {_family.Branch("b")}", line, StringComparison.Ordinal));
        Assert.Contains(lines, line => line.StartsWith($"damaged {damaged}: page ", StringComparison.Ordinal));
        Assert.Equal(3, lines.Count(line => line.StartsWith("sound", StringComparison.Ordinal)));
    }

    [Fact]
    public void Verify_DamagedHeadersOfTheDatabase_LooksAtTheBranchesAllTheSame()
    {
        DamageHeaders(_family.Root);
        (int code, string[] lines) = Verify(_family.Root);

        Assert.Equal(FolderVerification.ExitCodeDamaged, code);
        Assert.StartsWith($"damaged {_family.Root}: ", lines[0], StringComparison.Ordinal);
        Assert.Equal(3, lines.Count(line => line.StartsWith("sound", StringComparison.Ordinal)));
    }

    [Fact]
    public void Verify_IndexOfAnEngineThatIsNotThere_SaysThatItIsNotVerified()
    {
        _family.Write(1, "index state", "engine", "Vespa");
        (int code, string[] lines) = Verify(_family.Root);

        Assert.Equal(FolderVerification.ExitCodeNotVerified, code);
        string refused = Assert.Single(lines, line => line.StartsWith("not verified", StringComparison.Ordinal));
        Assert.Contains($"Index '{_family.Branch("a")}' was written by the search engine 'Vespa'", refused, StringComparison.Ordinal);
        Assert.Equal(3, lines.Count(line => line.StartsWith("sound", StringComparison.Ordinal)));
    }

    [Fact]
    public void Verify_BranchThatLostItsNameOfAJournal_HasItAgain()
    {
        string journals = Path.Combine(_family.Branch("a"), "Journals");
        string lost = Directory.GetFiles(journals, "*.journal").Order(StringComparer.Ordinal).First();
        File.Delete(lost);
        (int code, string[] lines) = Verify(_family.Root);

        Assert.True(code == FolderVerification.ExitCodeSound, string.Join('\n', lines));
        Assert.Contains(lines, line => line.Contains($"'{lost}' was missing", StringComparison.Ordinal));
        _family.RequireContents();
    }

    [Fact]
    public void VerifyAndCompact_BranchWhoseCreationWasCutOff_IsEmptyAndNoFault()
    {
        Directory.CreateDirectory(Path.Combine(_family.Branch("d"), "Journals"));
        Directory.CreateDirectory(_family.Branch("e"));
        (int verified, string[] found) = Verify(_family.DataFolder);
        (int compacted, string[] done) = Compact(_family.DataFolder);

        Assert.Equal((0, 0), (verified, compacted));
        foreach (string name in new[] { "d", "e" })
        {
            Assert.Contains(found, line => line.StartsWith($"empty   {_family.Branch(name)}: ", StringComparison.Ordinal));
            Assert.Contains(done, line => line.StartsWith($"empty     {_family.Branch(name)}: ", StringComparison.Ordinal));
        }

        _family.RequireContents();
    }

    [Fact]
    public void VerifyAndCompact_OpenDatabase_AreRefusedForItAndForABranchByItself()
    {
        using (_family.Open())
        {
            (int verified, string[] found) = Verify(_family.DataFolder);
            (int compacted, string[] done) = Compact(_family.DataFolder);
            Assert.Equal((FolderVerification.ExitCodeNotVerified, FolderCompaction.ExitCodeNotDone), (verified, compacted));
            Assert.Contains("in use; stop the server first", Assert.Single(found), StringComparison.Ordinal);
            Assert.Equal(4, done.Length);
            Assert.Contains("in use; stop the server first", done[0], StringComparison.Ordinal);
        }

        // The branch is free, and the database is not.
        using (FolderLock.Take(new NativePlatform(), _family.Root))
        {
            (int verified, string[] found) = Verify(_family.Branch("a"));
            (int compacted, string[] done) = Compact(_family.Branch("a"));
            Assert.Equal((FolderVerification.ExitCodeNotVerified, FolderCompaction.ExitCodeNotDone), (verified, compacted));
            Assert.All([.. found, .. done], line => Assert.Contains($"'{_family.Root}', whose journals it shares, is in use", line, StringComparison.Ordinal));
        }

        _family.RequireContents();
    }

    [Fact]
    public void Verify_OneBranch_LooksAtThatAlone()
    {
        (int code, string[] lines) = Verify(_family.Branch("c") + Path.DirectorySeparatorChar);

        Assert.Equal(FolderVerification.ExitCodeSound, code);
        Assert.StartsWith($"sound   {_family.Branch("c")}: ", Assert.Single(lines), StringComparison.Ordinal);
    }

    [Fact]
    public void Compact_KilledFamily_KeepsContentsAndLetsGoOfSharedJournals()
    {
        (int code, string[] lines) = Compact(_family.DataFolder);

        Assert.True(code == FolderCompaction.ExitCodeDone, string.Join('\n', lines));
        string[] compacted = [.. lines.Where(line => line.StartsWith("compacted", StringComparison.Ordinal))];
        Assert.Equal(_family.Folders.Count, compacted.Length);
        Assert.All(_family.Folders, (folder, i) => Assert.StartsWith($"compacted {folder}: ", compacted[i], StringComparison.Ordinal));
        Assert.All(_family.Folders, folder => Assert.Empty(Directory.GetFiles(Path.Combine(folder, "Journals"), "*.journal")));
        Assert.Equal(0, Verify(_family.DataFolder).Code);
        _family.RequireContents();
    }

    [Fact]
    public void Compact_OneBranch_LeavesTheOthersAsTheyAre()
    {
        string before = StoredFamily.Fingerprint(_family.Branch("b"));
        (int code, string[] lines) = Compact(_family.Branch("a"));

        Assert.Equal(FolderCompaction.ExitCodeDone, code);
        Assert.StartsWith($"compacted {_family.Branch("a")}: ", lines[^1], StringComparison.Ordinal);
        Assert.Equal(before, StoredFamily.Fingerprint(_family.Branch("b")));
        _family.RequireContents();
    }

    [Fact]
    public void Compact_DamagedBranch_StaysAsItWasAndTheOthersAreDone()
    {
        DamageHeaders(_family.Branch("b"));
        string before = StoredFamily.Fingerprint(_family.Branch("b"));
        (int code, string[] lines) = Compact(_family.DataFolder);

        Assert.Equal(FolderCompaction.ExitCodeDamaged, code);
        Assert.Contains(lines, line => line.StartsWith($"damaged   {_family.Branch("b")}: ", StringComparison.Ordinal));
        Assert.Equal(3, lines.Count(line => line.StartsWith("compacted", StringComparison.Ordinal)));
        Assert.Equal(before, StoredFamily.Fingerprint(_family.Branch("b")));
    }

    /// <summary>A branch may have the last name of a journal that the database can be repaired with.</summary>
    [Fact]
    public void Compact_DamagedDatabase_LeavesItsBranchesAlone()
    {
        DamageHeaders(_family.Root);
        string before = StoredFamily.Fingerprint(_family.Root);
        (int code, string[] lines) = Compact(_family.DataFolder);

        Assert.Equal(FolderCompaction.ExitCodeNotDone, code);
        Assert.StartsWith($"damaged   {_family.Root}: ", lines[0], StringComparison.Ordinal);
        Assert.Equal(3, lines.Count(line => line.Contains("was not compacted, and may need", StringComparison.Ordinal)));
        Assert.Equal(before, StoredFamily.Fingerprint(_family.Root));
    }

    internal static (int Code, string[] Lines) Verify(string folder) => Print(console => FolderVerification.Run(folder, console));

    internal static (int Code, string[] Lines) Compact(string folder) => Print(console => FolderCompaction.Run(folder, console));

    internal static (int Code, string[] Lines) Print(Func<IAnsiConsole, int> run)
    {
        using var text = new StringWriter();
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = AnsiSupport.No,
            ColorSystem = ColorSystemSupport.NoColors,
            Out = new AnsiConsoleOutput(text),
        });
        console.Profile.Width = int.MaxValue;
        int code = run(console);
        string[] lines = text.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        return (code, [.. lines.Where(line => !line.StartsWith("copied", StringComparison.Ordinal))]);
    }

    /// <summary>Changes a bit of a value that was flushed; returns the file.</summary>
    private string Flip(string folder)
    {
        string file = Path.Combine(folder, "data");
        byte[] bytes = File.ReadAllBytes(file);
        int place = bytes.AsSpan().IndexOf(_family.Value(folder, StoredFamily.Lasting).AsSpan(100, 100));
        Assert.True(place > 0, "The value is not in the data file.");
        using FileStream stream = File.OpenWrite(file);
        stream.Position = place;
        stream.WriteByte((byte)(bytes[place] ^ 1));
        return file;
    }

    private static void DamageHeaders(string folder)
    {
        using FileStream headers = File.OpenWrite(Path.Combine(folder, "headers"));
        foreach (long place in (long[])[30, 8192 + 30])
        {
            headers.Position = place;
            headers.Write(Encoding.ASCII.GetBytes("damaged"));
        }
    }
}
