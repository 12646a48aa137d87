using Jackdaw.Search.Analysis;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Patterns;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Matching;

namespace Jackdaw.Search.Segments.Compiling;

/// <summary>Makes the matchers of patterns and of similar terms. One search.</summary>
internal sealed class PatternCompiler(FieldTable table, IndexFields fields, CancellationToken cancellation)
{
    public Matcher Prefix(string field, string text) => Terms(field, AnalyzedText.PartOf(fields.Find(field), text), null);

    public Matcher Suffix(string field, string text)
    {
        string form = AnalyzedText.PartOf(fields.Find(field), text);
        return Terms(field, "", term => term.EndsWith(form, StringComparison.Ordinal));
    }

    public Matcher Contains(string field, string text)
    {
        string form = AnalyzedText.PartOf(fields.Find(field), text);
        return Terms(field, "", term => term.Contains(form, StringComparison.Ordinal));
    }

    public Matcher Wildcard(string field, string pattern, bool hasSingle)
    {
        var wildcard = new WildcardPattern(AnalyzedText.PatternOf(fields.Find(field), pattern, hasSingle), hasSingle);
        return Terms(field, wildcard.Prefix, wildcard.IsMatch);
    }

    public Matcher Regex(string field, string pattern) => Terms(field, "", new RegexMatcher(pattern).IsMatch);

    public Matcher Fuzzy(FuzzyNode node)
    {
        if (!(node.Similarity is > 0 and <= 1))
        {
            throw new InvalidSearchException($"A similarity of {node.Similarity} is not possible: use a number above 0, up to 1.");
        }

        string form = TextAnalyzers.Of(fields.Find(node.Field)).Normalize(node.Text);
        return Near(node.Field, form, TermDistance.EditsOf(TermDistance.ToCharacters(form).Length, node.Similarity));
    }

    /// <summary>Finds terms within a number of edits of a term, which has the form of the field's terms.</summary>
    public Matcher Near(string field, string form, int edits)
    {
        int[] characters = TermDistance.ToCharacters(form);
        if (characters.Length > TermDistance.LengthMax)
        {
            throw new InvalidSearchException($"A text that is searched fuzzily has at most {TermDistance.LengthMax} characters.");
        }

        return Terms(field, "", found => TermDistance.IsWithin(characters, TermDistance.ToCharacters(found), edits), seesLongTexts: false);
    }

    private Matcher Terms(string field, string prefix, Func<string, bool>? matches, bool seesLongTexts = true) =>
        table.Find(field) is { } known && known.Has(FieldTraits.Terms)
            ? new TermsMatcher(known, new PatternSelector(prefix, matches, seesLongTexts && known.Has(FieldTraits.LongTexts)), cancellation)
            : new NoneMatcher();
}
