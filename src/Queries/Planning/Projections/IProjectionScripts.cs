using Jackdaw.Documents;
using Jackdaw.Documents.Includes;
using Jackdaw.Documents.Store;
using Jackdaw.Json;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;

namespace Jackdaw.Queries.Planning.Projections;

/// <summary>Runs the JavaScript of queries. The server has one; a query without scripts never asks it.</summary>
internal interface IProjectionScripts
{
    /// <summary>Makes the script of a query ready: its object literal, or the declared function that is its only selected
    /// item.</summary>
    /// <param name="query">With its declared functions.</param>
    /// <param name="parametersJson">JSON object of the parameters, empty for none; valid until the script is
    /// disposed.</param>
    /// <exception cref="InvalidQueryException">The script cannot be used as it is written.</exception>
    /// <exception cref="Scripting.JavaScriptParseException">The script is none.</exception>
    /// <exception cref="QueryNotSupportedException">This server runs no scripts.</exception>
    IProjectionScript Compile(QuerySyntax query, ReadOnlyMemory<byte> parametersJson);
}

/// <summary>One script, for one query at a time.</summary>
internal interface IProjectionScript : IDisposable
{
    /// <summary>Projects one document.</summary>
    /// <param name="source">What it is made from.</param>
    /// <param name="document">Its fields, and what was loaded for it.</param>
    /// <param name="rows">Receives JSON objects without <c>@metadata</c>, one after the other.</param>
    /// <param name="ends">Receives the end of each of them: of none, when there is no row for this document.</param>
    /// <exception cref="Scripting.JavaScriptException">The script failed.</exception>
    void Project(in ScriptedRow source, in EvaluatedDocument document, PooledBuffer rows, ICollection<int> ends);
}

/// <summary>What a script may ask for beside the document.</summary>
internal readonly ref struct ScriptedRow
{
    public required DocumentDatabase Database { get; init; }

    public required DocumentReadScope Read { get; init; }

    public required StoredDocument Document { get; init; }

    /// <summary>Null: nothing can be included.</summary>
    public IncludedDocuments? Includes { get; init; }
}

/// <summary>Refuses every script.</summary>
internal sealed class NoProjectionScripts : IProjectionScripts
{
    public static NoProjectionScripts Instance { get; } = new();

    public IProjectionScript Compile(QuerySyntax query, ReadOnlyMemory<byte> parametersJson) =>
        throw new QueryNotSupportedException("Scripts in queries (select { } and declared functions) are");
}
