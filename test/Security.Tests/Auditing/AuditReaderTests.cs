using System.Globalization;
using System.Text;
using System.Text.Json;
using Jackdaw.Security.Auditing;

namespace Jackdaw.Security.Tests.Auditing;

public sealed class AuditReaderTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("jackdaw-audit-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Read_NoLog_IsEmpty()
    {
        Assert.Empty(AuditReader.Read(_folder, null, 10).Lines);
        Assert.Empty(AuditReader.Read(Path.Combine(_folder, "missing"), null, 10).Lines);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(100)]
    [InlineData(1000)]
    public void Read_PageByPage_ShowsEveryLineOnceNewestFirst(int count)
    {
        Write("audit-2026-11-25.jsonl", 1, 30);
        Write("audit-2026-11-26.jsonl", 31, 60);
        Write("audit-2026-11-26-2.jsonl", 61, 90);
        Write("audit-2026-11-26-10.jsonl", 91, 100);
        File.WriteAllText(Path.Combine(_folder, "audit-2026-11-26-1.jsonl"), "{\"none\":1}\n"); // no name of ours
        File.WriteAllText(Path.Combine(_folder, "notes.txt"), "{\"none\":1}\n");

        List<string> all = [];
        string? next = null;
        do
        {
            AuditPage page = AuditReader.Read(_folder, next, count);
            Assert.InRange(page.Lines.Count, 0, count);
            all.AddRange(page.Lines.Select(Encoding.UTF8.GetString));
            next = page.Next;
        }
        while (next is not null);

        Assert.Equal(Enumerable.Range(1, 100).Reverse().Select(Line), all);
    }

    [Fact]
    public void Read_LinesThatArriveBetweenPages_DoNotMoveThem()
    {
        Write("audit-2026-11-25.jsonl", 1, 10);
        AuditPage first = AuditReader.Read(_folder, null, 5);
        Write("audit-2026-11-25.jsonl", 11, 20);
        Write("audit-2026-11-26.jsonl", 21, 30);

        Assert.Equal(Line(5), Encoding.UTF8.GetString(AuditReader.Read(_folder, first.Next, 5).Lines[0]));
    }

    [Fact]
    public void Read_DamagedAndHalfLines_AreLeftOut()
    {
        File.WriteAllText(Path.Combine(_folder, "audit-2026-11-25.jsonl"), $"{Line(1)}\n{{\"half\n[1]\n\n{Line(2)}\n{Line(3)} x\n{{\"un");

        Assert.Equal([Line(2), Line(1)], AuditReader.Read(_folder, null, 10).Lines.Select(Encoding.UTF8.GetString));
    }

    [Fact]
    public void Read_LineOfMoreThanABlock_IsLeftOutAndTheOthersAreFound()
    {
        string huge = $"{{\"text\":\"{new string('x', 3_000_000)}\"}}";
        File.WriteAllText(Path.Combine(_folder, "audit-2026-11-25.jsonl"), $"{Line(1)}\n{huge}\n{Line(2)}\n");

        Assert.Equal([Line(2), Line(1)], AuditReader.Read(_folder, null, 10).Lines.Select(Encoding.UTF8.GetString));
    }

    [Fact]
    public void Read_ManyLargeLines_EndsThePageEarly()
    {
        string large = $"{{\"text\":\"{new string('x', 300_000)}\"}}\n";
        File.WriteAllText(Path.Combine(_folder, "audit-2026-11-25.jsonl"), string.Concat(Enumerable.Repeat(large, 100)));

        AuditPage page = AuditReader.Read(_folder, null, 1000);

        Assert.InRange(page.Lines.Count, 5, 20);
        Assert.NotNull(page.Next);
    }

    [Theory]
    [InlineData("")]
    [InlineData("x")]
    [InlineData("2026-11-25")]
    [InlineData("2026-11-25.0.5")]
    [InlineData("2026-11-25.1.-5")]
    [InlineData("2026-13-25.1.5")]
    [InlineData("../../etc/passwd.1.5")]
    public void Read_PlaceThatIsNone_Throws(string before) => Assert.Throws<FormatException>(() => AuditReader.Read(_folder, before, 10));

    [Fact]
    public void Read_PlaceBeyondTheFile_ShowsTheWholeFile()
    {
        Write("audit-2026-11-25.jsonl", 1, 3);

        Assert.Equal(3, AuditReader.Read(_folder, "2026-11-25.1.9000000000000", 10).Lines.Count);
    }

    [Theory]
    [InlineData("Kind", "refusal", "1 3")]
    [InlineData("Outcome", "done", "2 4")]
    [InlineData("Who", "ann", "2 3")]
    [InlineData("Who", "SESSION1", "4")]
    [InlineData("Who", "ab12", "2")]
    [InlineData("Who", "10.0.0.9", "1")]
    [InlineData("Who", "10.0.0", "")]
    [InlineData("Database", "SHOP", "2")]
    [InlineData("Since", "2026-11-25T10:00:00Z", "2 3 4")]
    [InlineData("Until", "2026-11-25T10:00:00Z", "1 2")]
    [InlineData("Since", "2026-11-26T09:00:00Z", "4")]
    [InlineData("Since", "2026-11-28T00:00:00Z", "")]
    public void Read_Filter_ShowsWhatItAllows(string member, string wanted, string numbers)
    {
        string[] first =
        [
            """{"time":"2026-11-25T09:00:00.000Z","kind":"refusal","outcome":"refused","who":"a connection","from":"10.0.0.9","action":1}""",
            """{"time":"2026-11-25T10:00:00.000Z","kind":"database","outcome":"done","who":"Ann","thumbprint":"AB12","database":"shop","action":2}""",
            """{"time":"2026-11-26T08:00:00.000Z","kind":"refusal","outcome":"refused","who":"Joanna","details":{"who":"x","kind":"session"},"action":3}""",
        ];
        File.WriteAllLines(Path.Combine(_folder, "audit-2026-11-26.jsonl"), first);
        File.WriteAllLines(
            Path.Combine(_folder, "audit-2026-11-27.jsonl"),
            ["""{"time":"2026-11-27T08:00:00.000Z","kind":"session","outcome":"done","who":"bob","session":"session1","action":4}"""]);
        AuditFilter filter = member switch
        {
            "Kind" => new AuditFilter { Kind = wanted },
            "Outcome" => new AuditFilter { Outcome = wanted },
            "Who" => new AuditFilter { Who = wanted },
            "Database" => new AuditFilter { Database = wanted },
            "Since" => new AuditFilter { Since = DateTimeOffset.Parse(wanted, CultureInfo.InvariantCulture) },
            _ => new AuditFilter { Until = DateTimeOffset.Parse(wanted, CultureInfo.InvariantCulture) },
        };

        var found = AuditReader.Read(_folder, null, 100, filter).Lines.Select(line => JsonDocument.Parse(line).RootElement.GetProperty("action").GetInt32());

        Assert.Equal(numbers, string.Join(' ', found.Reverse()));
    }

    /// <summary>A page reads a bounded part of the log, and goes on where it ended, also without a line that is wanted.</summary>
    [Fact]
    public void Read_FilterThatAllowsFewLines_EndsThePageAndGoesOn()
    {
        string unwanted = $$"""{"who":"{{new string('x', 100_000)}}"}""" + "\n";
        string path = Path.Combine(_folder, "audit-2026-11-25.jsonl");
        File.WriteAllText(path, "{\"who\":\"Ann\"}\n" + string.Concat(Enumerable.Repeat(unwanted, (int)(AuditReader.SearchedBytesMax / 100_000) + 50)));
        var filter = new AuditFilter { Who = "ann" };

        AuditPage first = AuditReader.Read(_folder, null, 10, filter);
        AuditPage second = AuditReader.Read(_folder, first.Next, 10, filter);

        Assert.Empty(first.Lines);
        Assert.NotNull(first.Next);
        Assert.Single(second.Lines);
        Assert.Null(second.Next);
    }

    [Theory]
    [InlineData("")]
    [InlineData("[]")]
    [InlineData("{")]
    [InlineData("{} {}")]
    [InlineData("{\"who\":\"\\ud800\"}")]
    public void Filter_TextThatIsNoLine_IsNotAllowed(string text) => Assert.False(AuditFilter.Everything.Allows(Encoding.UTF8.GetBytes(text)));

    private static string Line(int number) => $$"""{"action":{{number}}}""";

    private void Write(string name, int first, int last) =>
        File.AppendAllText(Path.Combine(_folder, name), string.Concat(Enumerable.Range(first, last - first + 1).Select(number => Line(number) + "\n")));
}
