using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;
using System.Text.Json;

namespace Jackdaw.Indexing.Outputs;

/// <summary>A pattern of ids, such as <c>reports/{OrderedAt:yyyy-MM-dd}/{Company}</c>: fields of a row in braces, each with a colon
/// and a format of .NET if necessary. Immutable.</summary>
internal sealed class OutputPattern
{
    private readonly List<Piece> _pieces;

    private OutputPattern(List<Piece> pieces) => _pieces = pieces;

    /// <summary>The fields in the pattern.</summary>
    public IEnumerable<string> Fields => _pieces.Where(piece => piece.IsField).Select(piece => piece.Text);

    /// <param name="problem">What is wrong, for the author of the pattern.</param>
    public static bool TryParse(string text, [NotNullWhen(true)] out OutputPattern? pattern, out string problem)
    {
        pattern = null;
        var pieces = new List<Piece>();
        for (int at = 0; at < text.Length;)
        {
            int open = text.IndexOfAny(['{', '}'], at);
            if (open != at)
            {
                pieces.Add(new Piece(text[at..(open < 0 ? text.Length : open)], null, IsField: false));
                at = open < 0 ? text.Length : open;
                continue;
            }

            int close = text[at] == '}' ? -1 : text.IndexOf('}', at);
            string[] inside = close < 0 ? [""] : text[(at + 1)..close].Split(':', 2);
            string name = inside[0].Trim();
            if (text[at] == '}' || name.Length == 0 || name.Contains('{', StringComparison.Ordinal))
            {
                problem = $"at character {at + 1} of '{text}' a field in braces is expected, such as {{Company}} or {{OrderedAt:yyyy-MM}}";
                return false;
            }

            pieces.Add(new Piece(name, inside.Length > 1 ? inside[1] : null, IsField: true));
            at = close + 1;
        }

        pattern = new OutputPattern(pieces);
        problem = pattern.Fields.Any() ? "" : $"'{text}' names no field; write the fields that make an id in braces";
        return problem.Length == 0;
    }

    /// <summary>Makes the id of a row.</summary>
    /// <param name="row">A JSON object.</param>
    /// <param name="problem">Why the row has none.</param>
    public bool TryMakeId(JsonElement row, out string id, out string problem)
    {
        var text = new StringBuilder();
        id = problem = "";
        foreach (Piece piece in _pieces)
        {
            if (!piece.IsField)
            {
                text.Append(piece.Text);
                continue;
            }

            string? value = row.TryGetProperty(piece.Text, out JsonElement member) ? Format(member, piece.Format) : null;
            if (string.IsNullOrEmpty(value))
            {
                problem = $"'{piece.Text}' is missing, empty, or no text, number or date in the format '{piece.Format}'";
                return false;
            }

            text.Append(value);
        }

        id = text.ToString();
        return true;
    }

    private static string? Format(JsonElement value, string? format)
    {
        try
        {
            return value.ValueKind switch
            {
                JsonValueKind.String when format is null => value.GetString(),
                JsonValueKind.String when DateTime.TryParse(
                    value.GetString(), CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind, out DateTime date) =>
                    date.ToString(format, CultureInfo.InvariantCulture),
                JsonValueKind.Number when format is null => value.GetRawText(),
                JsonValueKind.Number when value.TryGetDecimal(out decimal number) => number.ToString(format, CultureInfo.InvariantCulture),
                JsonValueKind.True => "true",
                JsonValueKind.False => "false",
                _ => null,
            };
        }
        catch (FormatException)
        {
            return null;
        }
    }

    /// <param name="Text">The text itself, or the name of a field.</param>
    private sealed record Piece(string Text, string? Format, bool IsField);
}
