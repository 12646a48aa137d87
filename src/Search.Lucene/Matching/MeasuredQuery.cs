using Jackdaw.Search.Plans;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>Measures another query. It finds the same entries with the same scores.</summary>
internal sealed class MeasuredQuery(Query inner, NodeMeter meter) : Query
{
    public override Query Rewrite(IndexReader reader)
    {
        NodeMeter.Mark began = meter.Begin();
        Query rewritten = inner.Rewrite(reader);
        meter.End(began);
        return ReferenceEquals(rewritten, inner) ? this : new MeasuredQuery(rewritten, meter) { Boost = Boost };
    }

    public override Weight CreateWeight(IndexSearcher searcher)
    {
        HashSet<Term> terms = [];
        inner.ExtractTerms(terms);
        meter.Terms = terms.Count > 0 ? terms.Count : -1;
        NodeMeter.Mark began = meter.Begin();
        Weight weight = inner.CreateWeight(searcher);
        meter.End(began);
        return new MeasuredWeight(this, weight, meter);
    }

    public override void ExtractTerms(ISet<Term> terms) => inner.ExtractTerms(terms);

    public override string ToString(string field) => inner.ToString(field);

    public override bool Equals(object? obj) => ReferenceEquals(this, obj);

    public override int GetHashCode() => System.Runtime.CompilerServices.RuntimeHelpers.GetHashCode(this);

    private sealed class MeasuredWeight(MeasuredQuery query, Weight inner, NodeMeter meter) : Weight
    {
        public override Query Query => query;

        public override Explanation Explain(AtomicReaderContext context, int doc) => inner.Explain(context, doc);

        public override float GetValueForNormalization() => inner.GetValueForNormalization() * query.Boost * query.Boost;

        public override void Normalize(float norm, float topLevelBoost) => inner.Normalize(norm, topLevelBoost * query.Boost);

        public override Scorer? GetScorer(AtomicReaderContext context, IBits acceptDocs)
        {
            NodeMeter.Mark began = meter.Begin();
            Scorer? scorer = inner.GetScorer(context, acceptDocs);
            meter.End(began);
            return scorer is null ? null : new MeasuredScorer(this, scorer, meter);
        }
    }

    private sealed class MeasuredScorer(Weight weight, Scorer inner, NodeMeter meter) : Scorer(weight)
    {
        public override int DocID => inner.DocID;

        public override int Freq => inner.Freq;

        public override float GetScore() => inner.GetScore();

        public override long GetCost() => inner.GetCost();

        public override int NextDoc()
        {
            NodeMeter.Mark began = meter.Begin();
            return Count(inner.NextDoc(), began);
        }

        public override int Advance(int target)
        {
            NodeMeter.Mark began = meter.Begin();
            return Count(inner.Advance(target), began);
        }

        private int Count(int doc, NodeMeter.Mark began)
        {
            meter.End(began);
            meter.Rows += doc == NO_MORE_DOCS ? 0 : 1;
            return doc;
        }
    }
}
