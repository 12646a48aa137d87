using System.Buffers;
using System.Diagnostics;
using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Rows;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Scripting.Caching;
using Jackdaw.Scripting.Projections;

namespace Jackdaw.Queries.Planning.Projections;

/// <summary>What a query selects of each document. Immutable; runs of a query share it.</summary>
internal sealed class Projection
{
    private readonly List<Column> _columns = [];
    private ProjectionSource _source;

    private Projection(ScriptProjection script) => Script = script;

    private Projection(QuerySyntax query, SelectClause select, ConditionCompiler compiler, ParameterValues parameters)
    {
        foreach (SelectItem item in select.Items)
        {
            _columns.Add(compiler.Groups is { } groups
                ? GroupedColumns.Make(item, groups, compiler, parameters)
                : MakeColumn(query, item, compiler, parameters));
        }
    }

    /// <summary>The projection of a query; null when its rows are whole documents.</summary>
    public static Projection? Make(
        QuerySyntax query, ConditionCompiler compiler, ParameterValues parameters, ProjectionSource source, QueryScripts scripts)
    {
        if (query.Select is not { IsStar: false } select || IsDocumentItself(query, select))
        {
            return null;
        }

        bool isScript = select.Script is not null
            || select.Items is [{ Value: MethodExpression method }] && query.FindFunction(method.Name) is not null
            || (compiler.Groups is null && SelectedCall.ReadsValues(select));
        return isScript
            ? new Projection(SelectScript.Make(query, parameters.Json, scripts))
            : new Projection(query, select, compiler, parameters) { _source = source };
    }

    /// <summary>The script that makes any number of rows for each document; null when <see cref="Write"/> makes one.</summary>
    public ScriptProjection? Script { get; }

    /// <summary>Whether rows have more than ids and constants; only then documents are parsed.</summary>
    public bool ReadsFields => Script is not null || ReadsCounters
        || _columns.Exists(column => column.Field is not null || column.Fields.Count > 0);

    /// <summary>Whether counters are selected.</summary>
    public bool ReadsCounters => _columns.Exists(column => column.Counter is not null);

    /// <summary>Writes the members of a row, with braces.</summary>
    /// <param name="read">The snapshot of the row.</param>
    /// <param name="replica">The replica, for the shares of counters.</param>
    public void Write(in EvaluatedDocument document, DocumentReadScope read, Replica replica, IBufferWriter<byte> output)
    {
        Debug.Assert(Script is null);
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
                CheckIsThere(column, field, document);
                field.WriteTo(output, document.RootOf(field.Source));
            }
            else if (column.Fields.Count > 0)
            {
                Column.WriteObject(column.Fields, document.Root, output);
            }
            else if (column.Counter is { } counter)
            {
                counter.WriteTo(output, document, read, replica);
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
    }

    // True also for a field that may only come from the index, which does not store it: the value is null.
    private bool IsFromIndex(Column column, in EvaluatedDocument document, out ReadOnlySpan<byte> json)
    {
        json = default;
        if (column.StoredName is not { } name || _source is ProjectionSource.Document or ProjectionSource.DocumentOrThrow)
        {
            return false;
        }

        if (document.Stored is { } stored && stored.TryGet(name, out json))
        {
            return true;
        }

        json = "null"u8;
        return _source switch
        {
            _ when IsRow(document) => false,
            ProjectionSource.Index => true,
            ProjectionSource.IndexOrThrow => throw new InvalidQueryException(
                $"The field '{name}' is not stored in an index: ask an index that you define and set its Storage to Yes, or select it from the " +
                "document (ProjectionBehavior). Collections and the indexes that queries make store no fields."),
            _ => false,
        };
    }

    // A row of a reduce is stored in the index, and has no document.
    private static bool IsRow(in EvaluatedDocument document) => document.Id.IsEmpty;

    private void CheckIsThere(Column column, FieldReader field, in EvaluatedDocument document)
    {
        if (_source == ProjectionSource.DocumentOrThrow && column.StoredName is { } name && !IsRow(document) && !field.Exists(document.Root))
        {
            throw new InvalidQueryException(
                $"The document '{Encoding.UTF8.GetString(document.Id)}' has no field '{name}', and the query demands it (FromDocumentOrThrow).");
        }
    }

    // Such as "from Orders as o select o".
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
                    throw new QueryNotSupportedException(
                        "Fields of several loaded documents (an alias with []) are not supported yet by this version of Jackdaw.");
                }

                bool isOfAlias = field.Path.FirstName == query.From.Alias && field.Path.WithoutFirst is not null;
                string name = isOfAlias ? field.Path.WithoutFirst!.Name : field.Path.Name;
                return new Column(Column.NameOf(item.Alias ?? name))
                {
                    Field = reader,
                    StoredName = reader.Source == 0 && !IsMetadata(query, field.Path) ? name : null,
                };
            case MethodExpression { Member: null } method when method.Is("id") && IsIdOfDocument(query, method):
                return new Column(Column.NameOf(item.Alias ?? "id()")) { IsId = true };
            case MethodExpression method when method.Is("sum") || method.Is("count") || method.Is("key"):
                throw InvalidQueryException.At(
                    query.Text, method.TextPosition, $"'{method.Name}' needs groups: write 'group by' and its fields before 'select'.");
            case MethodExpression { Member: null } method when method.Is("counter") || method.Is("counterRaw"):
                CounterColumn counter = CounterColumn.Make(query, method, parameters);
                return new Column(Column.NameOf(item.Alias ?? counter.Name)) { Counter = counter };
            case MethodExpression method:
                throw LaterFeatures.Refuse(method,
                    $"Selecting '{method.Name}' is not supported yet by this version of Jackdaw.");
            case TimeSeriesExpression:
                throw new QueryNotSupportedException("Time series are not supported yet by this version of Jackdaw.");
            default:
                QueryValue value = parameters.Resolve(item.Value);
                string text = item.Value is ParameterExpression parameter ? "$" + parameter.Name : value.Text;
                return new Column(Column.NameOf(item.Alias ?? text)) { Constant = Column.ToJson(value) };
        }
    }

    // Clients select parts of the metadata beside what the user selects; no index stores them.
    private static bool IsMetadata(QuerySyntax query, FieldPath path) =>
        (path.FirstName == query.From.Alias && path.WithoutFirst is { } rest ? rest : path).FirstName == "@metadata";

    private static bool IsIdOfDocument(QuerySyntax query, MethodExpression method) =>
        method.Arguments is [] or [{ Value: FieldExpression { Path.Parts.Count: 1 } }]
        && (method.Arguments.Count == 0 || ((FieldExpression)method.Arguments[0].Value).Path.FirstName == query.From.Alias);
}
