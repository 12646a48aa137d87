using Jackdaw.Search.Lucene.Matching;
using Lucene.Net.Analysis.Core;
using Lucene.Net.Documents;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Store;
using Lucene.Net.Util;

namespace Jackdaw.Search.Tests;

/// <summary>A search that looks at each term of a field ends when nobody wants it any more, whatever a look costs.</summary>
public sealed class TermPredicateTests : IDisposable
{
    private const int Terms = 100;
    private const int LastLook = 10;

    private readonly RAMDirectory _directory = new();
    private readonly DirectoryReader _reader;

    public TermPredicateTests()
    {
        using (var writer = new IndexWriter(_directory, new IndexWriterConfig(LuceneVersion.LUCENE_48, new KeywordAnalyzer())))
        {
            for (int i = 0; i < Terms; i++)
            {
                writer.AddDocument([new StringField("F", $"term{i}", Field.Store.NO)]);
            }
        }

        _reader = DirectoryReader.Open(_directory);
    }

    public void Dispose()
    {
        _reader.Dispose();
        _directory.Dispose();
    }

    [Fact]
    public void Search_CancelledInTheMiddle_LooksAtNoFurtherTerm()
    {
        using var cancellation = new CancellationTokenSource();
        int looks = 0;
        bool Matches(string term)
        {
            if (++looks == LastLook)
            {
                cancellation.Cancel();
            }

            return false;
        }

        Assert.ThrowsAny<OperationCanceledException>(() => Find(Matches, cancellation.Token));
        Assert.Equal(LastLook, looks);
    }

    [Fact]
    public void Search_ThatIsWanted_LooksAtAllTerms() => Assert.Equal(11, Find(term => term.StartsWith("term1", StringComparison.Ordinal), default));

    private int Find(Func<string, bool> matches, CancellationToken cancellation) =>
        new IndexSearcher(_reader).Search(new TermPredicateQuery("F", "test", "", matches, cancellation), Terms).TotalHits;
}
