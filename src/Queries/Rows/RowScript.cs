using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Counters;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Includes;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Rows;
using Jackdaw.Json;
using Jackdaw.Json.Tape;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Scripting;
using Jackdaw.Scripting.Projections;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Queries.Rows;

/// <summary>The document that a script projects, and what the script may use beside it.</summary>
internal readonly ref struct ScriptedRow
{
    public required DocumentDatabase Database { get; init; }

    public required DocumentReadScope Read { get; init; }

    public required StoredDocument Document { get; init; }

    /// <summary>Null: nothing can be included.</summary>
    public AnswerIncludes? Includes { get; init; }
}

/// <summary>Runs the script of a query for one row after another. One thread at a time.</summary>
internal sealed class RowScript : IDisposable
{
    private readonly RowScriptHost _host = new();
    private readonly ProjectionRun _run;
    private readonly ScriptDocument?[] _documents;
    private readonly PooledBuffer _body = new();
    private readonly CancellationToken _cancellation;

    /// <param name="parameters">A JSON object of the query's parameters; empty for none. Must not change until the script is
    /// disposed.</param>
    /// <param name="cancellation">Ends a script that runs.</param>
    public RowScript(ScriptEnginePool engines, ScriptProjection projection, ReadOnlyMemory<byte> parameters, CancellationToken cancellation)
    {
        _documents = new ScriptDocument?[projection.Aliases.Count];
        _cancellation = cancellation;
        _run = new ProjectionRun(engines, projection, _host, parameters);
    }

    /// <summary>Projects one document.</summary>
    /// <param name="source">The document, and what the script may use beside it.</param>
    /// <param name="document">Its fields, and the documents that were loaded for it.</param>
    /// <param name="rows">Receives JSON objects without <c>@metadata</c>, one after the other.</param>
    /// <param name="ends">Receives the end of each object; it stays empty when the script gives no row for this document.</param>
    /// <exception cref="JavaScriptException">The script failed.</exception>
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

/// <summary>Answers what the script of a row asks for, from the snapshot of the row.</summary>
internal sealed class RowScriptHost : IScriptHost
{
    private DocumentDatabase? _database;
    private DocumentReadScope? _read;
    private AnswerIncludes? _includes;

    public void Begin(in ScriptedRow row) => (_database, _read, _includes) = (row.Database, row.Read, row.Includes);

    public void End() => (_database, _read, _includes) = (null, null, null);

    // A row that an index has is not a version of a document; that of an item has the id of its document.
    public ScriptDocument Describe(in StoredDocument document, ReadOnlyMemory<byte> body) => document.Etag == Etag.None
        ? new ScriptDocument { Id = document.Id.IsEmpty ? null : Encoding.UTF8.GetString(document.Id), Json = body }
        : new ScriptDocument
        {
            Id = Encoding.UTF8.GetString(document.Id),
            Json = body,
            ChangeVector = _database!.Replica.TextOf(document.Version),
            Etag = document.Etag.Value,
            Flags = DocumentWriter.TextOfFlags(document.Flags, _database.Extensions),
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

    public ReadOnlyMemory<byte>? GetOfDocument(string function, string id, string name)
    {
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        CounterDetail detail = DocumentIds.TryMakeKey(id, key, out int length) == DocumentIdFault.None
            ? new CounterReads(_read!.Transaction).Find(key[..length], Encoding.UTF8.GetBytes(name))
            : default;
        return detail.IsMissing ? (ReadOnlyMemory<byte>?)null : CounterAnswers.ValueOf(detail.Value, function == "counterRaw" ? _database!.Replica : null);
    }

    public void Include(string id) => Includes("include() brings documents").Documents.Refer(_read!, id);

    public void IncludeCompareExchange(string key) => Includes("includes.cmpxchg() brings values").Values!.Refer(key);

    private AnswerIncludes Includes(string what) => _includes ?? throw new JavaScriptException(
        ScriptError.Helper, $"{what} along, which this answer (a stream) cannot; leave it out.", null);
}
