using Jackdaw.Search.Analysis;
using Jackdaw.Search.Lucene.Matching;
using Jackdaw.Search.Patterns;
using Jackdaw.Search.Queries;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util.Automaton;

namespace Jackdaw.Search.Lucene.Translation;

/// <summary>Makes queries that find terms by patterns and by similarity. One search.</summary>
internal sealed class PatternQueries(ValueQueries values, CancellationToken cancellation)
{
    /// <summary>The most edits for which the engine finds terms without reading all of them.</summary>
    private const int AutomatonEditsMax = 2;

    public Query Prefix(string field, string text)
    {
        string form = values.PartOf(field, text);
        return Terms(field, form + "*", form, term => term.StartsWith(form, StringComparison.Ordinal));
    }

    public Query Suffix(string field, string text)
    {
        string form = values.PartOf(field, text);
        return Terms(field, "*" + form, "", term => term.EndsWith(form, StringComparison.Ordinal));
    }

    public Query Contains(string field, string text)
    {
        string form = values.PartOf(field, text);
        return Terms(field, "*" + form + "*", "", term => term.Contains(form, StringComparison.Ordinal));
    }

    /// <param name="hasSingle">Whether a question mark means any one character.</param>
    public Query Wildcard(string field, string pattern, bool hasSingle = true)
    {
        string form = values.PatternOf(field, pattern, hasSingle);
        var wildcard = new WildcardPattern(form, hasSingle);
        return Terms(field, form, wildcard.Prefix, wildcard.IsMatch);
    }

    public Query Regex(string field, string pattern) => Terms(field, $"/{pattern}/", "", new RegexMatcher(pattern).IsMatch);

    public Query Fuzzy(FuzzyNode node)
    {
        if (!(node.Similarity is > 0 and <= 1))
        {
            throw new InvalidSearchException($"A similarity of {node.Similarity} is not possible: use a number above 0, up to 1.");
        }

        string form = values.Normalize(node.Field, node.Text);
        return Near(node.Field, form, TermDistance.EditsOf(TermDistance.ToCharacters(form).Length, node.Similarity));
    }

    /// <summary>Finds terms within a number of edits of a term, which has the form of the field's terms.</summary>
    public Query Near(string field, string form, int edits)
    {
        int[] characters = TermDistance.ToCharacters(form);
        if (characters.Length > TermDistance.LengthMax)
        {
            throw new InvalidSearchException($"A text that is searched fuzzily has at most {TermDistance.LengthMax} characters.");
        }

        var term = new Term(field, form);
        return edits == 0 ? new ConstantScoreQuery(new SingleTermQuery(term))
            : edits <= AutomatonEditsMax ? new AutomatonQuery(term, new LevenshteinAutomata(form, withTranspositions: false).ToAutomaton(edits))
            : new TermPredicateQuery(
                field, $"{form}~{edits}", "", found => TermDistance.IsWithin(characters, TermDistance.ToCharacters(found), edits), cancellation);
    }

    private TermPredicateQuery Terms(string field, string description, string prefix, Func<string, bool> matches) =>
        new(field, description, prefix, matches, cancellation) { SeesLongTexts = true };
}
