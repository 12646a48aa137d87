using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Jackdaw.Server.Documents.Parsing;
using Jackdaw.Server.Queries.Evaluation;
using Jackdaw.Server.Queries.Language;

namespace Jackdaw.Server.Queries.Execution;

/// <summary>What a query selects of each document.</summary>
internal sealed class Projection : IDisposable
{
    private readonly List<Column> _columns = [];
    private readonly IProjectionScript? _script;
    private ProjectionSource _source;

    private Projection(IProjectionScript script) => _script = script;

    private Projection(QuerySyntax query, SelectClause select, ConditionCompiler compiler, ParameterValues parameters)
    {
        foreach (SelectItem item in select.Items)
        {
            _columns.Add(MakeColumn(query, item, compiler, parameters));
        }
    }

    /// <summary>The projection of a query; null when its rows are whole documents.</summary>
    public static Projection? Make(
        QuerySyntax query, ConditionCompiler compiler, ParameterValues parameters, QueryRequest request, IProjectionScripts scripts)
    {
        if (query.Select is not { IsStar: false } select || IsDocumentItself(query, select))
        {
            return null;
        }

        bool isScript = select.Script is not null
            || select.Items is [{ Value: MethodExpression method }] && query.FindFunction(method.Name) is not null;
        return isScript
            ? new Projection(scripts.Compile(query, request.Parameters))
            : new Projection(query, select, compiler, parameters) { _source = request.ProjectionSource };
    }

    /// <summary>Writes the row's members, with braces.</summary>
    /// <returns>False: there is no row for this document.</returns>
    public bool Write(in EvaluatedDocument document, IBufferWriter<byte> output)
    {
        if (_script is not null)
        {
            return _script.Project(document, output);
        }

        output.Write("{"u8);
        bool isFirst = true;
        foreach (Column column in _columns)
        {
            output.Write(isFirst ? default : ","u8);
            output.Write(column.NameAndColon);
            isFirst = false;
            if (IsFromIndex(column, document, out ReadOnlySpan<byte> stored))
            {
                output.Write(stored);
            }
            else if (column.Field is { } field)
            {
                field.WriteTo(output, document.RootOf(field.Source));
            }
            else if (column.IsId)
            {
                DocumentWriter.WriteString(output, document.Id);
            }
            else
            {
                output.Write(column.Constant);
            }
        }

        output.Write("}"u8);
        return true;
    }

    public void Dispose() => _script?.Dispose();

    // True also for a field that may come from the index only, and is not there: null.
    private bool IsFromIndex(Column column, in EvaluatedDocument document, out ReadOnlySpan<byte> json)
    {
        json = default;
        if (column.StoredName is not { } name || document.Stored is not { } stored || _source is ProjectionSource.Document)
        {
            return false;
        }

        if (stored.TryGet(name, out json))
        {
            return true;
        }

        json = "null"u8;
        return _source switch
        {
            ProjectionSource.Index => true,
            ProjectionSource.IndexOrThrow => throw new InvalidQueryException(
                $"The field '{name}' is not stored in the index: set its Storage to Yes, or select it from the document (ProjectionBehavior)."),
            _ => false,
        };
    }

    // "from Orders as o select o".
    private static bool IsDocumentItself(QuerySyntax query, SelectClause select) =>
        select.Items is [{ Alias: null, Value: FieldExpression { Path: { IsQuoted: false, Parts.Count: 1 } path } }]
        && path.FirstName == query.From.Alias;

    private static Column MakeColumn(
        QuerySyntax query, SelectItem item, ConditionCompiler compiler, ParameterValues parameters)
    {
        switch (item.Value)
        {
            case FieldExpression field:
                FieldReader reader = compiler.ReaderOf(field.Path);
                if (reader.Source > 0 && query.Loads[reader.Source - 1].IsArray)
                {
                    throw new QueryNotSupportedException("Fields of several loaded documents (an alias with []) are");
                }

                bool isOfAlias = field.Path.FirstName == query.From.Alias && field.Path.WithoutFirst is not null;
                string name = isOfAlias ? field.Path.WithoutFirst!.Name : field.Path.Name;
                return new Column(NameAndColon(item.Alias ?? name))
                {
                    Field = reader,
                    StoredName = reader.Source == 0 ? name : null,
                };
            case MethodExpression { Member: null } method when method.Is("id") && IsIdOfDocument(query, method):
                return new Column(NameAndColon(item.Alias ?? "id()")) { IsId = true };
            case MethodExpression method:
                throw LaterFeatures.Refuse(method, $"Selecting '{method.Name}' is");
            case TimeSeriesExpression:
                throw new QueryNotSupportedException("Time series are");
            default:
                QueryValue value = parameters.Resolve(item.Value);
                string text = item.Value is ParameterExpression parameter ? "$" + parameter.Name : value.Text;
                return new Column(NameAndColon(item.Alias ?? text)) { Constant = ToJson(value) };
        }
    }

    private static bool IsIdOfDocument(QuerySyntax query, MethodExpression method) =>
        method.Arguments is [] or [{ Value: FieldExpression { Path.Parts.Count: 1 } }]
        && (method.Arguments.Count == 0 || ((FieldExpression)method.Arguments[0].Value).Path.FirstName == query.From.Alias);

    private static byte[] NameAndColon(string name)
    {
        var output = new ArrayBufferWriter<byte>();
        DocumentWriter.WriteString(output, Encoding.UTF8.GetBytes(name));
        output.Write(":"u8);
        return output.WrittenSpan.ToArray();
    }

    private static byte[] ToJson(QueryValue value)
    {
        var output = new ArrayBufferWriter<byte>();
        var options = new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };
        using (var json = new Utf8JsonWriter(output, options))
        {
            Write(json, value);
        }

        return output.WrittenSpan.ToArray();
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

    /// <param name="NameAndColon">JSON.</param>
    private sealed record Column(byte[] NameAndColon)
    {
        public FieldReader? Field { get; init; }

        public bool IsId { get; init; }

        /// <summary>The field of an index that may store the value; null: none does.</summary>
        public string? StoredName { get; init; }

        /// <summary>JSON of a value that is the same in each row.</summary>
        public byte[] Constant { get; init; } = [];
    }
}
