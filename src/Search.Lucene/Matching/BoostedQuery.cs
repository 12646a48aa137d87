using Jackdaw.Search.Lucene.Fields;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>Finds the same entries as another query, and multiplies their scores by a factor that each entry has in a column.</summary>
/// <param name="column">A column of <see cref="BoostColumn"/>.</param>
internal sealed class BoostedQuery(Query inner, string column) : Query
{
    public Query Inner => inner;

    public override Query Rewrite(IndexReader reader)
    {
        Query rewritten = inner.Rewrite(reader);
        return ReferenceEquals(rewritten, inner) ? this : new BoostedQuery(rewritten, column) { Boost = Boost };
    }

    public override Weight CreateWeight(IndexSearcher searcher) => new BoostedWeight(this, inner.CreateWeight(searcher), column);

    public override void ExtractTerms(ISet<Term> terms) => inner.ExtractTerms(terms);

    public override string ToString(string field) => inner.ToString(field);

    public override bool Equals(object? obj) => ReferenceEquals(this, obj);

    public override int GetHashCode() => System.Runtime.CompilerServices.RuntimeHelpers.GetHashCode(this);

    private sealed class BoostedWeight(BoostedQuery query, Weight inner, string column) : Weight
    {
        public override Query Query => query;

        public override Explanation Explain(AtomicReaderContext context, int doc)
        {
            Explanation found = inner.Explain(context, doc);
            float factor = BoostColumn.Factor(context.AtomicReader.GetNumericDocValues(column), doc);
            if (!found.IsMatch || factor == 1)
            {
                return found;
            }

            var explained = new ComplexExplanation(true, found.Value * factor, "product of:");
            explained.AddDetail(found);
            explained.AddDetail(new Explanation(factor, BoostColumn.Describe(column)));
            return explained;
        }

        public override float GetValueForNormalization() => inner.GetValueForNormalization() * query.Boost * query.Boost;

        public override void Normalize(float norm, float topLevelBoost) => inner.Normalize(norm, topLevelBoost * query.Boost);

        public override Scorer? GetScorer(AtomicReaderContext context, IBits acceptDocs)
        {
            Scorer? scorer = inner.GetScorer(context, acceptDocs);
            NumericDocValues? factors = scorer is null ? null : context.AtomicReader.GetNumericDocValues(column);
            return factors is null ? scorer : new BoostedScorer(this, scorer!, factors);
        }
    }

    private sealed class BoostedScorer(Weight weight, Scorer inner, NumericDocValues factors) : Scorer(weight)
    {
        public override int DocID => inner.DocID;

        public override int Freq => inner.Freq;

        public override float GetScore() => inner.GetScore() * BoostColumn.Factor(factors, inner.DocID);

        public override long GetCost() => inner.GetCost();

        public override int NextDoc() => inner.NextDoc();

        public override int Advance(int target) => inner.Advance(target);
    }
}
