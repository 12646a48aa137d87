using Jackdaw.Search.Analysis;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Lucene.Matching;
using Jackdaw.Search.Queries;
using Lucene.Net.Index;
using Lucene.Net.Search;

namespace Jackdaw.Search.Lucene.Translation;

/// <summary>Makes queries of full text. One search.</summary>
internal sealed class TextQueries(IndexFields fields, PatternQueries patterns)
{
    public Query FullText(FullTextNode node)
    {
        if (node.Slop is { } slop)
        {
            return Phrase(node.Field, node.Text, slop) ?? new BooleanQuery();
        }

        Query[] words = [.. TextWords.Split(node.Text).Select(word => Word(node.Field, word)).OfType<Query>()];
        return words.Length > 0 && node.Operator == WordOperator.And ? Clauses.All(words) : Clauses.Any(words);
    }

    /// <summary>Finds the words of a text with at most a number of positions between them; null when the analyzer leaves no words.</summary>
    public Query? Phrase(string field, string text, int slop)
    {
        if (slop < 0)
        {
            throw new InvalidSearchException($"A proximity of {slop} is not possible: use 0 or more.");
        }

        IReadOnlyList<TextToken> tokens = AnalyzedText.Of(fields.Find(field), text);
        if (tokens.Count < 2)
        {
            return tokens.Count == 0 ? null : new SingleTermQuery(new Term(field, tokens[0].Term));
        }

        var phrase = new PhraseQuery { Slop = slop };
        foreach (TextToken token in tokens)
        {
            phrase.Add(new Term(field, token.Term), token.Position - tokens[0].Position);
        }

        return phrase;
    }

    private Query? Word(string field, string word)
    {
        if (!word.Contains('*', StringComparison.Ordinal))
        {
            return Phrase(field, word, 0);
        }

        string rest = word.Trim('*');
        bool atStart = word[0] == '*';
        bool atEnd = word[^1] == '*';
        return rest.Length == 0 ? new SingleTermQuery(new Term(IndexTerms.Present, field))
            : rest.Contains('*', StringComparison.Ordinal) ? patterns.Wildcard(field, word, hasSingle: false)
            : !atStart ? patterns.Prefix(field, rest)
            : atEnd ? patterns.Contains(field, rest) : patterns.Suffix(field, rest);
    }
}
