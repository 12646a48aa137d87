using System.Text;
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

    private static string Line(int number) => $$"""{"action":{{number}}}""";

    private void Write(string name, int first, int last) =>
        File.AppendAllText(Path.Combine(_folder, name), string.Concat(Enumerable.Range(first, last - first + 1).Select(number => Line(number) + "\n")));
}
