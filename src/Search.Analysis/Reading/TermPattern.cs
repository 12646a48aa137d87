using System.Text;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Patterns;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Analysis.Reading;

/// <summary>Whether a term meets a condition.</summary>
public delegate bool PatternTest(ReadOnlySpan<char> term);

/// <summary>A condition on single terms of a field, in the form of these terms. One search.</summary>
public sealed class TermPattern
{
    private readonly PatternTest _matches;

    private TermPattern(string text, string prefix, PatternTest matches, bool isOfAll = false)
    {
        Text = text;
        Prefix = prefix;
        _matches = matches;
        IsOfAll = isOfAll;
    }

    /// <summary>The pattern for people.</summary>
    public string Text { get; }

    /// <summary>The text with which each term begins that meets the condition.</summary>
    public string Prefix { get; }

    /// <summary>UTF-8 that each term has that meets the condition, and no other term; null when the condition is not of that kind.</summary>
    public byte[]? Part { get; private init; }

    /// <summary>Whether the part stands at the end of the term.</summary>
    public bool IsPartAtEnd { get; private init; }

    /// <summary>Whether the pattern names no character, so that it finds all terms.</summary>
    public bool IsOfAll { get; }

    /// <summary>The condition that a node has; null for nodes that have no condition on single terms.</summary>
    /// <param name="fields">The settings of the fields of the index.</param>
    /// <exception cref="InvalidSearchException">The text is not a regular expression, or the analyzer, which a user wrote, fails on it.</exception>
    public static TermPattern? Of(SearchNode node, IndexFields fields) => node switch
    {
        PrefixNode prefix => OfPrefix(AnalyzedText.PartOf(fields.Find(prefix.Field), prefix.Text)),
        SuffixNode suffix => OfSuffix(AnalyzedText.PartOf(fields.Find(suffix.Field), suffix.Text)),
        ContainsNode part => OfPart(AnalyzedText.PartOf(fields.Find(part.Field), part.Text)),
        WildcardNode wildcard => OfWildcard(AnalyzedText.PatternOf(fields.Find(wildcard.Field), wildcard.Pattern, wildcard.HasSingle), wildcard.HasSingle),
        RegexNode regex => new TermPattern($"/{regex.Pattern}/", "", new RegexMatcher(regex.Pattern).IsMatch),
        _ => null,
    };

    /// <summary>Whether a term meets the condition.</summary>
    /// <exception cref="InvalidSearchException">A regular expression takes too long.</exception>
    public bool IsMatch(ReadOnlySpan<char> term) => _matches(term);

    private static TermPattern OfPrefix(string form) =>
        new(form + "*", form, term => term.StartsWith(form, StringComparison.Ordinal), form.Length == 0);

    private static TermPattern OfSuffix(string form) =>
        new("*" + form, "", term => term.EndsWith(form, StringComparison.Ordinal), form.Length == 0) { Part = PartOf(form), IsPartAtEnd = true };

    private static TermPattern OfPart(string form) =>
        new("*" + form + "*", "", term => term.Contains(form, StringComparison.Ordinal), form.Length == 0) { Part = PartOf(form) };

    // Half of a pair of surrogates is in a text, but not in its UTF-8.
    private static byte[]? PartOf(string form)
    {
        byte[] part = Encoding.UTF8.GetBytes(form);
        return Encoding.UTF8.GetString(part) == form ? part : null;
    }

    private static TermPattern OfWildcard(string form, bool hasSingle)
    {
        var pattern = new WildcardPattern(form, hasSingle);
        return new TermPattern(form, pattern.Prefix, pattern.IsMatch, form.AsSpan().Trim('*').IsEmpty);
    }
}
