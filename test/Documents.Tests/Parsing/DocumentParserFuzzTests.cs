using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Documents.Tests.Parsing;

public sealed class DocumentParserFuzzTests
{
    private const int Rounds = 4_000;
    private const int MutationsPerRound = 8;

    [Fact]
    public void Parse_RandomDocuments_AgreesWithTheFramework()
    {
        using var parser = new DocumentParser(StandardExtensions.All);
        int accepted = 0;
        int refused = 0;
        int first = FuzzSeed.First;
        for (int seed = first; seed < first + FuzzSeed.Rounds(Rounds); seed++)
        {
            var random = new RandomJson(new Random(seed));
            byte[] document = random.Document();
            for (int mutation = 0; mutation <= MutationsPerRound; mutation++)
            {
                byte[] json = mutation == 0 ? document : random.Mutate(document);
                bool isAccepted = Check(parser, json, $"seed {seed}, mutation {mutation}");
                accepted += isAccepted ? 1 : 0;
                refused += isAccepted ? 0 : 1;
            }
        }
        Assert.True(accepted > 0 && refused > 0, $"{accepted} accepted, {refused} refused: one side was not tested.");
    }

    private static bool Check(DocumentParser parser, byte[] json, string place)
    {
        string? expected = JsonOracle.Expect(json);
        try
        {
            ParsedDocument document = parser.Parse(json);
            Assert.True(expected is not null, $"{place}: accepted, but the framework refuses: {Show(json)}");
            CheckStoredForm(parser, document, expected, $"{place}: {Show(json)}");
            return true;
        }
        catch (DocumentFormatException refusal)
        {
            Assert.True(
                expected is null, $"{place}: refused ({refusal.Message}), but the framework accepts: {Show(json)}");
            Assert.InRange(refusal.Location.Offset, 0, json.Length);
            return false;
        }
    }

    private static void CheckStoredForm(DocumentParser parser, ParsedDocument document, string expected, string place)
    {
        byte[] stored = document.Bytes.ToArray();
        string collection = Encoding.UTF8.GetString(document.Collection.Span);
        int metadataOffset = document.MetadataOffset;
        Assert.True(expected == JsonOracle.Meaning(stored), $"{place} was stored as {Show(stored)}");
        Assert.True(stored.AsSpan(0, metadataOffset).EndsWith("\"@metadata\":"u8), place);
        Assert.True(stored.AsSpan().EndsWith("}}"u8), place);
        using JsonDocument metadata = JsonDocument.Parse(stored.AsMemory()[metadataOffset..^1]);
        bool hasCollection = metadata.RootElement.TryGetProperty("@collection", out JsonElement sent);
        Assert.True(collection == (hasCollection ? sent.GetString() : "@empty"), place);
        Assert.True(!hasCollection || !collection.Equals("@empty", StringComparison.OrdinalIgnoreCase), place);
        Assert.True(parser.Parse(stored).Bytes.Span.SequenceEqual(stored),
            $"{place}: the stored form {Show(stored)} is not stable");
    }

    private static string Show(byte[] json) => $"{Encoding.UTF8.GetString(json)} = {Convert.ToHexString(json)}";
}
