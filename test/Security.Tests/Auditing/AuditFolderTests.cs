using Jackdaw.Security.Auditing;

namespace Jackdaw.Security.Tests.Auditing;

public sealed class AuditFolderTests : IDisposable
{
    private static readonly DateOnly s_day = new(2026, 11, 1);
    private static readonly AuditLimits s_limits = new(DaysMax: 30, BytesMax: 1000, FileBytesMax: 500, RefusalBytesPerDayMax: 100);

    private readonly string _root = Directory.CreateTempSubdirectory("jackdaw-audit-").FullName;

    private string Folder => Path.Combine(_root, "Security", "audit");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    /// <summary>A clock that is wrong for a moment must not take the history of a month with it, nor keep all lines of the years after in one file.</summary>
    [Fact]
    public void Append_ClockThatJumpsAheadForAMoment_KeepsTheHistoryAndGoesOnByDays()
    {
        using (var files = new AuditFolder(Folder, s_limits))
        {
            for (int day = 0; day < 20; day++)
            {
                files.Append("a\n"u8, s_day.AddDays(day), isDurable: false);
            }

            files.Append("ahead\n"u8, s_day.AddYears(5), isDurable: false);
        }

        Assert.InRange(Names().Length, 19, 21);
        using (var files = new AuditFolder(Folder, s_limits))
        {
            files.Append("b\n"u8, s_day.AddDays(20), isDurable: false);
            files.Append("c\n"u8, s_day.AddDays(21), isDurable: false);
        }

        Assert.Contains("audit-2026-11-21.jsonl", Names());
        Assert.Contains("audit-2026-11-22.jsonl", Names());
    }

    [Fact]
    public void Append_OldFileThatCannotBeDeleted_WritesAsLongAsThereIsRoom()
    {
        bool isProtected = true;
        using var files = new AuditFolder(
            Folder, s_limits, delete: path => (isProtected ? () => throw new UnauthorizedAccessException(path) : (Action)(() => File.Delete(path)))());
        files.Append("a\n"u8, s_day, isDurable: true);
        files.Append("b\n"u8, s_day.AddDays(40), isDurable: true);
        Assert.Equal(2, Names().Length);

        byte[] much = new byte[499];
        files.Append(much, s_day.AddDays(41), isDurable: true);
        Assert.Throws<UnauthorizedAccessException>(() => files.Append(much, s_day.AddDays(42), isDurable: true));
        isProtected = false;
        files.Append(much, s_day.AddDays(43), isDurable: true);
        Assert.InRange(Directory.GetFiles(Folder).Sum(path => new FileInfo(path).Length), 499, 1000);
    }

    private string[] Names() => [.. Directory.GetFiles(Folder).Select(path => Path.GetFileName(path)).Order(StringComparer.Ordinal)];
}
