using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Counters;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Includes;
using Jackdaw.Documents.Store;
using Jackdaw.Json;
using Jackdaw.Json.Tape;
using Jackdaw.Queries.Evaluation;
using Jackdaw.Queries.Language;
using Jackdaw.Scripting;
using Jackdaw.Scripting.Caching;
using Jackdaw.Scripting.Projections;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Queries.Execution;

/// <summary>Scripts of queries in the engines of the server.</summary>
/// <param name="scripts">The engines, and scripts that were parsed before.</param>
/// <param name="cancellation">Ends a script that runs.</param>
internal sealed class ScriptedProjections(QueryScripts scripts, CancellationToken cancellation) : IProjectionScripts
{
    public IProjectionScript Compile(QuerySyntax query, ReadOnlyMemory<byte> parametersJson)
    {
        if (query.Loads.FirstOrDefault(load => load.IsArray) is { } several)
        {
            throw new QueryNotSupportedException($"Scripts over several loaded documents (the alias {several.Alias}[]) are");
        }

        List<string> parameters = ParametersOf(query, parametersJson);
        string key = $"{string.Join(',', parameters)}\n{query.Text}";
        ScriptProjection projection = scripts.Projections.GetOrAdd(key, () => Parse(query, parameters));
        return new Run(scripts.Engines, projection, parametersJson, cancellation);
    }

    private static ScriptProjection Parse(QuerySyntax query, List<string> parameters)
    {
        IEnumerable<ScriptPart> functions = query.Functions.Select(function => FunctionOf(query, function));
        string document = query.From.Alias ?? SelectedCall.DocumentVariable;
        if (query.GroupBy.Count > 0 && GroupedScript.Of(query) is { } grouped)
        {
            return new ScriptProjection(
                [new ScriptPart(grouped.DeclarationsFor(document), "the query"), .. functions], grouped.Select, [document], parameters);
        }

        return new ScriptProjection(
            [.. functions], SelectOf(query), [document, .. query.Loads.Select(load => load.Alias)], parameters);
    }

    /// <summary>A declared function as a part of a script.</summary>
    public static ScriptPart FunctionOf(QuerySyntax query, DeclaredFunction function)
    {
        string head = $"function {function.Name}({string.Join(", ", function.Parameters)}) ";
        (int line, int column) = GroupedScript.PlaceOf(query.Text, function.Body.TextPosition);
        return new ScriptPart(head + function.Body.Text, "the query", line, Math.Max(1, column - head.Length));
    }

    private static ScriptPart SelectOf(QuerySyntax query)
    {
        SelectClause select = query.Select!;
        if (select.Script is { } script)
        {
            (int line, int column) = GroupedScript.PlaceOf(query.Text, script.TextPosition);
            return query.From.Alias is not null
                ? new ScriptPart(script.Text, "the query", line, column)
                : throw InvalidQueryException.At(query.Text, select.TextPosition,
                    "'select { }' needs a name for the document: from Orders as o select { Name: o.Name }.");
        }

        if (SelectedCall.ReadsValues(select))
        {
            (int line, int column) = GroupedScript.PlaceOf(query.Text, select.TextPosition);
            return new ScriptPart(SelectedCall.ToObject(query, select), "the query", line, column);
        }

        var call = (MethodExpression)select.Items[0].Value;
        (int callLine, int callColumn) = GroupedScript.PlaceOf(query.Text, call.TextPosition);
        return new ScriptPart(SelectedCall.ToScript(query, call), "the query", callLine, callColumn);
    }

    /// <summary>Names of the parameters that the text names: a script gets no variable for what it does not use.</summary>
    public static List<string> ParametersOf(QuerySyntax query, ReadOnlyMemory<byte> json)
    {
        List<string> names = [];
        if (json.IsEmpty)
        {
            return names;
        }

        using var tape = new JsonTape();
        foreach (TapeMember member in tape.Read(json.Span).Members)
        {
            byte[] buffer = new byte[member.NameSource.Length];
            string name = Encoding.UTF8.GetString(buffer, 0, member.CopyName(buffer));
            if (name.Length > 0 && name.All(letter => char.IsLetterOrDigit(letter) || letter == '_')
                && query.Text.Contains('$' + name, StringComparison.Ordinal))
            {
                names.Add(name);
            }
        }

        names.Sort(StringComparer.Ordinal);
        return names;
    }

    private sealed class Run : IProjectionScript
    {
        private readonly Host _host = new();
        private readonly ProjectionRun _run;
        private readonly ScriptDocument?[] _documents;
        private readonly PooledBuffer _body = new();
        private readonly CancellationToken _cancellation;

        public Run(ScriptEnginePool engines, ScriptProjection projection, ReadOnlyMemory<byte> parameters, CancellationToken cancellation)
        {
            _documents = new ScriptDocument?[projection.Aliases.Count];
            _cancellation = cancellation;
            _run = new ProjectionRun(engines, projection, _host, parameters);
        }

        public void Project(in ScriptedRow source, in EvaluatedDocument document, PooledBuffer rows, ICollection<int> ends)
        {
            _host.Begin(source);
            _body.Clear();
            _body.Append(source.Document.BodyWith(source.Database.Extensions));
            _documents[0] = _host.Describe(source.Document, _body.Slice(0, _body.Length));
            for (int i = 1; i < _documents.Length; i++)
            {
                _documents[i] = document.Loaded?.DocumentOf(i - 1);
            }

            try
            {
                _run.Project(_documents, rows, ends, _cancellation);
            }
            catch (JavaScriptException failure) when (_documents[0]!.Id is { } id)
            {
                throw new JavaScriptException(failure.Error, $"Document '{id}': {failure.Problem}", failure.Place, failure);
            }
            finally
            {
                _host.End();
            }
        }

        public void Dispose()
        {
            _run.Dispose();
            _body.Dispose();
        }
    }

    /// <summary>What the script of one row may ask for: the snapshot that the row is from.</summary>
    private sealed class Host : IScriptHost
    {
        private DocumentDatabase? _database;
        private DocumentReadScope? _read;
        private IncludedDocuments? _includes;

        public void Begin(in ScriptedRow row) => (_database, _read, _includes) = (row.Database, row.Read, row.Includes);

        public void End() => (_database, _read, _includes) = (null, null, null);

        public ScriptDocument Describe(in StoredDocument document, ReadOnlyMemory<byte> body) => document.Id.IsEmpty
            ? new ScriptDocument { Json = body }
            : new ScriptDocument
            {
                Id = Encoding.UTF8.GetString(document.Id),
                Json = body,
                ChangeVector = _database!.Replica.TextOf(document.Version),
                LastModified = new DateTime(document.LastModifiedTicks, DateTimeKind.Utc),
            };

        public ScriptDocument? Load(string id, string? collection)
        {
            Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
            return DocumentIds.TryMakeKey(id, key, out int length) == DocumentIdFault.None && _read!.TryGet(key[..length], out StoredDocument found)
                ? Describe(found, found.BodyWith(_database!.Extensions).ToArray())
                : null;
        }

        public ReadOnlyMemory<byte>? GetCompareExchange(string key)
        {
            Span<byte> stored = stackalloc byte[DocumentIds.KeyBytesMax];
            if (DocumentIds.TryMakeKey(key, stored, out int length) != DocumentIdFault.None
                || !CompareExchangeTable.Open(_read!.Transaction).TryGetByKey(stored[..length], out TableRow row))
            {
                return null;
            }

            using var tape = new JsonTape();
            return tape.Read(new CompareExchangeRow(row).Value)["Object"u8].Source.ToArray();
        }

        public ReadOnlyMemory<byte>? GetCounter(string id, string name, bool isRaw)
        {
            Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
            CounterDetail detail = DocumentIds.TryMakeKey(id, key, out int length) == DocumentIdFault.None
                ? new CounterReads(_read!.Transaction).Find(key[..length], Encoding.UTF8.GetBytes(name))
                : default;
            return detail.IsMissing ? (ReadOnlyMemory<byte>?)null : CounterAnswers.ValueOf(detail.Value, isRaw ? _database!.Replica : null);
        }

        public void Include(string id)
        {
            if (_includes is null)
            {
                throw new JavaScriptException(ScriptError.Helper,
                    "include() brings documents along, which this answer (a stream) cannot; leave it out.", null);
            }

            _includes.Refer(_read!, id);
        }
    }
}
