using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>Entries that have a term for which a condition holds; all score the same.</summary>
/// <param name="prefix">Only terms that begin with it are looked at; empty = all.</param>
internal sealed class TermPredicateQuery(string field, string description, string prefix, Func<string, bool> matches) : MultiTermQuery(field)
{
    public override string ToString(string field) => Field + ":" + description;

    protected override TermsEnum GetTermsEnum(Terms terms, AttributeSource atts) => new Matching(terms.GetEnumerator(), new BytesRef(prefix), matches);

    private sealed class Matching : FilteredTermsEnum
    {
        private readonly BytesRef _prefix;
        private readonly Func<string, bool> _matches;

        public Matching(TermsEnum terms, BytesRef prefix, Func<string, bool> matches)
            : base(terms)
        {
            _prefix = prefix;
            _matches = matches;
            SetInitialSeekTerm(prefix);
        }

        protected override AcceptStatus Accept(BytesRef term) =>
            !StringHelper.StartsWith(term, _prefix) ? AcceptStatus.END : _matches(term.Utf8ToString()) ? AcceptStatus.YES : AcceptStatus.NO;
    }
}
