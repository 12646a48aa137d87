using Jackdaw.Search.Analysis;
using Jackdaw.Search.Lucene.Fields;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>Finds entries that have a term for which a condition holds; all get the same score.</summary>
/// <param name="prefix">Only terms that begin with it are tested; empty for all.</param>
/// <param name="matches">The condition. Each search has a condition of its own, which may count and may end the search by an exception.</param>
internal sealed class TermPredicateQuery(
    string field, string description, string prefix, Func<string, bool> matches, CancellationToken cancellation) : MultiTermQuery(field)
{
    /// <summary>The condition.</summary>
    public Func<string, bool> Matches => matches;

    /// <summary>Whether values that are too long to be terms are tested too, and their cut terms are not.</summary>
    public bool SeesLongTexts
    {
        init => MultiTermRewriteMethod = value ? LongTextRewrite.Instance : MultiTermRewriteMethod;
    }

    public override string ToString(string field) => Field + ":" + description;

    // Two queries are equal only when they are the same object, because conditions cannot be compared.
    public override bool Equals(object? obj) => ReferenceEquals(this, obj);

    public override int GetHashCode() => System.Runtime.CompilerServices.RuntimeHelpers.GetHashCode(this);

    protected override TermsEnum GetTermsEnum(Terms terms, AttributeSource atts) =>
        new MatchingTerms(terms.GetEnumerator(), new BytesRef(prefix), matches, cancellation);

    // Most indexes have no long text in the field.
    private Query RewriteFor(IndexReader reader)
    {
        var terms = new TermPredicateQuery(Field, description, prefix, term => !TextAnalyzer.IsCut(term) && matches(term), cancellation) { Boost = Boost };
        return reader.DocFreq(new Term(IndexTerms.Long, Field)) == 0
            ? CONSTANT_SCORE_AUTO_REWRITE_DEFAULT.Rewrite(reader, this)
            : new DisjunctionMaxQuery([terms, new ConstantScoreQuery(new LongTextFilter(Field, matches, cancellation)) { Boost = Boost }], 0);
    }

    private sealed class LongTextRewrite : RewriteMethod
    {
        public static readonly LongTextRewrite Instance = new();

        public override Query Rewrite(IndexReader reader, MultiTermQuery query) => ((TermPredicateQuery)query).RewriteFor(reader);
    }

    private sealed class MatchingTerms : FilteredTermsEnum
    {
        private readonly BytesRef _prefix;
        private readonly Func<string, bool> _matches;
        private readonly CancellationToken _cancellation;

        public MatchingTerms(TermsEnum terms, BytesRef prefix, Func<string, bool> matches, CancellationToken cancellation)
            : base(terms)
        {
            _prefix = prefix;
            _matches = matches;
            _cancellation = cancellation;
            SetInitialSeekTerm(prefix);
        }

        protected override AcceptStatus Accept(BytesRef term)
        {
            _cancellation.ThrowIfCancellationRequested(); // one term may take long, because of the backtracking of a regular expression
            return !StringHelper.StartsWith(term, _prefix) ? AcceptStatus.END
                : _matches(term.Utf8ToString()) ? AcceptStatus.YES : AcceptStatus.NO;
        }
    }
}
