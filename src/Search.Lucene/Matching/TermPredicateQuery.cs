using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>Entries that have a term for which a condition holds; all score the same.</summary>
/// <param name="prefix">Only terms that begin with it are looked at; empty = all.</param>
/// <param name="matches">Asked of each of them. A query of its own for each call: it may count, and give up by an exception.</param>
internal sealed class TermPredicateQuery(
    string field, string description, string prefix, Func<string, bool> matches, CancellationToken cancellation) : MultiTermQuery(field)
{
    public override string ToString(string field) => Field + ":" + description;

    // Two of them are equal only when they are one: conditions cannot be compared.
    public override bool Equals(object? obj) => ReferenceEquals(this, obj);

    public override int GetHashCode() => System.Runtime.CompilerServices.RuntimeHelpers.GetHashCode(this);

    protected override TermsEnum GetTermsEnum(Terms terms, AttributeSource atts) =>
        new Matching(terms.GetEnumerator(), new BytesRef(prefix), matches, cancellation);

    private sealed class Matching : FilteredTermsEnum
    {
        private readonly BytesRef _prefix;
        private readonly Func<string, bool> _matches;
        private readonly CancellationToken _cancellation;

        public Matching(TermsEnum terms, BytesRef prefix, Func<string, bool> matches, CancellationToken cancellation)
            : base(terms)
        {
            _prefix = prefix;
            _matches = matches;
            _cancellation = cancellation;
            SetInitialSeekTerm(prefix);
        }

        protected override AcceptStatus Accept(BytesRef term)
        {
            _cancellation.ThrowIfCancellationRequested(); // one term may take long: a regular expression goes back and forth
            return !StringHelper.StartsWith(term, _prefix) ? AcceptStatus.END
                : _matches(term.Utf8ToString()) ? AcceptStatus.YES : AcceptStatus.NO;
        }
    }
}
