using System.Globalization;
using System.Text;
using Jackdaw.Json.Paths;
using Jackdaw.Json.Tape;
using Jackdaw.Storage;
using Jackdaw.TestKit;

namespace Jackdaw.Json.Tests.Tape;

public sealed class JsonTapeTests : IDisposable
{
    private const int DepthMax = DocumentLimits.JsonDepthMax;
    private readonly JsonTape _tape = new();

    public void Dispose() => _tape.Dispose();

    [Fact]
    public void Value_OfADocument_IsReadByItsType()
    {
        TapeValue root = _tape.Read(
            """
            {"Name":"Ann \u0061\n","Address":{"City":"Zürich"},"Age":41,"Big":9223372036854775808,"Rate":0.10,
             "Tags":[true,null]}
            """u8);

        Assert.Equal(6, root.Count);
        Assert.Equal("Ann a\n", root["Name"u8].ToText());
        Assert.True(root["Name"u8].HasEscapes);
        Assert.True(root["Address"u8]["City"u8].TextEquals("Zürich"u8));
        Assert.True(root["Age"u8].TryGetInt64(out long age) && age == 41);
        Assert.False(root["Big"u8].TryGetInt64(out _));
        Assert.True(root["Big"u8].TryGetDecimal(out decimal big) && big == 9223372036854775808m);
        Assert.True(root["Rate"u8].TryGetDecimal(out decimal rate));
        Assert.Equal("0.10", rate.ToString(CultureInfo.InvariantCulture));
        Assert.Equal("0.10", Encoding.UTF8.GetString(root["Rate"u8].Source));
        Assert.Equal("[true,null]", Encoding.UTF8.GetString(root["Tags"u8].Source));
        Assert.Equal(JsonKind.Null, root["Tags"u8][1].Kind);
        Assert.Equal(JsonKind.Missing, root["Tags"u8][2].Kind);
        Assert.Equal(JsonKind.Missing, root["No"u8]["such"u8][3]["member"u8].Kind);
    }

    [Fact]
    public void Value_ThatIsMissing_IsNothingAtAll()
    {
        TapeValue missing = default;

        Assert.Equal(JsonKind.Missing, missing.Kind);
        Assert.False(missing.Exists || missing.HasEscapes);
        Assert.True(missing.Count == 0 && missing.TextBytesMax == 0 && missing.Source.IsEmpty);
        Assert.Null(missing.ToText());
        Assert.Equal(0, missing.CopyText([]));
        Assert.False(missing.TextEquals(""u8) || missing.TryGetPlainText(out _));
        Assert.False(missing.TryGetInt64(out _) || missing.TryGetDouble(out _) || missing.TryGetDecimal(out _));
        Assert.False(missing.Members.MoveNext() || missing.Elements.MoveNext());
    }

    [Theory]
    [InlineData("name", "name", true)]
    [InlineData("n\\u0061me", "name", true)]
    [InlineData("\\u006e\\u0061\\u006d\\u0065", "name", true)]
    [InlineData("\\ud83d\\ude00", "😀", true)]
    [InlineData("a\\/\\n\\\"", "a/\n\"", true)]
    [InlineData("n\\u0061me", "nam", false)]
    [InlineData("n\\u0061me", "names", false)]
    [InlineData("n\\u0061", "n\\u0061", false)]
    [InlineData("\\ud83d\\ude00", "😁", false)]
    [InlineData("name", "Name", false)]
    public void Member_NameWithAndWithoutEscapes_IsFoundByItsCharacters(string stored, string name, bool isFound)
    {
        TapeValue root = _tape.Read(Encoding.UTF8.GetBytes($$"""{"other":[{}],"{{stored}}":1}"""));
        Assert.Equal(isFound, root[Encoding.UTF8.GetBytes(name)].Exists);
    }

    [Theory]
    [InlineData("")]
    [InlineData("   ")]
    [InlineData("{")]
    [InlineData("[1")]
    [InlineData("[1,]")]
    [InlineData("{\"a\":1,}")]
    [InlineData("{\"a\"}")]
    [InlineData("{\"a\":}")]
    [InlineData("{1:2}")]
    [InlineData("[1}")]
    [InlineData("{\"a\":1]")]
    [InlineData("\"open")]
    [InlineData("\"\\u12\"")]
    [InlineData("\"\\ud83d\"")]
    [InlineData("01")]
    [InlineData("-")]
    [InlineData("1.")]
    [InlineData("1e")]
    [InlineData("nul")]
    [InlineData("1 2")]
    public void Read_NoJson_SaysWhereAndLeavesTheTapeUsable(string text)
    {
        DocumentFormatException refused = Assert.Throws<DocumentFormatException>(() => _tape.Read(Encoding.UTF8.GetBytes(text)));

        Assert.Contains("byte", refused.Message, StringComparison.Ordinal);
        Assert.True(_tape.Words.IsEmpty);
        Assert.Equal(1, _tape.Read("[7]"u8).Count);
    }

    [Fact]
    public void Read_EachCutOfADocument_IsRefusedThoughTheRestFollows()
    {
        byte[] whole = SampleDocuments.Compact(2000);
        for (int length = 0; length < whole.Length; length++)
        {
            int cut = length;
            Assert.Throws<DocumentFormatException>(() => _tape.Read(whole.AsSpan(0, cut)));
        }
    }

    [Fact]
    public void ReadStored_NoJson_IsDamageAndNamesTheDocument()
    {
        CorruptionException damage = Assert.Throws<CorruptionException>(() => _tape.ReadStored("{\"a\":1,,}"u8, "users/1"u8));

        Assert.Contains("'users/1'", damage.Message, StringComparison.Ordinal);
        Assert.Contains("byte 7", damage.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_Depth_IsBounded()
    {
        Assert.True(_tape.Read(Nested(DepthMax)).Exists);
        Assert.Equal(DocumentFormatError.TooDeep, Refuse(Nested(DepthMax + 1)));
        Assert.Equal(DocumentFormatError.TooDeep, Refuse(Nested(1_000_000)));
    }

    [Fact]
    public void Read_TextAboveTheLargestDocument_IsRefused() =>
        Assert.Equal(DocumentFormatError.TooLarge, Refuse(new byte[JsonTape.TextBytesMax + 1]));

    /// <summary>The densest texts have as many words as bytes.</summary>
    [Theory]
    [InlineData("[", "1,", "1]", 100_000)]
    [InlineData("[", "[[[[[[1]]]]]],", "[]]", 20_000)]
    [InlineData("{", "\"\":{},", "\"\":1}", 30_000)]
    public void Read_DenseText_IsReadInFull(string begin, string part, string end, int times)
    {
        byte[] json = Encoding.ASCII.GetBytes(begin + string.Concat(Enumerable.Repeat(part, times)) + end);

        TapeValue root = _tape.Read(json);

        Assert.Equal(times + 1, root.Count);
        Assert.InRange(_tape.Words.Length, times, json.Length);
        Assert.Equal(json, root.Source.ToArray());
    }

    [Fact]
    public void Read_SmallTextAfterALargeOne_GivesTheLargeArrayBack()
    {
        _tape.Read(Encoding.ASCII.GetBytes("[" + string.Concat(Enumerable.Repeat("1,", 500_000)) + "1]"));
        Assert.InRange(_tape.Room.Length, 500_000, int.MaxValue);

        _tape.Read("[1]"u8);

        Assert.InRange(_tape.Room.Length, 1, 32 * 1024);
    }

    [Fact]
    public void ReadAndLook_AgainAndAgain_AllocatesNothing()
    {
        byte[] json = SampleDocuments.Compact(10_000);
        DocumentPath path = DocumentPath.Parse("Lines[].Product");
        byte[] text = new byte[100];
        long found = Look(json, path, text);
        long before = GC.GetAllocatedBytesForCurrentThread();

        for (int i = 0; i < 100; i++)
        {
            found += Look(json, path, text);
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.True(found > 10_000);
    }

    private long Look(byte[] json, DocumentPath path, byte[] text)
    {
        TapeValue root = _tape.Read(json);
        long found = root["ShipTo"u8]["City"u8].CopyText(text);
        var copied = new CopiedTexts(text);
        path.Any(root, ref copied);
        found += copied.Length;

        foreach (TapeValue line in root["Lines"u8].Elements)
        {
            found += line["Quantity"u8].TryGetInt64(out _) && line["PricePerUnit"u8].TryGetDouble(out _) ? 1 : 0;
        }

        return found;
    }

    private struct CopiedTexts(byte[] text) : IValueTest
    {
        public long Length { get; private set; }

        public bool Test(TapeValue value)
        {
            Length += value.CopyText(text);
            return false;
        }
    }

    private DocumentFormatError Refuse(byte[] json) => Assert.Throws<DocumentFormatException>(() => _tape.Read(json)).Error;

    private static byte[] Nested(int depth) => [.. Enumerable.Repeat((byte)'[', depth), .. Enumerable.Repeat((byte)']', depth)];
}
