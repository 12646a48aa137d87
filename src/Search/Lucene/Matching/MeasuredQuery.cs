using System.Diagnostics;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>Counts what a node of a search gives, and the time it takes with the nodes below it. One search, one thread.</summary>
internal sealed class NodeMeter(string name, string detail, IReadOnlyList<NodeMeter> inputs)
{
    public string Name => name;

    public string Detail => detail;

    public IReadOnlyList<NodeMeter> Inputs => inputs;

    /// <summary>Entries that the node gave to the one above. A node below an "and" is asked only from where the others are.</summary>
    public long Rows { get; set; }

    /// <summary>Ticks of <see cref="Stopwatch"/>.</summary>
    public long Ticks { get; set; }

    /// <summary>Terms it looks for; -1 when it finds them while it runs.</summary>
    public int Terms { get; set; } = -1;
}

/// <summary>Another query, measured. It finds and scores the same.</summary>
internal sealed class MeasuredQuery(Query inner, NodeMeter meter) : Query
{
    public override Query Rewrite(IndexReader reader)
    {
        long started = Stopwatch.GetTimestamp();
        Query rewritten = inner.Rewrite(reader);
        meter.Ticks += Stopwatch.GetTimestamp() - started;
        return ReferenceEquals(rewritten, inner) ? this : new MeasuredQuery(rewritten, meter) { Boost = Boost };
    }

    public override Weight CreateWeight(IndexSearcher searcher)
    {
        HashSet<Term> terms = [];
        inner.ExtractTerms(terms);
        meter.Terms = terms.Count > 0 ? terms.Count : -1;
        return new MeasuredWeight(this, inner.CreateWeight(searcher), meter);
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
            long started = Stopwatch.GetTimestamp();
            Scorer? scorer = inner.GetScorer(context, acceptDocs);
            meter.Ticks += Stopwatch.GetTimestamp() - started;
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
            long started = Stopwatch.GetTimestamp();
            return Count(inner.NextDoc(), started);
        }

        public override int Advance(int target)
        {
            long started = Stopwatch.GetTimestamp();
            return Count(inner.Advance(target), started);
        }

        private int Count(int doc, long started)
        {
            meter.Ticks += Stopwatch.GetTimestamp() - started;
            meter.Rows += doc == NO_MORE_DOCS ? 0 : 1;
            return doc;
        }
    }
}
