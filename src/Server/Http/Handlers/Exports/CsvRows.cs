using System.Buffers;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Server.Http.Reading;

namespace Jackdaw.Server.Http.Handlers.Exports;

/// <summary>Writes documents as lines of a CSV file (RFC 4180): the id, then members by name. One thread at a time.</summary>
/// <remarks>Texts that a spreadsheet would take for a formula get an apostrophe before them, which spreadsheets do not show: otherwise a value that anybody
/// wrote would run on the machine of whoever opens the file. Objects and arrays are their JSON.</remarks>
internal sealed class CsvRows
{
    /// <summary>Columns of a file: more than a spreadsheet is read with; beyond it the client names those that it wants.</summary>
    public const int ColumnsMax = 1000;

    /// <summary>Characters after which spreadsheets calculate, with their wide forms.</summary>
    private const string FormulaBeginnings = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20";

    private readonly List<string> _columns;
    private readonly Dictionary<string, int> _places;
    private readonly string?[] _cells;

    public CsvRows(IEnumerable<string> columns)
    {
        _columns = [.. columns.Distinct()];
        _places = _columns.Select((name, place) => KeyValuePair.Create(name, place)).ToDictionary();
        _cells = new string?[_columns.Count];
    }

    /// <summary>Adds the names of a document's members. False when there are too many.</summary>
    public static bool TryAddNames(ReadOnlySpan<byte> body, HashSet<string> names)
    {
        Utf8JsonReader reader = DocumentMembers.Open(body);
        while (DocumentMembers.MoveNext(ref reader) && names.Count <= ColumnsMax)
        {
            if (DocumentMembers.NameOf(ref reader) is { } name)
            {
                names.Add(name);
            }

            reader.Read();
            reader.Skip();
        }

        return names.Count <= ColumnsMax;
    }

    /// <summary>Writes the names of the columns.</summary>
    public void WriteHead(IBufferWriter<byte> output)
    {
        Write(output, "@id"); // no formula: it is our own word
        foreach (string column in _columns)
        {
            Write(output, ",");
            WriteCell(output, column, isText: true);
        }

        Write(output, "\r\n");
    }

    /// <summary>Writes one document.</summary>
    public void Write(IBufferWriter<byte> output, in StoredDocument document)
    {
        bool[] areTexts = ReadCells(document.Body);
        WriteCell(output, Encoding.UTF8.GetString(document.Id), isText: true);
        for (int i = 0; i < _cells.Length; i++)
        {
            Write(output, ",");
            WriteCell(output, _cells[i] ?? "", areTexts[i]);
        }

        Write(output, "\r\n");
        Array.Clear(_cells);
    }

    private bool[] ReadCells(ReadOnlySpan<byte> body)
    {
        bool[] areTexts = new bool[_cells.Length];
        Utf8JsonReader reader = DocumentMembers.Open(body);
        while (DocumentMembers.MoveNext(ref reader))
        {
            bool isWanted = _places.TryGetValue(reader.GetString()!, out int place);
            reader.Read();
            int start = (int)reader.TokenStartIndex;
            if (isWanted && reader.TokenType == JsonTokenType.String)
            {
                (_cells[place], areTexts[place]) = (reader.GetString(), true);
                continue;
            }

            bool isNull = reader.TokenType == JsonTokenType.Null;
            reader.Skip();
            if (isWanted && !isNull)
            {
                _cells[place] = Encoding.UTF8.GetString(body[start..(int)reader.BytesConsumed]);
            }
        }

        return areTexts;
    }

    private static void WriteCell(IBufferWriter<byte> output, string text, bool isText)
    {
        bool isFormula = isText && text.Length > 0 && FormulaBeginnings.Contains(text[0], StringComparison.Ordinal);
        string safe = isFormula ? "'" + text : text;
        if (safe.AsSpan().IndexOfAny("\",\r\n") < 0)
        {
            Write(output, safe);
            return;
        }

        Write(output, "\"");
        Write(output, safe.Replace("\"", "\"\"", StringComparison.Ordinal));
        Write(output, "\"");
    }

    // Never a part of a text: a character may be two units of UTF-16.
    private static void Write(IBufferWriter<byte> output, string text) => Encoding.UTF8.GetBytes(text, output);
}
