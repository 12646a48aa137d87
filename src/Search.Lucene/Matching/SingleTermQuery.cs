using System.Globalization;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Search.Similarities;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>Finds entries that have one term, with the same scores as Lucene's own query of a term, but with cursors that are used again.</summary>
internal sealed class SingleTermQuery(Term term) : Query
{
    public Term Term => term;

    // Filters of Lucene search a single segment with searchers of their own.
    public override Weight CreateWeight(IndexSearcher searcher) => searcher is SharedSearcher shared
        ? new TermWeight(this, shared)
        : new TermQuery(term) { Boost = Boost }.CreateWeight(searcher);

    public override void ExtractTerms(ISet<Term> terms) => terms.Add(term);

    public override string ToString(string field)
    {
        string name = term.Field == field ? "" : term.Field + ":";
        return name + term.Text + ToStringUtils.Boost(Boost);
    }

    public override bool Equals(object? obj) => obj is SingleTermQuery other && other.Boost.Equals(Boost) && other.Term.Equals(term);

    public override int GetHashCode() => HashCode.Combine(Boost, term);

    private sealed class TermWeight : Weight
    {
        private readonly SingleTermQuery _query;
        private readonly TermCursors _cursors;
        private readonly TermContext _states;
        private readonly Similarity _similarity;
        private readonly Similarity.SimWeight _weight;

        public TermWeight(SingleTermQuery query, SharedSearcher searcher)
        {
            _query = query;
            _cursors = searcher.Cursors;
            _states = _cursors.Find(query.Term);
            _similarity = searcher.Similarity;
            _weight = _similarity.ComputeWeight(
                query.Boost, searcher.CollectionStatistics(query.Term.Field), searcher.TermStatistics(query.Term, _states));
        }

        public override Query Query => _query;

        public override float GetValueForNormalization() => _weight.GetValueForNormalization();

        public override void Normalize(float norm, float topLevelBoost) => _weight.Normalize(norm, topLevelBoost);

        public override Scorer? GetScorer(AtomicReaderContext context, IBits? acceptDocs) =>
            _states.Get(context.Ord) is { } state
                ? new TermScorer(this, _cursors.Open(context.Ord, _query.Term, state, acceptDocs), _similarity.GetSimScorer(_weight, context))
                : null;

        public override Explanation Explain(AtomicReaderContext context, int doc)
        {
            if (GetScorer(context, context.AtomicReader.LiveDocs) is not { } scorer || scorer.Advance(doc) != doc)
            {
                return new ComplexExplanation(false, 0, "no matching term");
            }

            var frequency = new Explanation(scorer.Freq, string.Create(CultureInfo.InvariantCulture, $"termFreq={(float)scorer.Freq}"));
            Explanation score = _similarity.GetSimScorer(_weight, context).Explain(doc, frequency);
            var explained = new ComplexExplanation(true, score.Value, $"weight({_query} in {doc}), result of:");
            explained.AddDetail(score);
            return explained;
        }
    }

    private sealed class TermScorer(Weight weight, DocsEnum entries, Similarity.SimScorer similarity) : Scorer(weight)
    {
        public override int DocID => entries.DocID;

        public override int Freq => entries.Freq;

        public override float GetScore() => similarity.Score(entries.DocID, entries.Freq);

        public override long GetCost() => entries.GetCost();

        public override int NextDoc() => entries.NextDoc();

        public override int Advance(int target) => entries.Advance(target);
    }
}
