using System.Text;
using Jackdaw.Search.Analysis;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Translation;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Lucene.Answers;

/// <summary>Cuts texts into pieces, marks the words that were searched, and takes the pieces with most of them.</summary>
/// <param name="words">What marks a word, and as which searched word.</param>
internal sealed class Highlighter(IndexField field, SearchedWords words, HighlightRequest request, CancellationToken cancellation)
{
    /// <summary>Words of a text between two looks at the token: a pattern may take a while for each. A power of two.</summary>
    private const int LookInterval = 64;

    private int _seen;

    /// <param name="texts">Values of the field, in their order.</param>
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
