using System.Text.Json;
using Jackdaw.Json.Refusals;
using Jackdaw.Security.Auditing;
using Jackdaw.TestKit;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Security.Tests.Auditing;

public sealed class AuditLogTests : IDisposable
{
    private static readonly AuditSender s_admin = new("admin", "AB12", null, "192.0.2.1");

    private readonly ManualTime _time = new();
    private readonly string _root = Directory.CreateTempSubdirectory("jackdaw-audit-").FullName;

    private string Folder => Path.Combine(_root, "Security", "audit");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public void Line_HasAllThatIsKnown()
    {
        using AuditLog log = Open();
        log.Begin(
            Change() with { Route = "PUT /admin/databases", Database = "shop", Status = 201, Action = 7, Details = [new("name", "a\n\"b\"")] },
            isDurable: true);

        Assert.Equal(
            """
            {"time":"1970-01-01T00:00:00.000Z","kind":"database","outcome":"begun","who":"admin","thumbprint":"AB12","from":"192.0.2.1",
            "route":"PUT /admin/databases","database":"shop","status":201,"action":7,"details":{"name":"a\n\"b\""}}
            """.ReplaceLineEndings(""),
            Assert.Single(Lines()));
    }

    [Fact]
    public void Text_LongerThanTheLimit_IsShortened()
    {
        using AuditLog log = Open();
        log.Begin(Change() with { Details = [new("query", new string('q', 1_000_000))] }, isDurable: true);

        string line = Assert.Single(Lines());
        Assert.InRange(line.Length, AuditLine.TextCharactersMax, AuditLine.TextCharactersMax + 500);
        Assert.Contains("(1000000 characters)", line, StringComparison.Ordinal);
    }

    [Fact]
    public void Files_AreForTheUserOfTheServerOnly()
    {
        using AuditLog log = Open();
        log.Begin(Change(), isDurable: true);

        if (!OperatingSystem.IsWindows())
        {
            const UnixFileMode file = UnixFileMode.UserRead | UnixFileMode.UserWrite;
            Assert.Equal(file, File.GetUnixFileMode(Assert.Single(Directory.GetFiles(Folder))));
            Assert.Equal(file | UnixFileMode.UserExecute, File.GetUnixFileMode(Folder));
            Assert.Equal(file | UnixFileMode.UserExecute, File.GetUnixFileMode(Path.GetDirectoryName(Folder)!));
        }
    }

    [Theory]
    [InlineData(28, RefusalKind.DiskFull)]
    [InlineData(5, RefusalKind.Overloaded)]
    public void Begin_FailingDisk_IsRefusedAndWorksAgainAfterwards(int error, RefusalKind kind)
    {
        bool fails = true;
        using AuditLog log = Open(open: path => new FailingStream(path, () => fails ? new IOException("No luck", error) : null));

        AuditUnavailableException refused = Assert.Throws<AuditUnavailableException>(() => log.Begin(Change(), isDurable: true));
        log.Write(Change()); // does not throw
        fails = false;
        log.Begin(Change() with { Action = 2 }, isDurable: true);

        Assert.Equal(kind, refused.Refusal.Kind);
        Assert.Contains("was not made", refused.Message, StringComparison.Ordinal);
        Assert.Contains(Folder, refused.Message, StringComparison.Ordinal);
        Assert.Contains("\"action\":2", Lines()[^1], StringComparison.Ordinal);
    }

    [Fact]
    public void Begin_FolderThatIsAFile_IsRefused()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Folder)!);
        File.WriteAllText(Folder, "");
        using AuditLog log = Open();

        Assert.Throws<AuditUnavailableException>(() => log.Begin(Change(), isDurable: true));
    }

    [Fact]
    public void Begin_FileThatWasDeleted_IsMadeAgain()
    {
        using AuditLog log = Open();
        log.Begin(Change(), isDurable: true);
        Directory.Delete(Folder, recursive: true);
        log.Begin(Change() with { Action = 2 }, isDurable: true);

        Assert.Contains("\"action\":2", Assert.Single(Lines()), StringComparison.Ordinal);
    }

    [Fact]
    public void Begin_AfterHalfALine_StartsANewOne()
    {
        Directory.CreateDirectory(Folder);
        File.WriteAllText(Path.Combine(Folder, "audit-1970-01-01.jsonl"), """{"time":"1970""");
        using AuditLog log = Open();
        log.Begin(Change(), isDurable: true);

        Assert.Equal(["""{"time":"1970""", Lines()[1]], Lines());
        Assert.Single(AuditReader.Read(Folder, null, 10).Lines);
    }

    [Fact]
    public void Refusals_OfOneSender_AreOneLineASecondWithTheirNumber()
    {
        using AuditLog log = Open();
        for (int i = 0; i < 500; i++)
        {
            log.Refuse(Refusal("192.0.2.9") with { Sender = new AuditSender($"name {i}", $"{i}", null, "192.0.2.9") }, isStranger: true);
        }

        _time.Advance(TimeSpan.FromSeconds(1));
        log.Refuse(Refusal("192.0.2.9"), isStranger: true);
        _time.Advance(TimeSpan.FromSeconds(1));
        _time.Advance(TimeSpan.FromSeconds(1));
        log.Refuse(Refusal("192.0.2.9"), isStranger: true);

        Assert.Equal([0, 499, 1, 0], Lines().Select(CountOf));
        Assert.NotNull(_time.FirstTimerIn); // the last one is still being counted
    }

    [Fact]
    public void Refusals_OfManyAddresses_ShareALineAndNoMemory()
    {
        using AuditLog log = Open();
        for (int i = 0; i < 100_000; i++)
        {
            log.Refuse(Refusal($"2001:db8::{i:x}"), isStranger: true);
        }

        _time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(RefusalCounts.SendersMax + 1, Lines().Count);
        Assert.Contains(RefusalCounts.OtherAddresses, Lines()[^1], StringComparison.Ordinal);
        Assert.Equal(100_000 - RefusalCounts.SendersMax, CountOf(Lines()[^1]));
    }

    [Fact]
    public void Refusals_OnADayWithTooMany_ShareOneLineAMinute()
    {
        using AuditLog log = Open(AuditLimits.Default with { RefusalBytesPerDayMax = 1000 });
        for (int second = 0; second < 300; second++)
        {
            log.Refuse(Refusal($"192.0.2.{second % 250}"), isStranger: true);
            _time.Advance(TimeSpan.FromSeconds(1));
        }

        log.Begin(Change(), isDurable: true);

        Assert.InRange(Lines().Count, 5, 20);
        Assert.Contains("begun", Lines()[^1], StringComparison.Ordinal);
        log.Dispose(); // writes what was counted
        Assert.Equal(300, Lines().Where(line => line.Contains("refused", StringComparison.Ordinal)).Sum(line => Math.Max(1, CountOf(line))));
    }

    [Fact]
    public void Refusals_OnAFailingDisk_AreForgotten()
    {
        using AuditLog log = Open(open: static path => new FailingStream(path, static () => new IOException("No luck")));
        log.Refuse(Refusal("192.0.2.9"), isStranger: true);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Null(_time.FirstTimerIn);
    }

    [Fact]
    public void Days_HaveTheirOwnFilesAndThirtyAreKept()
    {
        using AuditLog log = Open();
        for (int day = 0; day < 35; day++)
        {
            log.Begin(Change() with { Action = day + 1 }, isDurable: true);
            _time.Advance(TimeSpan.FromDays(1));
        }

        string[] names = [.. AuditFile.List(Folder).Select(file => file.Name)];
        Assert.Equal(30, names.Length);
        Assert.Equal("audit-1970-01-06.jsonl", names[0]);
        Assert.Equal("audit-1970-02-04.jsonl", names[^1]);
    }

    [Fact]
    public void Bytes_AboveTheLimit_DropTheOldestFiles()
    {
        AuditLimits limits = AuditLimits.Default with { BytesMax = 8000, FileBytesMax = 1000 };
        using AuditLog log = Open(limits);
        for (int i = 1; i <= 200; i++)
        {
            log.Begin(Change() with { Action = i }, isDurable: false);
        }

        Assert.InRange(Directory.GetFiles(Folder).Sum(path => new FileInfo(path).Length), 6000, limits.BytesMax);
        Assert.All(Directory.GetFiles(Folder), path => Assert.InRange(new FileInfo(path).Length, 1, limits.FileBytesMax));
        Assert.Contains("\"action\":200}", Lines()[^1], StringComparison.Ordinal);
        Assert.Equal(Lines().Order(StringComparer.Ordinal).Count(), Lines().Distinct().Count());
    }

    [Fact]
    public void Restart_GoesOnInTheFileOfTheDay()
    {
        using (AuditLog first = Open())
        {
            first.Begin(Change(), isDurable: true);
        }

        using AuditLog second = Open();
        second.Begin(Change(), isDurable: true);

        Assert.Single(Directory.GetFiles(Folder));
        Assert.Equal(2, Lines().Count);
    }

    private static AuditRecord Change() => new() { Kind = AuditKinds.Database, Outcome = AuditOutcomes.Begun, Sender = s_admin };

    private static AuditRecord Refusal(string address) =>
        new() { Kind = AuditKinds.Refusal, Outcome = AuditOutcomes.Refused, Sender = new AuditSender("stranger", null, null, address), Status = 403 };

    private static int CountOf(string line) => JsonDocument.Parse(line).RootElement.TryGetProperty("count", out JsonElement count) ? count.GetInt32() : 0;

    private AuditLog Open(AuditLimits? limits = null, Func<string, Stream>? open = null) => new(Folder, _time, NullLogger.Instance, limits, open);

    private List<string> Lines() => [.. AuditFile.List(Folder).SelectMany(file => File.ReadAllLines(Path.Combine(Folder, file.Name)))];
}
