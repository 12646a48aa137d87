using System.Globalization;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Analysis.Tests.Reading;

/// <summary>Short texts for trees of conditions.</summary>
internal static class TreeText
{
    public static string Of(SearchNode node) => node switch
    {
        AllNode => "all",
        NoneNode => "none",
        AndNode and => $"and({Of(and.Nodes)})",
        OrNode or => $"or({Of(or.Nodes)})",
        OptionalNode optional => $"optional({Of(optional.Nodes)})",
        NotNode not => $"not({Of(not.Node)})",
        BoostNode boost => string.Create(CultureInfo.InvariantCulture, $"{Of(boost.Node)}^{boost.Factor}"),
        PhraseNode { Words: [var word] } phrase => $"{phrase.Field}:{word.Term}",
        PhraseNode phrase => $"{phrase.Field}:\"{string.Join(' ', phrase.Words.Select(word => $"{word.Term}@{word.Position}"))}\"~{phrase.Slop}",
        ExistsNode exists => $"{exists.Field}:*",
        PrefixNode prefix => $"{prefix.Field}:{prefix.Text}*",
        SuffixNode suffix => $"{suffix.Field}:*{suffix.Text}",
        ContainsNode part => $"{part.Field}:*{part.Text}*",
        WildcardNode pattern => $"{pattern.Field}:{pattern.Pattern}{(pattern.HasSingle ? "" : " without ?")}",
        RegexNode pattern => $"{pattern.Field}:/{pattern.Pattern}/",
        FuzzyNode fuzzy => string.Create(CultureInfo.InvariantCulture, $"{fuzzy.Field}:{fuzzy.Text}~{fuzzy.Similarity}"),
        NearNode near => $"{near.Field}:{near.Text} within {near.Edits}",
        RangeNode range => $"{range.Field}:{(range.IncludesLow ? '[' : '{')}{Of(range.Low)} TO {Of(range.High)}{(range.IncludesHigh ? ']' : '}')} {range.Kind}",
        _ => node.ToString(),
    };

    private static string Of(SearchValue? value) => value switch
    {
        null => "*",
        TextValue text => $"'{text.Text}'",
        LongValue number => $"{number.Value.ToString(CultureInfo.InvariantCulture)}",
        DoubleValue number => $"{number.Value.ToString("F", CultureInfo.InvariantCulture)}",
        _ => value.ToString(),
    };

    private static string Of(IReadOnlyList<SearchNode> nodes) => string.Join(", ", nodes.Select(Of));
}
