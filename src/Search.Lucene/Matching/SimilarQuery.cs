using Jackdaw.Search.Analysis.Reading;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Queries;
using Lucene.Net.Documents;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>Finds entries that have the characteristic words of a source.</summary>
/// <remarks>The words are chosen when the query is rewritten.</remarks>
internal sealed class SimilarQuery(SimilarNode node, Query? source, IndexFields fields, CancellationToken cancellation) : Query
{
    public override Query Rewrite(IndexReader reader)
    {
        int sourceDoc = -1;
        if (source is not null)
        {
            TopDocs first = new IndexSearcher(reader).Search(source, 1);
            if (first.ScoreDocs.Length == 0)
            {
                return new BooleanQuery();
            }

            sourceDoc = first.ScoreDocs[0].Doc;
        }

        var words = new SimilarWords(node.Options, fields, cancellation);
        if (source is null)
        {
            AddTexts(reader, words);
        }
        else
        {
            AddSource(reader, sourceDoc, words);
        }

        BooleanQuery query = MakeQuery(reader, words);
        return source is null || query.Clauses.Count == 0
            ? query
            : new BooleanQuery { { query, Occur.MUST }, { new SingleTermQuery(IdOf(reader, sourceDoc)), Occur.MUST_NOT } };
    }

    // Other entries of the source's document belong to the source too; entries of other documents that its condition finds do not.
    private static Term IdOf(IndexReader reader, int doc)
    {
        AtomicReaderContext segment = reader.Leaves[ReaderUtil.SubIndex(doc, reader.Leaves)];
        var id = new BytesRef();
        segment.AtomicReader.GetSortedDocValues(IndexTerms.Id).Get(doc - segment.DocBase, id);
        return new Term(IndexTerms.Id, BytesRef.DeepCopyOf(id));
    }

    public override string ToString(string field) => "similar";

    private static BooleanQuery MakeQuery(IndexReader reader, SimilarWords words)
    {
        var query = new BooleanQuery(disableCoord: true);
        foreach (WeightedWord word in words.Choose(
            reader.NumDocs, (field, term) => reader.DocFreq(new Term(field, term)), BooleanQuery.MaxClauseCount))
        {
            query.Add(new SingleTermQuery(new Term(word.Field, word.Term)) { Boost = word.Boost }, Occur.SHOULD);
        }

        return query;
    }

    private void AddTexts(IndexReader reader, SimilarWords words)
    {
        IEnumerable<string> names = reader.Leaves
            .SelectMany(segment => segment.AtomicReader.Fields ?? Enumerable.Empty<string>()).Where(name => !IndexTerms.IsInternal(name));
        foreach ((string field, string text) in SimilarWords.TextsOf(node, names))
        {
            words.AddText(field, text);
        }
    }

    private void AddSource(IndexReader reader, int doc, SimilarWords words)
    {
        int index = ReaderUtil.SubIndex(doc, reader.Leaves);
        AtomicReader segment = reader.Leaves[index].AtomicReader;
        int local = doc - reader.Leaves[index].DocBase;
        Document stored = segment.Document(local);
        IEnumerable<string> names = node.Options.Fields ?? segment.Fields.Where(name => !IndexTerms.IsInternal(name));
        foreach (string field in names.Distinct())
        {
            string[] texts = stored.GetValues(field);
            foreach (string text in texts)
            {
                words.AddText(field, text);
            }

            if (texts.Length == 0)
            {
                AddTerms(segment, local, field, words);
            }
        }
    }

    // Without a stored text, each term of the field is asked whether the entry has it.
    private void AddTerms(AtomicReader segment, int doc, string field, SimilarWords words)
    {
        DocsEnum? entries = null;
        for (TermsEnum? terms = segment.GetTerms(field)?.GetEnumerator(); terms?.MoveNext() == true;)
        {
            cancellation.ThrowIfCancellationRequested();
            entries = terms.Docs(null, entries, DocsFlags.FREQS);
            if (entries.Advance(doc) == doc)
            {
                words.AddTerm(field, terms.Term.Utf8ToString(), entries.Freq);
            }
        }
    }
}
