using System.Buffers;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Json.Paths;
using Jackdaw.Json.Tape;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;

namespace Jackdaw.Queries.Planning.Projections;

/// <summary>The options of <c>include explanations(...)</c>: the names under which an answer lists the explanations of its rows.</summary>
/// <remarks>With the option <c>GroupKey</c>, the name is the value of that field. Without it, the name is the id of a document, the value of
/// the key of a group of the query (an object when there are several keys), or the id that the index gives to a row of its
/// reduce.</remarks>
internal sealed class ExplanationOptions
{
    private const string GroupKeyName = "GroupKey";

    private readonly FieldReader? _reader;
    private readonly IReadOnlyList<(byte[] NameAndColon, FieldReader Field)> _keys;

    private ExplanationOptions(string? groupKey, FieldReader? reader, IReadOnlyList<(byte[] NameAndColon, FieldReader Field)> keys)
    {
        GroupKey = groupKey;
        _reader = reader;
        _keys = keys;
    }

    /// <summary>The field whose value names the explanations of a row; null when the query gives none.</summary>
    public string? GroupKey { get; }

    /// <summary>The options of a query; null when the query asks for no explanations.</summary>
    /// <exception cref="InvalidQueryException">An option does not exist, or has a wrong value.</exception>
    public static ExplanationOptions? Read(QuerySyntax query, ConditionCompiler compiler, ParameterValues parameters)
    {
        if (query.Includes.OfType<MethodExpression>().FirstOrDefault(include => include.Is("explanations")) is not { } call)
        {
            return null;
        }

        string? groupKey = call.Arguments is [var options] ? ReadGroupKey(query, parameters, options.Value) : null;
        int position = call.TextPosition;
        if (compiler.Groups is not { } groups)
        {
            return new ExplanationOptions(groupKey, groupKey is null ? null : new FieldReader(0, ToPath(groupKey, position)), []);
        }

        if (groupKey is null && groups.Keys.Count > 1)
        {
            return new ExplanationOptions(null, null, GroupedColumns.KeysOf(groups, compiler));
        }

        GroupedField field = groupKey is null ? new GroupedField(GroupedKind.Key, groups.Keys[0]) : Resolve(groups, groupKey, position);
        return new ExplanationOptions(groupKey, compiler.ReaderOf(field), []);
    }

    /// <summary>The name under which a row is listed.</summary>
    /// <param name="row">A document, or a row of groups.</param>
    /// <param name="stored">What the entry of the row stores; null when it stores nothing.</param>
    /// <param name="entryId">The id of the entry of the row.</param>
    public string NameOf(in StoredDocument row, StoredEntry? stored, string entryId)
    {
        if (GroupKey is not null && stored is not null && stored.TryGet(GroupKey, out ReadOnlySpan<byte> value))
        {
            return ToText(value);
        }

        if (_reader is null && _keys.Count == 0)
        {
            return row.Id.IsEmpty ? entryId : Encoding.UTF8.GetString(row.Id);
        }

        using var tape = new JsonTape();
        TapeValue root = tape.ReadStored(row.Body, row.Id);
        var json = new ArrayBufferWriter<byte>();
        if (_reader is not null)
        {
            _reader.WriteTo(json, root);
            return ToText(json.WrittenSpan);
        }

        Column.WriteObject(_keys, root, json);
        return Encoding.UTF8.GetString(json.WrittenSpan);
    }

    private static string? ReadGroupKey(QuerySyntax query, ParameterValues parameters, Expression expression)
    {
        QueryOptions options = QueryOptions.Read(query, parameters, expression);
        foreach ((string name, JsonElement value) in options.Members)
        {
            if (!name.Equals(GroupKeyName, StringComparison.OrdinalIgnoreCase))
            {
                throw InvalidQueryException.At(query.Text, expression.TextPosition,
                    $"'{name}' is not an option of explanations; the only option is {{\"{GroupKeyName}\": \"<field>\"}}.");
            }

            bool isName = value.ValueKind == JsonValueKind.String ? value.GetString()!.Length > 0 : value.ValueKind == JsonValueKind.Null;
            if (!isName)
            {
                throw InvalidQueryException.At(query.Text, expression.TextPosition,
                    $"the option '{GroupKeyName}' of explanations is the name of a field: {{\"{GroupKeyName}\": \"<field>\"}}.");
            }
        }

        return options.Text(GroupKeyName);
    }

    // A path first, and otherwise the name of a key as answers show it.
    private static GroupedField Resolve(GroupedFields groups, string name, int position)
    {
        var path = new FieldExpression(position, ToPath(name, position));
        return groups.Resolve(groups.IsField(path) ? path : new LiteralExpression(position, LiteralKind.String, name));
    }

    // Quoted, because the option names a field and never an alias.
    private static FieldPath ToPath(string name, int position) =>
        new([.. DocumentPath.Parse(name).Parts.Select(part => new FieldSegment(part.Name, part.Position, IsQuoted: true))], position);

    // A text loses its quotes, because it becomes a name in the answer; anything else stays JSON.
    private static string ToText(ReadOnlySpan<byte> json)
    {
        if (json[0] != '"')
        {
            return Encoding.UTF8.GetString(json);
        }

        var reader = new Utf8JsonReader(json);
        reader.Read();
        return reader.GetString()!;
    }
}
