using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Jackdaw.Documents.Counters;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Rows;
using Jackdaw.Json.Tape;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;

namespace Jackdaw.Queries.Planning.Projections;

/// <summary>One selected item of a query: a field, several of them, the id, or a constant.</summary>
/// <param name="NameAndColon">The name of the member as JSON, followed by a colon.</param>
internal sealed record Column(byte[] NameAndColon)
{
    public FieldReader? Field { get; init; }

    public bool IsId { get; init; }

    /// <summary>The field of an index that may store the value; null when no index stores it.</summary>
    public string? StoredName { get; init; }

    /// <summary>A counter of the document, or of a loaded one; null when no counter is selected.</summary>
    public CounterColumn? Counter { get; init; }

    /// <summary>The members of an object; empty when the column is not an object.</summary>
    public IReadOnlyList<(byte[] NameAndColon, FieldReader Field)> Fields { get; init; } = [];

    /// <summary>The JSON of a value that is the same in each row.</summary>
    public byte[] Constant { get; init; } = [];

    /// <summary>A name as JSON, followed by a colon.</summary>
    public static byte[] NameOf(string name)
    {
        var output = new ArrayBufferWriter<byte>();
        DocumentWriter.WriteString(output, Encoding.UTF8.GetBytes(name));
        output.Write(":"u8);
        return output.WrittenSpan.ToArray();
    }

    /// <summary>A value as JSON.</summary>
    public static byte[] ToJson(QueryValue value)
    {
        var output = new ArrayBufferWriter<byte>();
        var options = new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };
        using (var json = new Utf8JsonWriter(output, options))
        {
            Write(json, value);
        }

        return output.WrittenSpan.ToArray();
    }

    /// <summary>Writes an object of fields of a document, or of a row of groups.</summary>
    public static void WriteObject(
        IReadOnlyList<(byte[] NameAndColon, FieldReader Field)> members, in TapeValue root, IBufferWriter<byte> output)
    {
        for (int i = 0; i < members.Count; i++)
        {
            output.Write(i == 0 ? "{"u8 : ","u8);
            output.Write(members[i].NameAndColon);
            members[i].Field.WriteTo(output, root);
        }

        output.Write("}"u8);
    }

    private static void Write(Utf8JsonWriter json, QueryValue value)
    {
        switch (value.Kind)
        {
            case QueryValueKind.Null:
                json.WriteNullValue();
                break;
            case QueryValueKind.String:
                json.WriteStringValue(value.Text);
                break;
            case QueryValueKind.List:
                json.WriteStartArray();
                foreach (QueryValue item in value.Items)
                {
                    Write(json, item);
                }

                json.WriteEndArray();
                break;
            default:
                json.WriteRawValue(value.Text);
                break;
        }
    }
}

/// <summary>A counter that a query selects: <c>counter('Likes')</c>, <c>counter(o, 'Likes')</c>, <c>counterRaw(...)</c>.</summary>
/// <param name="Name">The name of the counter, in any casing. The member has the same name when the query gives it no other.</param>
/// <param name="Source">The document of the counter: 0 for the found one, then the loaded ones in their order.</param>
/// <param name="IsRaw">The counter is written as an object with the share of each node.</param>
internal sealed record CounterColumn(string Name, int Source, bool IsRaw)
{
    private readonly byte[] _name = Encoding.UTF8.GetBytes(Name);

    /// <exception cref="InvalidQueryException">The arguments are not a document and a name.</exception>
    public static CounterColumn Make(QuerySyntax query, MethodExpression call, ParameterValues parameters)
    {
        QueryValue name = call.Arguments[^1].Value is FieldExpression
            ? QueryValue.Null
            : parameters.Resolve(call.Arguments[^1].Value);
        int source = call.Arguments.Count == 1 ? 0 : SourceOf(query, call.Arguments[0].Value);
        return name.Kind == QueryValueKind.String && source >= 0
            ? new CounterColumn(name.Text, source, call.Is("counterRaw"))
            : throw InvalidQueryException.At(query.Text, call.TextPosition,
                $"{call.Name}() takes the name of a counter, and before it the name of a document of the query: {call.Name}(o, 'Likes').");
    }

    /// <summary>Writes the value, or null.</summary>
    public void WriteTo(IBufferWriter<byte> output, in EvaluatedDocument document, DocumentReadScope read, Replica replica)
    {
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        DocumentIdFault fault = DocumentIdFault.Empty;
        int length = 0;
        if (Source == 0)
        {
            fault = DocumentIds.TryMakeKey(document.Id, key, out length);
        }
        else if (document.Loaded?.DocumentOf(Source - 1)?.Id is { } id)
        {
            fault = DocumentIds.TryMakeKey(id, key, out length);
        }

        CounterDetail detail = fault == DocumentIdFault.None ? new CounterReads(read.Transaction).Find(key[..length], _name) : default;
        output.Write(detail.IsMissing ? "null"u8 : CounterAnswers.ValueOf(detail.Value, IsRaw ? replica : null));
    }

    // -1 when the expression is not a document of the query.
    private static int SourceOf(QuerySyntax query, Expression document)
    {
        if (document is not FieldExpression { Path: { IsQuoted: false, Parts.Count: 1 } path })
        {
            return -1;
        }

        for (int i = 0; i < query.Loads.Count; i++)
        {
            if (query.Loads[i] is { IsArray: false } load && load.Alias == path.FirstName)
            {
                return i + 1;
            }
        }

        return path.FirstName == query.From.Alias ? 0 : -1;
    }
}

/// <summary>The selected items of a query with <c>group by</c>.</summary>
internal static class GroupedColumns
{
    /// <summary>The keys of the groups, as members of an object.</summary>
    public static IReadOnlyList<(byte[] NameAndColon, FieldReader Field)> KeysOf(GroupedFields groups, ConditionCompiler compiler) =>
        [.. groups.Keys.Select(path => (Column.NameOf(NameOf(path, groups)), compiler.ReaderOf(new GroupedField(GroupedKind.Key, path))))];

    // Two keys may look the same without quotes.
    private static string NameOf(string path, GroupedFields groups) =>
        groups.Keys.Count(other => GroupedFields.ShownName(other) == GroupedFields.ShownName(path)) > 1 ? path : GroupedFields.ShownName(path);

    /// <exception cref="InvalidQueryException">The item is neither a key nor an aggregate.</exception>
    public static Column Make(SelectItem item, GroupedFields groups, ConditionCompiler compiler, ParameterValues parameters)
    {
        switch (item.Value)
        {
            case MethodExpression { Member: null } key when key.Is("key") && groups.Keys.Count > 1:
                return new Column(Column.NameOf(item.Alias ?? "key()"))
                {
                    Fields = KeysOf(groups, compiler),
                };
            case FieldExpression { Path.FirstName: "@metadata" } when !groups.IsField(item.Value):
                return new Column(Column.NameOf(item.Alias ?? ((FieldExpression)item.Value).Path.Name)) { Constant = "null"u8.ToArray() };
            case ParameterExpression or LiteralExpression { Kind: not LiteralKind.String }:
                QueryValue value = parameters.Resolve(item.Value);
                return new Column(Column.NameOf(item.Alias ?? value.Text)) { Constant = Column.ToJson(value) };
            default:
                GroupedField field = groups.Resolve(item.Value);
                return new Column(Column.NameOf(item.Alias ?? (field.Kind == GroupedKind.Count ? "Count" : GroupedFields.ShownName(field.Path))))
                {
                    Field = compiler.ReaderOf(field),
                };
        }
    }
}
