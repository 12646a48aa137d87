using Jackdaw.Search.Analysis;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Queries;
using Lucene.Net.Documents;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>Finds entries that have the characteristic words of a source, which are frequent in the source and rare among all entries.</summary>
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

        Dictionary<Term, int> counts = source is null ? CountTexts(TextsOf(reader)) : CountSource(reader, sourceDoc);
        BooleanQuery query = MakeQuery(reader, counts);
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

    private BooleanQuery MakeQuery(IndexReader reader, Dictionary<Term, int> counts)
    {
        SimilarOptions options = node.Options;
        List<(Term Term, double Score)> terms = [];
        int entries = Math.Max(1, reader.NumDocs);
        double share = options.DocumentFrequencyPercentMax is { } percent ? (double)entries * percent / 100 : double.MaxValue;
        double most = Math.Min(options.DocumentFrequencyMax, share);
        foreach ((Term term, int count) in counts)
        {
            cancellation.ThrowIfCancellationRequested();
            int length = term.Text.Length;
            int frequency = reader.DocFreq(term);
            if (count >= options.TermFrequencyMin
                && frequency > 0 && frequency >= options.DocumentFrequencyMin && frequency <= most
                && length >= options.WordLengthMin && (options.WordLengthMax == 0 || length <= options.WordLengthMax)
                && !options.StopWords.Contains(term.Text))
            {
                terms.Add((term, count * (1 + Math.Log((double)entries / (frequency + 1)))));
            }
        }

        var query = new BooleanQuery(disableCoord: true);
        double best = terms.Count == 0 ? 1 : terms.Max(term => term.Score);
        foreach ((Term term, double score) in terms.OrderByDescending(term => term.Score).ThenBy(term => term.Term)
            .Take(Math.Clamp(options.QueryTermsMax, 0, BooleanQuery.MaxClauseCount)))
        {
            float boost = options.IsBoosted && best > 0 ? (float)(options.BoostFactor * score / best) : 1;
            query.Add(new SingleTermQuery(term) { Boost = boost }, Occur.SHOULD);
        }

        return query;
    }

    private IEnumerable<KeyValuePair<string, string>> TextsOf(IndexReader reader)
    {
        IEnumerable<string> names = node.Options.Fields ?? reader.Leaves
            .SelectMany(segment => segment.AtomicReader.Fields ?? Enumerable.Empty<string>()).Where(name => !IndexTerms.IsInternal(name));
        ILookup<string, string> byLastPart = names.Distinct()
            .ToLookup(name => name[(name.LastIndexOf('.') + 1)..], StringComparer.OrdinalIgnoreCase);
        return node.Texts.SelectMany(text => byLastPart[text.Key].Select(field => KeyValuePair.Create(field, text.Value)));
    }

    private Dictionary<Term, int> CountTexts(IEnumerable<KeyValuePair<string, string>> texts)
    {
        Dictionary<Term, int> counts = [];
        Dictionary<string, int> tokens = [];
        foreach ((string field, string text) in texts)
        {
            foreach (TextToken token in AnalyzedText.Of(fields.Find(field), text))
            {
                int read = tokens[field] = tokens.GetValueOrDefault(field) + 1;
                if (read > node.Options.TokensMax)
                {
                    break;
                }

                var term = new Term(field, token.Term);
                counts[term] = counts.GetValueOrDefault(term) + 1;
            }
        }

        return counts;
    }

    private Dictionary<Term, int> CountSource(IndexReader reader, int doc)
    {
        int index = ReaderUtil.SubIndex(doc, reader.Leaves);
        AtomicReader segment = reader.Leaves[index].AtomicReader;
        int local = doc - reader.Leaves[index].DocBase;
        Dictionary<Term, int> counts = [];
        Document stored = segment.Document(local);
        IEnumerable<string> names = node.Options.Fields ?? segment.Fields.Where(name => !IndexTerms.IsInternal(name));
        foreach (string field in names.Distinct())
        {
            string[] texts = stored.GetValues(field);
            if (texts.Length > 0)
            {
                foreach ((Term term, int count) in CountTexts(texts.Select(text => KeyValuePair.Create(field, text))))
                {
                    counts[term] = count;
                }
            }
            else
            {
                CountTerms(segment, local, field, counts);
            }
        }

        return counts;
    }

    // Without a stored text, each term of the field is asked whether the entry has it.
    private void CountTerms(AtomicReader segment, int doc, string field, Dictionary<Term, int> counts)
    {
        DocsEnum? entries = null;
        for (TermsEnum? terms = segment.GetTerms(field)?.GetEnumerator(); terms?.MoveNext() == true;)
        {
            cancellation.ThrowIfCancellationRequested();
            entries = terms.Docs(null, entries, DocsFlags.FREQS);
            if (entries.Advance(doc) == doc)
            {
                counts[new Term(field, BytesRef.DeepCopyOf(terms.Term))] = entries.Freq;
            }
        }
    }
}
