using System.Globalization;
using System.Text;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Translation;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Lucene.Net.Search;

namespace Jackdaw.Search.Lucene.Tests.Translation;

/// <summary>Texts in the classic query syntax: what they find as conditions of every engine, against what they find when Lucene combines their
/// parts.</summary>
public sealed class ClassicTextTests : IDisposable
{
    private const int Entries = 400;

    private static readonly IndexField s_text = new("T") { Indexing = IndexingMode.Text };
    private static readonly IndexField s_spaced = new("W") { Indexing = IndexingMode.Text, Analyzer = "WhitespaceAnalyzer" };
    private static readonly IndexField s_keyword = new("K");
    private static readonly IndexField s_number = new("N");
    private static readonly IndexFields s_fields = new([s_text, s_spaced, s_keyword, s_number]);

    private readonly StorageEnvironment _storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
    private readonly SearchIndex _index;

    public ClassicTextTests()
    {
        _index = LuceneEngine.Instance.Open(_storage, s_fields);
        var random = new Random(1);
        var entry = new IndexEntry();
        for (int batches = 0; batches < 4; batches++)
        {
            using IndexBatch batch = _index.BeginBatch();
            for (int i = 0; i < Entries / 4; i++)
            {
                Fill(entry, $"e/{batches}/{i}", random);
                batch.Add(entry);
            }

            batch.Commit();
        }
    }

    public void Dispose()
    {
        _index.Dispose();
        _storage.Dispose();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Search_RandomTexts_FindsWhatLuceneFindsWithItsScores(int seed)
    {
        var texts = new RandomClassicTexts(seed);
        int withHits = 0, refused = 0;
        for (int i = 0; i < 1500; i++)
        {
            string text = texts.Next();
            (string expected, string found) = (Run(() => Earlier("T", text)), Run(() => Today("T", text)));
            bool isRefused = found.StartsWith("refused", StringComparison.Ordinal);

            // A text with two mistakes is refused for one or the other.
            bool isSame = isRefused ? expected.StartsWith("refused", StringComparison.Ordinal) : expected == found;
            Assert.True(isSame, $"seed {seed}: <{text}>{Environment.NewLine}{expected}{Environment.NewLine}{found}");
            refused += isRefused ? 1 : 0;
            withHits += found.Length > 0 ? 1 : 0;
        }

        Assert.InRange(withHits - refused, 500, 1500);
        Assert.InRange(refused, 20, 700);
    }

    [Theory]
    [InlineData("+anna bob")]
    [InlineData("anna bob -carl")]
    [InlineData("-anna")]
    [InlineData("-anna -bob^3")]
    [InlineData("(-anna -bob)")]
    [InlineData("anna (-bob)")]
    [InlineData("+anna +(-bob)")]
    [InlineData("(-anna)^2")]
    [InlineData("(anna^2 bob)^3")]
    [InlineData("((anna^2)^3) bob")]
    [InlineData("anna^0 bob")]
    [InlineData("anna~1 bob~2 carl~0.5")]
    [InlineData("\"anna bob\"~3 AND NOT K:carl*")]
    [InlineData("N:[1 TO 4} OR K:{a TO c] OR T:[* TO *] OR N:[2 TO *]")]
    [InlineData("the")]
    [InlineData("the anna")]
    [InlineData("+the anna")]
    [InlineData("-the anna")]
    [InlineData("W:* -K:/[ab].*/")]
    [InlineData("anna AND bob OR carl")]
    [InlineData("*:* -anna")]
    [InlineData("  ")]
    public void Search_Text_FindsWhatLuceneFindsWithItsScores(string text) => Assert.Equal(Run(() => Earlier("T", text)), Run(() => Today("T", text)));

    [Fact]
    public void Search_TextsOverTheBounds_SayTheSameAsBefore()
    {
        string[] texts =
        [
            new string('a', (64 * 1024) + 1), new string('(', 65) + "a" + new string(')', 65), string.Join(' ', Enumerable.Range(0, 1025).Select(i => $"a{i}")),
            "a~1.5", "a~-1", "a~0", new string('a', 300) + "~", "/(/", "\"open", "(", "T:", "[a TO", "+", "a^b",
        ];
        foreach (string text in texts)
        {
            string found = Run(() => Today("T", text));
            Assert.StartsWith("refused", found, StringComparison.Ordinal);
            Assert.Equal(Run(() => Earlier("T", text)), found);
        }

        string[] allowed =
        [
            new string('a', 64 * 1024), new string('(', 64) + "anna" + new string(')', 64), string.Join(' ', Enumerable.Range(0, 1024).Select(i => $"a{i}")),
        ];
        foreach (string text in allowed)
        {
            Assert.Equal(Run(() => Earlier("T", text)), Run(() => Today("T", text)));
            Assert.DoesNotContain("refused", Run(() => Today("T", text)), StringComparison.Ordinal);
        }
    }

    private static void Fill(IndexEntry entry, string id, Random random)
    {
        entry.Reset(Encoding.UTF8.GetBytes(id));
        entry.AddText(s_text, string.Join(' ', Enumerable.Range(0, 1 + random.Next(5)).Select(_ => RandomClassicTexts.Word(random))));
        if (random.Next(2) == 0)
        {
            entry.AddText(s_spaced, RandomClassicTexts.Word(random).ToUpperInvariant());
        }

        entry.AddText(s_keyword, RandomClassicTexts.Word(random));
        if (random.Next(3) > 0)
        {
            double number = random.Next(10) / 2.0;
            entry.AddDouble(s_number, number, number.ToString(CultureInfo.InvariantCulture));
        }
    }

    private static string Run(Func<string> search)
    {
        try
        {
            return search();
        }
        catch (InvalidSearchException refused)
        {
            return "refused: " + refused.Message;
        }
    }

    private string Today(string field, string text)
    {
        using Searcher searcher = _index.BeginSearch();
        SearchResults found = searcher.Search(RequestOf(field, text), default);
        return string.Join(' ', found.Hits.Select(hit => $"{hit.Ordinal}:{hit.Score:R}"));
    }

    private string Earlier(string field, string text)
    {
        using var searcher = (LuceneSearcher)_index.BeginSearch();
        Query query = EarlierClassicText.Parse(new ClassicQueryNode(field, text), s_fields, new ValueQueries(s_fields), default);
        TopDocs found = HitFinder.Find(searcher.Inner!, query, RequestOf(field, text), s_fields, default);
        return string.Join(' ', found.ScoreDocs.Select(hit => $"{hit.Doc}:{hit.Score:R}"));
    }

    private static SearchRequest RequestOf(string field, string text) => new(new ClassicQueryNode(field, text), [], 0, int.MaxValue) { WithScores = true };
}
