using System.Text;
using Microsoft.CodeAnalysis.Text;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Collects changes of one text in the positions of that text, and applies them at once. Positions in the changed
/// text can be mapped back to the text of the user.</summary>
/// <remarks>Visitors add the edits of an outer node before those of inner nodes. The order at one position is: ends of inner
/// nodes, ends of outer nodes, beginnings of outer nodes, beginnings of inner nodes, a replacement.</remarks>
internal sealed class TextEdits
{
    /// <summary>Distance between the groups of an order. A text has fewer edits than this, because it has at most 64 KiB.</summary>
    private const int GroupSize = 1_000_000;

    private readonly List<Edit> _edits = [];
    private readonly List<(int New, int Old)> _places = [];

    /// <summary>Inserts before a node.</summary>
    /// <param name="isInnermost">True to be nearer to the node than all others.</param>
    public void Before(int position, string text, bool isInnermost = false) =>
        _edits.Add(new Edit(position, 0, text, ((isInnermost ? 7 : 5) * GroupSize) + _edits.Count));

    /// <summary>Inserts after a node.</summary>
    /// <param name="isInnermost">True to be nearer to the node than all others.</param>
    public void After(int position, string text, bool isInnermost = false) =>
        _edits.Add(new Edit(position, 0, text, ((isInnermost ? 1 : 3) * GroupSize) - _edits.Count));

    public void Replace(TextSpan span, string text) =>
        _edits.Add(new Edit(span.Start, span.Length, text, (9 * GroupSize) + _edits.Count));

    /// <summary>The changed text. Edits within replaced spans are dropped.</summary>
    public string Apply(string text)
    {
        var result = new StringBuilder();
        int position = 0;
        _places.Add((0, 0));
        foreach (Edit edit in _edits.OrderBy(e => e.Position).ThenBy(e => e.Order))
        {
            if (edit.Position < position)
            {
                continue;
            }

            result.Append(text, position, edit.Position - position);
            _places.Add((result.Length, edit.Position));
            result.Append(edit.Text);
            position = edit.Position + edit.Length;
            _places.Add((result.Length, position));
        }

        return result.Append(text, position, text.Length - position).ToString();
    }

    /// <summary>The position in the user's text that belongs to a position in the changed text.</summary>
    public int Original(int position)
    {
        int at = _places.FindLastIndex(place => place.New <= position);
        (int start, int old) = _places[at];
        int original = old + position - start;
        return at + 1 < _places.Count ? Math.Min(original, _places[at + 1].Old) : original;
    }

    private readonly record struct Edit(int Position, int Length, string Text, int Order);
}
