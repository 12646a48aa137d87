using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Analysis.Reading;

/// <summary>Turns searches in full text into conditions that need no analyzer.</summary>
public static class FullText
{
    /// <summary>The words, phrases and patterns of a full-text search.</summary>
    /// <returns><see cref="NoneNode"/> when the analyzer leaves no words.</returns>
    /// <exception cref="InvalidSearchException">The slop is negative, or the analyzer, which a user wrote, fails on the text.</exception>
    public static SearchNode Read(FullTextNode node, IndexFields fields)
    {
        IndexField field = fields.Find(node.Field);
        if (node.Slop is { } slop)
        {
            return Phrase(field, node.Text, slop);
        }

        SearchNode[] words = [.. TextWords.Split(node.Text).Select(word => Word(field, word)).Where(word => word is not NoneNode)];
        return words.Length switch
        {
            0 => new NoneNode(),
            1 => words[0],
            _ => node.Operator == WordOperator.And ? new AndNode(words) : new OrNode(words),
        };
    }

    /// <summary>The words of a text as one phrase.</summary>
    /// <returns><see cref="NoneNode"/> when the analyzer leaves no words.</returns>
    /// <exception cref="InvalidSearchException">The slop is negative, or the analyzer, which a user wrote, fails on the text.</exception>
    public static SearchNode Phrase(IndexField field, string text, int slop)
    {
        if (slop < 0)
        {
            throw new InvalidSearchException($"A proximity of {slop} is not possible: use 0 or more.");
        }

        IReadOnlyList<TextToken> tokens = AnalyzedText.Of(field, text);
        return tokens.Count == 0
            ? new NoneNode()
            : new PhraseNode(field.Name, [.. tokens.Select(token => new PhraseWord(token.Term, token.Position - tokens[0].Position))], slop);
    }

    // A word with stars is a pattern, in which a question mark means itself.
    private static SearchNode Word(IndexField field, string word)
    {
        if (!word.Contains('*', StringComparison.Ordinal))
        {
            return Phrase(field, word, 0);
        }

        string rest = word.Trim('*');
        bool atStart = word[0] == '*';
        bool atEnd = word[^1] == '*';
        return rest.Length == 0 ? new ExistsNode(field.Name)
            : rest.Contains('*', StringComparison.Ordinal) ? new WildcardNode(field.Name, word, HasSingle: false)
            : !atStart ? new PrefixNode(field.Name, rest)
            : atEnd ? new ContainsNode(field.Name, rest) : new SuffixNode(field.Name, rest);
    }
}
