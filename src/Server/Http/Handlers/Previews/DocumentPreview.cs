using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Server.Http.Reading;

namespace Jackdaw.Server.Http.Handlers.Previews;

/// <summary>Writes the members of documents as the cells of a table: short values as they are, long ones by their beginning.</summary>
/// <remarks>One page; one thread at a time.</remarks>
internal sealed class DocumentPreview
{
    /// <summary>Columns of a page when the client names none. Wider tables are read by nobody, and a document may have thousands of members.</summary>
    public const int FieldsMax = 50;

    private readonly List<string> _columns;
    private readonly HashSet<string> _wanted;
    private readonly bool _isOpen;

    /// <param name="fields">The wanted members; empty for those that come first.</param>
    public DocumentPreview(IReadOnlyList<string> fields)
    {
        _columns = [.. fields.Distinct()];
        _wanted = [.. _columns];
        _isOpen = _columns.Count == 0;
    }

    /// <summary>The members in the order of the columns.</summary>
    public IReadOnlyList<string> Columns => _columns;

    /// <summary>Writes one document as an object.</summary>
    public void Write(Utf8JsonWriter json, in StoredDocument document)
    {
        json.WriteStartObject();
        json.WriteString("Id"u8, document.Id);
        json.WriteString("Collection"u8, document.Collection);
        json.WriteString("LastModified"u8, JsonAnswers.Date(document.LastModifiedTicks));
        json.WriteNumber("Bytes"u8, document.Body.Length);
        json.WriteStartObject("Fields"u8);
        WriteFields(json, document.Body);
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private void WriteFields(Utf8JsonWriter json, ReadOnlySpan<byte> body)
    {
        Utf8JsonReader reader = DocumentMembers.Open(body);
        while (DocumentMembers.MoveNext(ref reader))
        {
            string? name = FindColumn(ref reader);
            reader.Read();
            int start = (int)reader.TokenStartIndex;
            JsonTokenType kind = reader.TokenType;
            reader.Skip();
            if (name is not null)
            {
                json.WritePropertyName(name);
                CellText.Write(json, kind, body[start..(int)reader.BytesConsumed]);
            }
        }
    }

    private string? FindColumn(ref Utf8JsonReader reader)
    {
        string? name = DocumentMembers.NameOf(ref reader);
        if (name is null)
        {
            return null;
        }

        if (_isOpen && _columns.Count < FieldsMax && _wanted.Add(name))
        {
            _columns.Add(name);
        }

        return _wanted.Contains(name) ? name : null;
    }
}
