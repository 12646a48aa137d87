using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Batches;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Parsing;

namespace Jackdaw.Documents.Tests.Batches;

/// <summary>What waits in a pool for the next request does not hold the memory of the largest one before.</summary>
[Collection(AloneCollection.Name)]
public sealed class KeptMemoryTests
{
    private const long CachedBytesMax = 4L << 20;

    private static readonly byte[] s_manyNames = Encoding.UTF8.GetBytes(
        $$"""{{{string.Join(',', Enumerable.Range(0, 500_000).Select(i => $"\"n{i}\":1"))}}}""");

    // As large, so that the arrays which the shared pool keeps anyway are there already.
    private static readonly byte[] s_oneName = Encoding.UTF8.GetBytes($$"""{"n":"{{new string('x', s_manyNames.Length)}}"}""");

    [Fact]
    public void DocumentParser_ClearedAfterADocumentOfManyNames_KeepsLittle()
    {
        using var parser = new DocumentParser(StandardExtensions.All);
        AssertKeepsLittle(Parse, s_oneName, s_manyNames);
        GC.KeepAlive(parser);

        void Parse(byte[] document)
        {
            parser.Parse(document);
            parser.Clear();
        }
    }

    [Fact]
    public void BatchParser_AfterADocumentOfManyNames_KeepsLittle()
    {
        using var parser = new BatchParser();
        using var batch = new ParsedBatch();
        AssertKeepsLittle(Parse, Body(s_oneName), Body(s_manyNames));
        GC.KeepAlive(parser);

        static byte[] Body(byte[] document) => [.. """{"Commands":[{"Id":"a","Type":"PUT","Document":"""u8, .. document, .. "}]}"u8];

        void Parse(byte[] body)
        {
            parser.Parse(body, batch, TestCommands.Kinds.OfBatch);
            batch.Clear();
        }
    }

    [Fact]
    public void ParsedBatch_ClearedAfterVeryManyCommands_KeepsLittle()
    {
        using var parser = new BatchParser();
        using var batch = new ParsedBatch();
        AssertKeepsLittle(Parse, Body(1), Body(ParsedBatch.CommandsMax));
        GC.KeepAlive(batch);

        static byte[] Body(int commands) =>
            [.. """{"Commands":["""u8, .. Encoding.UTF8.GetBytes(string.Join(',', Enumerable.Repeat("""{"Id":"a","Type":"DELETE"}""", commands))), .. "]}"u8];

        void Parse(byte[] body)
        {
            parser.Parse(body, batch, TestCommands.Kinds.OfBatch);
            batch.Clear();
        }
    }

    [Theory]
    [InlineData("""{"Type":"Counters","Id":"a","Counters":{"DocumentId":"a","Operations":[#]}}""", """{"Type":"Increment","CounterName":"a","Delta":1}""")]
    [InlineData("""{"Type":"BatchPATCH","Ids":[#],"Patch":{"Script":"x"}}""", """{"Id":"a"}""")]
    public void ParsedBatch_ClearedAfterCommandsOfManyParts_KeepsLittle(string command, string part)
    {
        using var parser = new BatchParser();
        using var batch = new ParsedBatch();
        using (var otherParser = new BatchParser())
        using (var other = new ParsedBatch())
        {
            otherParser.Parse(Body(5_000), other, TestCommands.Kinds.OfBatch); // The shared pool keeps as much as it will then.
        }

        AssertKeepsLittle(Parse, Body(1), Body(5_000));
        GC.KeepAlive(batch);

        byte[] Body(int parts)
        {
            string one = command.Replace("#", string.Join(',', Enumerable.Repeat(part, parts)), StringComparison.Ordinal);
            return Encoding.UTF8.GetBytes($$"""{"Commands":[{{string.Join(',', Enumerable.Repeat(one, 40))}}]}""");
        }

        void Parse(byte[] body)
        {
            parser.Parse(body, batch, TestCommands.Kinds.OfBatch);
            batch.Clear();
        }
    }

    private static void AssertKeepsLittle<T>(Action<T> use, T usual, T large)
    {
        use(usual);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        use(large);
        long kept = GC.GetTotalMemory(forceFullCollection: true) - before;
        Assert.True(kept < CachedBytesMax, $"{kept >> 10} KB are kept");
    }
}
