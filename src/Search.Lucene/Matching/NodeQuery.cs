using System.Runtime.CompilerServices;
using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Queries;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>Finds entries with a node that has a score; their scores are those of their best nodes.</summary>
internal sealed class NodeQuery(string field, NodeScores scores) : Query
{
    public override Weight CreateWeight(IndexSearcher searcher) => new NodeWeight(this, field, scores, (searcher as SharedSearcher)?.Cursors);

    public override void ExtractTerms(ISet<Term> terms)
    {
        // Nodes are not words.
    }

    public override string ToString(string? defaultField) => $"vector({field}: {scores.Describe()})";

    public override bool Equals(object? obj) => ReferenceEquals(this, obj);

    public override int GetHashCode() => RuntimeHelpers.GetHashCode(this);

    /// <param name="cursors">Null in filters of Lucene, which search a single segment with searchers of their own.</param>
    private sealed class NodeWeight(NodeQuery query, string field, NodeScores scores, TermCursors? cursors) : Weight
    {
        private readonly string _terms = IndexTerms.Nodes(field);
        private float _boost = 1;

        public override Query Query => query;

        public override float GetValueForNormalization() => query.Boost * query.Boost;

        public override void Normalize(float norm, float topLevelBoost) => _boost = query.Boost * topLevelBoost;

        public override Scorer? GetScorer(AtomicReaderContext context, IBits? acceptDocs)
        {
            AtomicReader reader = context.AtomicReader;
            TermsEnum? cursor = cursors is null ? reader.GetTerms(_terms)?.GetEnumerator() : cursors.Take(context.Ord, _terms);
            if (cursor is null)
            {
                return null;
            }

            Scorer scorer = scores.Nodes is { } nodes
                ? new FoundScorer(this, Find(cursor, nodes, acceptDocs))
                : new ColumnScorer(this, new NodeColumn(reader, field), reader.MaxDoc, acceptDocs);
            cursors?.GiveBack(context.Ord, _terms, cursor);
            return scorer;
        }

        public override Explanation Explain(AtomicReaderContext context, int doc) =>
            new NodeColumn(context.AtomicReader, field).TryScore(doc, scores, out float score)
                ? new ComplexExplanation(true, score * _boost, _boost == 1 ? "cosine of the nearest vector" : $"cosine of the nearest vector, times {_boost}")
                : new ComplexExplanation(false, 0, "no vector was found");

        private (int Doc, float Score)[] Find(TermsEnum terms, uint[] nodes, IBits? acceptDocs)
        {
            var found = new Dictionary<int, float>();
            DocsEnum? docs = null;
            foreach (uint node in nodes)
            {
                if (!terms.SeekExact(new BytesRef(IndexTerms.NodeTerm(node))) || !scores.TryGet(node, out float score))
                {
                    continue;
                }

                docs = terms.Docs(acceptDocs, docs, DocsFlags.NONE);
                for (int doc = docs.NextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.NextDoc())
                {
                    found[doc] = Math.Max(score, found.GetValueOrDefault(doc, float.NegativeInfinity));
                }
            }

            return [.. found.Select(one => (one.Key, one.Value)).OrderBy(one => one.Key)];
        }

        /// <summary>Goes through entries that were found before.</summary>
        private sealed class FoundScorer(NodeWeight weight, (int Doc, float Score)[] found) : Scorer(weight)
        {
            private int _at = -1;

            public override int DocID => _at < 0 ? -1 : _at < found.Length ? found[_at].Doc : NO_MORE_DOCS;

            public override int Freq => 1;

            public override float GetScore() => found[_at].Score * weight._boost;

            public override long GetCost() => found.Length;

            public override int NextDoc()
            {
                _at = Math.Min(_at + 1, found.Length);
                return DocID;
            }

            public override int Advance(int target)
            {
                do
                {
                    _at = Math.Min(_at + 1, found.Length);
                }
                while (DocID < target);
                return DocID;
            }
        }

        /// <summary>Asks for the nodes of each entry.</summary>
        private sealed class ColumnScorer(NodeWeight weight, NodeColumn column, int maxDoc, IBits? acceptDocs) : Scorer(weight)
        {
            private readonly NodeScores _scores = weight.Scores;
            private int _doc = -1;
            private float _score;

            public override int DocID => _doc;

            public override int Freq => 1;

            public override float GetScore() => _score * weight._boost;

            public override long GetCost() => maxDoc;

            public override int NextDoc() => Advance(_doc + 1);

            public override int Advance(int target)
            {
                for (_doc = target; _doc < maxDoc; _doc++)
                {
                    if (acceptDocs?.Get(_doc) != false && column.TryScore(_doc, _scores, out _score))
                    {
                        return _doc;
                    }
                }

                return _doc = NO_MORE_DOCS;
            }
        }

        private NodeScores Scores => scores;
    }
}
