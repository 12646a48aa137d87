using System.Text.Json;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Models;

/// <summary>Full text in the plainest way, for texts of letters, digits, spaces and commas.</summary>
internal static class PlainWords
{
    private static readonly HashSet<string> s_stopWords =
    [
        .. ("a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with")
            .Split(' '),
    ];

    public static bool IsFound(IReadOnlyList<JsonElement> values, bool isThere, string text, bool isAnd)
    {
        List<List<(string Term, int Position)>> texts = [.. values.Select(TermsOf)];
        List<bool> found = [];
        foreach (string word in SplitWords(text))
        {
            string rest = word.Trim('*');
            if (rest.Length < word.Length)
            {
                found.Add(rest.Length == 0 ? isThere : texts.Any(terms => terms.Any(term => HasPart(term.Term, word, rest))));
                continue;
            }

            List<(string Term, int Position)> wanted = Tokenize(word);
            if (wanted.Count > 0)
            {
                found.Add(texts.Any(terms => HasPhrase(terms, wanted)));
            }
        }

        return found.Count > 0 && (isAnd ? found.All(one => one) : found.Any(one => one));
    }

    private static bool HasPart(string term, string word, string rest)
    {
        string part = rest.ToLowerInvariant();
        bool isOpenBefore = word.StartsWith('*');
        bool isOpenBehind = word.EndsWith('*');
        return isOpenBefore && isOpenBehind ? term.Contains(part, StringComparison.Ordinal)
            : isOpenBefore ? term.EndsWith(part, StringComparison.Ordinal)
            : term.StartsWith(part, StringComparison.Ordinal);
    }

    private static bool HasPhrase(List<(string Term, int Position)> terms, List<(string Term, int Position)> wanted) =>
        terms.Any(first => wanted.All(word => terms.Contains((word.Term, first.Position + word.Position - wanted[0].Position))));

    // A number and a boolean are one term.
    private static List<(string Term, int Position)> TermsOf(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.String => Tokenize(value.GetString()!),
        JsonValueKind.Number or JsonValueKind.True or JsonValueKind.False => [(PlainValues.TextOf(value, isExact: false)!, 0)],
        _ => [],
    };

    private static List<(string Term, int Position)> Tokenize(string text)
    {
        List<(string, int)> terms = [];
        int position = 0;
        foreach (string word in text.Split([' ', ','], StringSplitOptions.RemoveEmptyEntries).SelectMany(Parts))
        {
            string term = word.ToLowerInvariant();
            if (!s_stopWords.Contains(term))
            {
                terms.Add((term, position++)); // a stop word leaves no gap
            }
        }

        return terms;
    }

    // Each ideograph is a word.
    private static string[] Parts(string word) => word.Any(c => c >= '\u4E00') ? [.. word.Select(c => c.ToString())] : [word];

    private static IEnumerable<string> SplitWords(string text)
    {
        string[] parts = text.Split('"');
        for (int i = 0; i < parts.Length; i++)
        {
            foreach (string word in i % 2 == 1 ? [parts[i]] : parts[i].Split(' ', StringSplitOptions.RemoveEmptyEntries))
            {
                if (word.Length > 0)
                {
                    yield return word;
                }
            }
        }
    }
}
