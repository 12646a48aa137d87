using System.Text;
using Microsoft.CodeAnalysis.Text;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Collects changes of one text in the positions of that text, and applies them at once. Positions in the changed
/// text can be mapped back to the text of the user.</summary>
/// <remarks>Edits around a node say how long it is, so that at one position those of outer nodes are outside of those of inner nodes. Of two
/// edits around one node the earlier one is outside. The order at a position is: ends, beginnings, replacements.</remarks>
internal sealed class TextEdits
{
    private readonly List<Edit> _edits = [];
    private readonly List<(int New, int Old)> _places = [];

    /// <summary>Inserts before a node.</summary>
    /// <param name="length">Length of the node, or more to be outside of other edits around it.</param>
    public void Before(int position, string text, int length) =>
        _edits.Add(new Edit(position, 0, text, EditKind.Beginning, -length, _edits.Count));

    /// <summary>Inserts after a node.</summary>
    /// <inheritdoc cref="Before" path="/param"/>
    public void After(int position, string text, int length) =>
        _edits.Add(new Edit(position, 0, text, EditKind.End, length, -_edits.Count));

    /// <summary>Inserts before and after a node.</summary>
    public void Around(TextSpan node, string before, string after)
    {
        Before(node.Start, before, node.Length);
        After(node.End, after, node.Length);
    }

    public void Replace(TextSpan span, string text) =>
        _edits.Add(new Edit(span.Start, span.Length, text, EditKind.Replacement, 0, _edits.Count));

    /// <summary>The changed text. Edits within replaced spans are dropped.</summary>
    public string Apply(string text)
    {
        var result = new StringBuilder();
        int position = 0;
        _places.Add((0, 0));
        foreach (Edit edit in _edits.OrderBy(e => e.Position).ThenBy(e => e.Kind).ThenBy(e => e.Rank).ThenBy(e => e.Index))
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

    private enum EditKind
    {
        End,
        Beginning,
        Replacement,
    }

    private readonly record struct Edit(int Position, int Length, string Text, EditKind Kind, int Rank, int Index);
}
