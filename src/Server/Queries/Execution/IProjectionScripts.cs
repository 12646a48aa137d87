using System.Buffers;
using Jackdaw.Server.Queries.Evaluation;
using Jackdaw.Server.Queries.Language;

namespace Jackdaw.Server.Queries.Execution;

/// <summary>Runs the JavaScript of queries. The server has one; a query without scripts never asks it.</summary>
internal interface IProjectionScripts
{
    /// <summary>Makes the script of a query ready: its object literal, or the declared function that is its only selected
    /// item.</summary>
    /// <param name="query">With its declared functions.</param>
    /// <param name="parametersJson">JSON object of the parameters, empty for none; valid until the script is
    /// disposed.</param>
    /// <exception cref="InvalidQueryException">The script is none.</exception>
    /// <exception cref="QueryNotSupportedException">This server runs no scripts.</exception>
    IProjectionScript Compile(QuerySyntax query, ReadOnlyMemory<byte> parametersJson);
}

/// <summary>One script, for one query at a time.</summary>
internal interface IProjectionScript : IDisposable
{
    /// <summary>Projects one document.</summary>
    /// <param name="document">The document and what was loaded for it.</param>
    /// <param name="output">Receives one JSON object without <c>@metadata</c>.</param>
    /// <returns>False: there is no row for this document.</returns>
    bool Project(in EvaluatedDocument document, IBufferWriter<byte> output);
}

/// <summary>Refuses every script.</summary>
internal sealed class NoProjectionScripts : IProjectionScripts
{
    public static NoProjectionScripts Instance { get; } = new();

    public IProjectionScript Compile(QuerySyntax query, ReadOnlyMemory<byte> parametersJson) =>
        throw new QueryNotSupportedException("Scripts in queries (select { } and declared functions) are");
}
