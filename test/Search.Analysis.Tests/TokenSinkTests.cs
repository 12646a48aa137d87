using System.Text;
using Jackdaw.Search.Entries;

namespace Jackdaw.Search.Analysis.Tests;

/// <summary>Tokens as a sink gets them, against lists of tokens; and the quick way of the standard analyzer, against its usual way.</summary>
public sealed class TokenSinkTests
{
    private static readonly string[] s_parts =
    [
        "The", "quick", "FOX", "a", "I", "B", "x11", "42", "3.5", "their", "theirs", "Ünïcode", "日本", "\ud83d\ude00", " ", " ", " ", " ", "  ",
        "\n", "\t", ",", ", ", ".", ". ", "'", "'s", "-", "@", "&", "/", "_", "!", "\"", "(", ")", "\0", "com", "www",
        new string('z', 255), new string('Z', 256),
    ];

    public static TheoryData<string> Names => [.. TextAnalyzers.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void Analyze_RandomTexts_GivesTheSinkWhatTheListHas(string name)
    {
        const int seed = 6;
        var random = new Random(seed);
        Assert.True(TextAnalyzers.TryGet(name, out TextAnalyzer? analyzer));
        for (int i = 0; i < 1500; i++)
        {
            string text = Parts(random);
            Assert.True(analyzer.Analyze(text).SequenceEqual(Collect(analyzer, text)), $"seed {seed}: <{text}>");
            Assert.True(!analyzer.IsWholeValue || Collect(analyzer, text)[0].Term == analyzer.Normalize(text), $"seed {seed}: <{text}>");
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Standard_RandomTexts_AreReadQuicklyAsTheyAreReadUsually(bool isOfCharacters)
    {
        const int seed = 7;
        var random = new Random(seed);
        var usual = new TextAnalyzer("usual", TextAnalyzers.Standard.Tokens, lowersCase: true);
        int quick = 0, tokens = 0;
        for (int i = 0; i < 30_000; i++)
        {
            string text = isOfCharacters ? Characters(random) : Parts(random);
            IReadOnlyList<TextToken> expected = usual.Analyze(text);
            Assert.True(expected.SequenceEqual(TextAnalyzers.Standard.Analyze(text)), $"seed {seed}: <{text}>");
            bool isQuick = PlainWords.CanRead(text);
            quick += isQuick ? 1 : 0;
            tokens += isQuick ? expected.Count : 0;
        }

        Assert.InRange(quick, 3000, 27_000);
        Assert.InRange(tokens, 3000, int.MaxValue);
    }

    [Fact]
    public void Standard_LongText_IsReadQuicklyAsItIsReadUsually()
    {
        var usual = new TextAnalyzer("usual", TextAnalyzers.Standard.Tokens, lowersCase: true);
        var random = new Random(8);
        var text = new StringBuilder();
        while (text.Length < 100_000)
        {
            text.Append((char)('a' + random.Next(26)), 1 + random.Next(300)).Append(' ', 1 + random.Next(2)).Append(random.Next(5) == 0 ? "The " : "");
        }

        Assert.True(PlainWords.CanRead(text.ToString()));
        Assert.Equal(usual.Analyze(text.ToString()), TextAnalyzers.Standard.Analyze(text.ToString()));
    }

    [Theory]
    [InlineData("The quick fox, and (the) dog. Or: \"cat\"!", true)]
    [InlineData("x11 42 a_ .b", true)]
    [InlineData("", true)]
    [InlineData("wi-fi", false)]
    [InlineData("Bob's", false)]
    [InlineData("I.B.M.", false)]
    [InlineData("www.example.com", false)]
    [InlineData("a@b", false)]
    [InlineData("1,5", false)]
    [InlineData("ü", false)]
    public void PlainWords_Text_IsReadWhenNoRuleIsSpecial(string text, bool canRead) => Assert.Equal(canRead, PlainWords.CanRead(text));

    [Fact]
    public void Analyze_PlainTextIntoASink_AllocatesNothing()
    {
        var sink = new CountingSink();
        long Allocated(TextAnalyzer analyzer, string text)
        {
            analyzer.Analyze(text, sink);
            long before = GC.GetAllocatedBytesForCurrentThread();
            analyzer.Analyze(text, sink);
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }

        Assert.Equal(0, Allocated(TextAnalyzers.Standard, "The quick fox and the dog"));
        Assert.Equal(0, Allocated(TextAnalyzers.LowerCaseKeyword, "The Quick Fox"));

        // The usual way has its costs for each text, but none for each token.
        string few = string.Join(' ', Enumerable.Repeat("schön", 10)), many = string.Join(' ', Enumerable.Repeat("schön", 1000));
        Assert.InRange(Allocated(TextAnalyzers.Standard, many) - Allocated(TextAnalyzers.Standard, few), long.MinValue, 4096);
        Assert.InRange(sink.Count, 2000, int.MaxValue);
    }

    private static string Parts(Random random) => string.Concat(Enumerable.Range(0, random.Next(12)).Select(_ => s_parts[random.Next(s_parts.Length)]));

    // Any characters of ASCII, most of them letters, and at times another one.
    private static string Characters(Random random) => string.Concat(Enumerable.Range(0, random.Next(20)).Select(_ => random.Next(40) switch
    {
        0 => (char)random.Next(0x250),
        < 8 => (char)random.Next(128),
        < 16 => ' ',
        < 20 => "'&@._-/,"[random.Next(8)],
        < 22 => (char)('0' + random.Next(10)),
        _ => "aeinotAIT"[random.Next(9)],
    }));

    private static List<TextToken> Collect(TextAnalyzer analyzer, string text)
    {
        var sink = new ListSink();
        analyzer.Analyze(text, sink);
        return sink.Tokens;
    }

    private sealed class ListSink : ITokenSink
    {
        private int _position = -1;

        public List<TextToken> Tokens { get; } = [];

        public void Add(ReadOnlySpan<char> term, int step, int start, int end) =>
            Tokens.Add(new TextToken(term.ToString(), _position += step, start, end));
    }

    private sealed class CountingSink : ITokenSink
    {
        public int Count { get; private set; }

        public void Add(ReadOnlySpan<char> term, int step, int start, int end) => Count++;
    }
}
