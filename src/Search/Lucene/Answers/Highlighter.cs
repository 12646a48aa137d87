using System.Text;
using Jackdaw.Search.Analysis;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Lucene.Translation;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Lucene.Answers;

/// <summary>Cuts texts into pieces, marks the words that were searched, and takes the pieces with most of them.</summary>
internal static class Highlighter
{
    /// <param name="texts">Values of the field, in their order.</param>
    /// <param name="words">What marks a word, and as which searched word.</param>
    public static IReadOnlyList<string> Fragments(
        IEnumerable<string> texts, IndexField field, IReadOnlyList<SearchedWord> words, HighlightRequest request)
    {
        List<(string Text, int Hits)> pieces = [];
        foreach (string text in texts)
        {
            AddPieces(text, field, words, request, pieces);
        }

        return [.. pieces.OrderByDescending(piece => piece.Hits).Take(request.FragmentCount).Select(piece => piece.Text)];
    }

    private static void AddPieces(
        string text, IndexField field, IReadOnlyList<SearchedWord> words, HighlightRequest request, List<(string Text, int Hits)> pieces)
    {
        var piece = new StringBuilder();
        int start = 0, copied = 0, hits = 0;
        foreach (TextToken token in AnalyzedText.Of(field, text))
        {
            if (token.End - start > request.FragmentLength && token.Start > start)
            {
                Take(text, piece, copied, token.Start, hits, pieces);
                (start, copied, hits) = (token.Start, token.Start, 0);
            }

            if (token.Start < copied || words.FirstOrDefault(word => word.Matches(token.Term)) is not { Matches: not null } word)
            {
                continue;
            }

            hits++;
            piece.Append(text, copied, token.Start - copied);
            piece.Append(request.PreTags[word.Ordinal % request.PreTags.Count]);
            piece.Append(text, token.Start, token.End - token.Start);
            piece.Append(request.PostTags[word.Ordinal % request.PostTags.Count]);
            copied = token.End;
        }

        Take(text, piece, copied, text.Length, hits, pieces);
    }

    private static void Take(string text, StringBuilder piece, int copied, int end, int hits, List<(string Text, int Hits)> pieces)
    {
        piece.Append(text, copied, end - copied);
        if (hits > 0)
        {
            pieces.Add((piece.ToString().Trim(), hits));
        }

        piece.Clear();
    }
}
