using System.Buffers;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.TestKit;

namespace Jackdaw.Documents.Tests.Parsing;

public sealed class DocumentWriterTests
{
    private const string Versions = """
        "@change-vector":"A:1-x","@last-modified":"2024-05-01T10:00:00.1234567Z"
        """;

    private static readonly DateTime s_time = new DateTime(2024, 5, 1, 10, 0, 0, DateTimeKind.Utc).AddTicks(1234567);

    [Fact]
    public void Write_StoredDocument_SplicesWhatTheServerKnows()
    {
        string answer = Write("""{"a":1,"@metadata":{"@collection":"Users"}}""", "users/1-A", DocumentFlags.None);
        Assert.Equal($$$"""{"a":1,"@metadata":{"@collection":"Users","@id":"users/1-A",{{{Versions}}}}}""", answer);
    }

    [Fact]
    public void Write_EmptyMetadata_SplicesWithoutAComma()
    {
        const string stored = """{"a":{},"@metadata":{}}""";
        string expected = $$$"""{"@id":"a",{{{Versions}}}}}""";
        Assert.Equal("""{"a":{},"@metadata":""" + expected, Write(stored, "a", DocumentFlags.None));
        Assert.Equal($$$"""{"@metadata":{"x":{},"@id":"a",{{{Versions}}}}}""", Write("""{"@metadata":{"x":{}}}""", "a", DocumentFlags.None));

        var output = new ArrayBufferWriter<byte>();
        var stamp = new DocumentStamp("a"u8, "A:1-x"u8, s_time, DocumentFlags.None);
        DocumentWriter.WriteMetadataOnly(output, Encoding.UTF8.GetBytes(stored), stored.LastIndexOf("{}", StringComparison.Ordinal), stamp);
        Assert.Equal("""{"@metadata":""" + expected, Encoding.UTF8.GetString(output.WrittenSpan));
    }

    [Fact]
    public void Write_Flags_AreNamesSeparatedByCommas()
    {
        DocumentFlags some = DocumentFlags.HasRevisions | DocumentFlags.Archived;
        string answer = Write("""{"@metadata":{"@collection":"Users"}}""", "a", some);
        Assert.EndsWith(""","@flags":"HasRevisions, Archived"}}""", answer, StringComparison.Ordinal);

        DocumentFlags all = Enum.GetValues<DocumentFlags>().Aggregate((left, right) => left | right);
        answer = Write("""{"@metadata":{"@collection":"Users"}}""", "a", all);
        using JsonDocument document = JsonDocument.Parse(answer);
        Assert.Equal(all.ToString(), document.RootElement.GetProperty("@metadata").GetProperty("@flags").GetString());
    }

    [Fact]
    public void WriteMetadataOnly_StoredDocument_LeavesTheRestOut()
    {
        using var parser = new DocumentParser(StandardExtensions.All);
        ParsedDocument document = parser.Parse("""{"@metadata":{"@collection":"Users"},"a":{"b":1}}"""u8);
        var output = new ArrayBufferWriter<byte>();
        DocumentWriter.WriteMetadataOnly(output, document.Bytes.Span, document.MetadataOffset,
            new DocumentStamp("users/1"u8, "A:1-x"u8, s_time, 0));
        Assert.Equal($$$"""{"@metadata":{"@collection":"Users","@id":"users/1",{{{Versions}}}}}""",
            Encoding.UTF8.GetString(output.WrittenSpan));
    }

    [Fact]
    public void Write_AnyId_IsEscapedSoThatItReadsBackEqual()
    {
        string every = string.Concat(Enumerable.Range(1, 0x2FF).Select(code => (char)code)) + "😀日本";
        foreach (string id in new[] { "\"", "\\", "a\"b\\c\n", every[..100], every, new string('"', 512) })
        {
            using JsonDocument document = JsonDocument.Parse(Write("""{"@metadata":{"@collection":"U"}}""", id, 0));
            Assert.Equal(id, document.RootElement.GetProperty("@metadata").GetProperty("@id").GetString());
            var output = new ArrayBufferWriter<byte>();
            DocumentWriter.WriteString(output, Encoding.UTF8.GetBytes(id));
            Assert.Equal(id, JsonSerializer.Deserialize<string>(output.WrittenSpan));
        }
    }

    [Theory]
    [InlineData(0L, "0001-01-01T00:00:00.0000000Z")]
    [InlineData(638500000000000001L, "2024-04-29T15:06:40.0000001Z")]
    [InlineData(3155378975999999999L, "9999-12-31T23:59:59.9999999Z")]
    public void FormatTime_Always_HasSevenDigitsAndZ(long ticks, string expected)
    {
        byte[] text = new byte[DocumentWriter.TimeBytes];
        Assert.Equal(expected.Length, DocumentWriter.FormatTime(new DateTime(ticks, DateTimeKind.Utc), text));
        Assert.Equal(expected, Encoding.ASCII.GetString(text));
    }

    [Fact]
    public void Write_UsualDocument_AllocatesNothing()
    {
        using var parser = new DocumentParser(StandardExtensions.All);
        ReadOnlySpan<byte> stored = parser.Parse(SampleDocuments.Compact(1000)).Bytes.Span;
        var output = new ArrayBufferWriter<byte>(16 * 1024);
        var stamp = new DocumentStamp("orders/830-A"u8, "A:12-F9I6Egqwm0Kz+K0oFVIR9Q"u8, s_time,
            DocumentFlags.HasCounters);
        long before = 0;
        for (int round = 0; round < 20; round++)
        {
            before = round == 10 ? GC.GetAllocatedBytesForCurrentThread() : before;
            output.ResetWrittenCount();
            DocumentWriter.Write(output, stored, stamp);
        }
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    private static string Write(string stored, string id, DocumentFlags flags)
    {
        var output = new ArrayBufferWriter<byte>();
        var stamp = new DocumentStamp(Encoding.UTF8.GetBytes(id), "A:1-x"u8, s_time, flags);
        DocumentWriter.Write(output, Encoding.UTF8.GetBytes(stored), stamp);
        return Encoding.UTF8.GetString(output.WrittenSpan);
    }
}
