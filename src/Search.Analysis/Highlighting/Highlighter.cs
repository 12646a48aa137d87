using System.Text;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Analysis.Highlighting;

/// <summary>Cuts texts into pieces, marks the searched words in them, and takes the pieces with the most of these words.</summary>
/// <remarks>One thread.</remarks>
/// <param name="words">Tells whether a word is marked, and which searched word it is.</param>
public sealed class Highlighter(IndexField field, SearchedWords words, HighlightRequest request, CancellationToken cancellation)
{
    /// <summary>The number of words of a text between two checks of the token, because a pattern may take some time for each word. A power of two.</summary>
    private const int LookInterval = 64;

    private int _seen;

    /// <summary>The best pieces of an entry, those with the most words first.</summary>
    /// <param name="texts">The values of the field, in their order.</param>
    /// <exception cref="InvalidSearchException">A pattern takes too long, or the analyzer, which a user wrote, fails on a text.</exception>
    public IReadOnlyList<string> Fragments(IEnumerable<string> texts)
    {
        List<(string Text, int Hits)> pieces = [];
        foreach (string text in texts)
        {
            AddPieces(text, pieces);
        }

        return [.. pieces.OrderByDescending(piece => piece.Hits).Take(request.FragmentCount).Select(piece => piece.Text)];
    }

    private void AddPieces(string text, List<(string Text, int Hits)> pieces)
    {
        cancellation.ThrowIfCancellationRequested();
        var piece = new StringBuilder();
        int start = 0, copied = 0, hits = 0;
        foreach (TextToken token in AnalyzedText.Of(field, text))
        {
            if ((++_seen & (LookInterval - 1)) == 0)
            {
                cancellation.ThrowIfCancellationRequested();
            }

            if (token.End - start > request.FragmentLength && token.Start > start)
            {
                Take(text, piece, copied, token.Start, hits, pieces);
                (start, copied, hits) = (token.Start, token.Start, 0);
            }

            if (token.Start < copied || words.Find(token.Term) is not { } word)
            {
                continue;
            }

            hits++;
            piece.Append(text, copied, token.Start - copied);
            piece.Append(request.PreTags[word % request.PreTags.Count]);
            piece.Append(text, token.Start, token.End - token.Start);
            piece.Append(request.PostTags[word % request.PostTags.Count]);
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
