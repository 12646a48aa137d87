using System.Diagnostics;
using System.Text;

namespace Jackdaw.Scripting;

/// <summary>A piece of JavaScript that a user wrote.</summary>
/// <param name="Text">As written.</param>
/// <param name="Name">What it is, for messages: <c>select</c>, <c>map 1</c>, <c>source 'X'</c>.</param>
/// <param name="Line">Line of the user's whole text in which it begins, 1-based.</param>
/// <param name="Column">Column there, 1-based.</param>
internal sealed record ScriptFragment(string Text, string Name, int Line = 1, int Column = 1)
{
    /// <summary>Texts that are inserted into it in the whole script, in the order of the offsets. The user did not write them.</summary>
    public IReadOnlyList<ScriptInsertion> Insertions { get; init; } = [];
}

/// <summary>Text that is inserted into a part, at a place of the part as it was written.</summary>
/// <param name="Offset">In the part's text.</param>
/// <param name="Line">0-based line of the part.</param>
/// <param name="Column">0-based.</param>
internal readonly record struct ScriptInsertion(int Offset, int Line, int Column, string Text);

/// <summary>A script that is put together from what users wrote and the text around it. It maps places of the whole back to the user's
/// texts.</summary>
/// <remarks>Each part begins on its own line and ends with a line break, so that a comment in it hides nothing, and a place can be found by its
/// line alone.</remarks>
internal sealed class ScriptText
{
    private readonly StringBuilder _text = new();
    private readonly List<Placed> _parts = [];
    private int _line = 1;

    /// <summary>Adds text around the parts. It must end with a line break.</summary>
    public ScriptText Around(string text)
    {
        _text.Append(text).Append('\n');
        _line += LineBreaks(text) + 1;
        return this;
    }

    /// <param name="insertions">In the order of their offsets, without line breaks. Those of the part are added to them.</param>
    public ScriptText Add(ScriptFragment part, IReadOnlyList<ScriptInsertion> insertions)
    {
        insertions = part.Insertions.Count == 0 ? insertions : [.. insertions.Concat(part.Insertions).OrderBy(insertion => insertion.Offset)];
        int lines = LineBreaks(part.Text) + 1;
        _parts.Add(new Placed(_line, lines, part, insertions));
        int copied = 0;
        foreach (ScriptInsertion insertion in insertions)
        {
            _text.Append(part.Text, copied, insertion.Offset - copied).Append(insertion.Text);
            copied = insertion.Offset;
        }

        _text.Append(part.Text, copied, part.Text.Length - copied).Append('\n');
        _line += lines;
        return this;
    }

    /// <summary>The place in the user's text that belongs to a place in the whole script; null for text that no user wrote.</summary>
    /// <param name="line">1-based.</param>
    /// <param name="column">0-based.</param>
    public ScriptPosition? Locate(int line, int column)
    {
        foreach (Placed placed in _parts)
        {
            int within = line - placed.FirstLine;
            if (within >= 0 && within < placed.Lines)
            {
                return Place(placed.Part, within, placed.ColumnOf(within, column));
            }
        }

        return null;
    }

    /// <summary>A place of a part in the user's whole text.</summary>
    /// <param name="line">0-based line of the part.</param>
    /// <param name="column">0-based.</param>
    public static ScriptPosition Place(ScriptFragment part, int line, int column)
    {
        Debug.Assert(line >= 0);
        return new(part.Name, part.Line + line, column + (line == 0 ? part.Column : 1));
    }

    public override string ToString() => _text.ToString();

    // Counts lines as ECMAScript does: \r\n is one break.
    private static int LineBreaks(string text)
    {
        int breaks = 0;
        for (int i = 0; i < text.Length; i++)
        {
            bool isPair = text[i] == '\r' && i + 1 < text.Length && text[i + 1] == '\n';
            if (!isPair && text[i] is '\n' or '\r' or '\u2028' or '\u2029')
            {
                breaks++;
            }
        }

        return breaks;
    }

    private sealed record Placed(
        int FirstLine, int Lines, ScriptFragment Part, IReadOnlyList<ScriptInsertion> Insertions)
    {
        // Insertions of a line are in order: the first one after the column ends the search.
        public int ColumnOf(int line, int column)
        {
            int inserted = 0;
            foreach (ScriptInsertion insertion in Insertions)
            {
                if (insertion.Line == line && insertion.Column + inserted < column)
                {
                    inserted += Math.Min(insertion.Text.Length, column - insertion.Column - inserted);
                }
            }

            return column - inserted;
        }
    }
}
