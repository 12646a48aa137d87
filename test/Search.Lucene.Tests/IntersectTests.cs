using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Lucene.Matching;
using Jackdaw.Search.Queries;
using Lucene.Net.Analysis.Core;
using Lucene.Net.Documents;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Store;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Tests;

/// <summary>What conditions met by different entries of a document may cost.</summary>
public sealed class IntersectTests : IDisposable
{
    private const int Ids = 3000;

    private readonly RAMDirectory _directory = new();
    private readonly DirectoryReader _reader;

    /// <summary>Two entries for each id: all have x, every other id y, every tenth z.</summary>
    public IntersectTests()
    {
        using (var writer = new IndexWriter(_directory, new IndexWriterConfig(LuceneVersion.LUCENE_48, new KeywordAnalyzer())))
        {
            for (int i = 0; i < 2 * Ids; i++)
            {
                string id = "e/" + (i / 2);
                var document = new Document { new StringField(IndexTerms.Id, id, Field.Store.NO), new SortedDocValuesField(IndexTerms.Id, new BytesRef(id)) };
                document.Add(new StringField("F", i % 2 == 0 ? "x" : i / 2 % 10 == 0 ? "z" : i / 2 % 2 == 0 ? "y" : "w", Field.Store.NO));
                writer.AddDocument(document);
                if (i % 1000 == 0)
                {
                    writer.Commit(); // several segments
                }
            }
        }

        _reader = DirectoryReader.Open(_directory);
    }

    public void Dispose()
    {
        _reader.Dispose();
        _directory.Dispose();
    }

    [Theory]
    [InlineData("x", "z")]
    [InlineData("z", "x")]
    public void Search_OneConditionOfFewIds_IsWithinTheBound(string first, string second)
    {
        var query = new IntersectQuery([Has(first), Has(second)], default, idsMax: 500);
        Assert.Equal(2 * Ids / 10, Count(query));
        Assert.Equal(2 * Ids / 10, Count(query));
    }

    [Fact]
    public void Search_AllConditionsOfTooManyIds_SaysWhatToDo()
    {
        var query = new IntersectQuery([Has("x"), Has("y")], default, idsMax: 500);
        Assert.Contains("more than 500 documents", Assert.Throws<InvalidSearchException>(() => Count(query)).Message, StringComparison.Ordinal);
        Assert.Equal(0, Count(new IntersectQuery([Has("y"), Has("z")], default, idsMax: 2000)));
    }

    [Fact]
    public void Search_CountedBefore_RunsItsConditionsOnce()
    {
        int runs = 0;
        var query = new IntersectQuery([new CountedQuery(Has("x"), () => runs++), Has("z")], default);
        Assert.Equal(Count(query), Count(query));
        Assert.Equal(1, runs);
    }

    [Fact]
    public void Search_CancelledMeanwhile_EndsWithinAThousandEntries()
    {
        using var cancellation = new CancellationTokenSource();
        var query = new IntersectQuery([new CountedQuery(Has("x"), cancellation.Cancel), Has("z")], cancellation.Token);
        Assert.ThrowsAny<OperationCanceledException>(() => Count(query));
        Query rewritten = new IntersectQuery([Has("x"), Has("x")], default).Rewrite(_reader);
        Assert.Equal(2 * Ids, Count(rewritten));
    }

    private static TermQuery Has(string value) => new(new Term("F", value));

    private int Count(Query query) => new IndexSearcher(_reader).Search(query, 1).TotalHits;

    private sealed class CountedQuery(Query inner, Action run) : Query
    {
        public override Query Rewrite(IndexReader reader)
        {
            run();
            return inner;
        }

        public override string ToString(string field) => "counted";
    }
}
