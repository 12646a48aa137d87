using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Search.Tests;

/// <summary>Pieces of texts with the searched words marked, and what they may cost.</summary>
public abstract class HighlightTests : IDisposable
{
    private static readonly IndexField s_text = new("Text") { Indexing = IndexingMode.Text, IsStored = true, HasTermVectors = true };
    private static readonly HighlightRequest s_request = new("Text", 1000, 1, ["<1>", "<2>", "<3>"], ["</>"]);

    private readonly StorageEnvironment _storage;
    private readonly SearchIndex _index;

    protected HighlightTests(SearchEngine engine)
    {
        _storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
        _index = engine.Open(_storage, new IndexFields([s_text]));
        using IndexBatch batch = _index.BeginBatch();
        var entry = new IndexEntry();
        foreach (string text in new[] { "a quick red fox", "some " + new string('a', 40), "foxes and a fox" })
        {
            entry.Reset("e/" + text.Length);
            entry.AddText(s_text, text);
            batch.Add(entry);
        }

        batch.Commit();
    }

    public void Dispose()
    {
        _index.Dispose();
        _storage.Dispose();
    }

    [Fact]
    public void Highlight_SeveralEntries_MarksEachWordByItsPlace()
    {
        SearchNode node = new OrNode([Words("fox"), Words("quick fox*"), new RegexNode("Text", "^r.d$")]);
        Assert.Equal(["a <2>quick</> <1>red</> <1>fox</>", "", "<3>foxes</> and a <1>fox</>"], Highlight(node));
    }

    [Fact]
    public void Highlight_SearchOfTooManyWords_SaysWhatToDo()
    {
        string many = string.Join(' ', Enumerable.Range(0, 1025).Select(i => "w" + i));
        Assert.Contains("more than 1024 words", Assert.Throws<InvalidSearchException>(() => Highlight(Words(many))).Message, StringComparison.Ordinal);
        Assert.Contains("<1>fox</>", Highlight(Words("fox " + many[..5000]))[0], StringComparison.Ordinal);
    }

    [Fact]
    public void Highlight_Cancelled_Ends()
    {
        using Searcher searcher = _index.BeginSearch();
        using var cancellation = new CancellationTokenSource();
        IEnumerable<IReadOnlyList<string>> pieces = searcher.Highlight([0, 1, 2], Words("fox"), s_request, cancellation.Token);
        cancellation.Cancel();
        Assert.ThrowsAny<OperationCanceledException>(() => pieces.ToList());
        Assert.ThrowsAny<OperationCanceledException>(() => searcher.Explain(Words("fox"), 0, cancellation.Token));
    }

    [Fact]
    public void Explain_SeveralEntriesOfOneQuery_ExplainsEach()
    {
        using Searcher searcher = _index.BeginSearch();
        SearchNode node = new OrNode([Words("fox"), new RegexNode("Text", "^q")]);
        string[] values = [.. new[] { 0, 2 }.Select(ordinal => searcher.Explain(node, ordinal, default).Split(' ')[0])];
        Assert.Equal(2, values.Distinct().Count());
        Assert.NotEqual(values[0], searcher.Explain(Words("fox"), 0, default).Split(' ')[0]);
    }

    private static FullTextNode Words(string text) => new("Text", text, WordOperator.Or);

    private string[] Highlight(SearchNode node)
    {
        using Searcher searcher = _index.BeginSearch();
        return [.. searcher.Highlight([0, 1, 2], node, s_request, default).Select(pieces => string.Join('|', pieces))];
    }
}
