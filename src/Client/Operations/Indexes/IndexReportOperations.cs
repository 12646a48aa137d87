using System.Text.Json;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Indexes;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations.Indexes;

/// <summary>How an index is doing.</summary>
public sealed class GetIndexStatisticsOperation(string indexName) : DatabaseOperation<IndexStats>
{
    internal override RequestMessage MakeRequest() => IndexAnswers.Get("indexes/stats", indexName);

    /// <exception cref="IndexDoesNotExistException">There is no such index.</exception>
    internal override IndexStats Read(JsonElement answer) => answer.Elements("Results"u8).Select(IndexStats.Read).FirstOrDefault()
        ?? throw new IndexDoesNotExistException($"There is no index '{indexName}'.");
}

/// <summary>How all indexes are doing.</summary>
public sealed class GetIndexesStatisticsOperation : DatabaseOperation<IReadOnlyList<IndexStats>>
{
    internal override RequestMessage MakeRequest() => IndexAnswers.Get("indexes/stats");

    internal override IReadOnlyList<IndexStats> Read(JsonElement answer) => [.. answer.Elements("Results"u8).Select(IndexStats.Read)];
}

/// <summary>How an index is doing.</summary>
public sealed record IndexStats
{
    /// <summary>Name of the index.</summary>
    public required string Name { get; init; }

    /// <summary>The kind of the index.</summary>
    public IndexType Type { get; init; }

    /// <summary>What it reads.</summary>
    public IndexSourceType SourceType { get; init; }

    /// <summary>What it does.</summary>
    public IndexState State { get; init; }

    /// <summary>What it is doing.</summary>
    public IndexRunningStatus Status { get; init; }

    /// <summary>Its priority for a thread.</summary>
    public IndexPriority Priority { get; init; }

    /// <summary>Whether its definition can be replaced.</summary>
    public IndexLockMode LockMode { get; init; }

    /// <summary>Whether there are changes that the index does not contain yet.</summary>
    public bool IsStale { get; init; }

    /// <summary>Whether it has failed too often, or cannot be compiled.</summary>
    public bool IsInvalidIndex { get; init; }

    /// <summary>Entries in it.</summary>
    public long EntriesCount { get; init; }

    /// <summary>Number of stored errors.</summary>
    public long ErrorsCount { get; init; }

    /// <summary>Documents that were mapped.</summary>
    public long MapAttempts { get; init; }

    /// <summary>Documents whose map has failed.</summary>
    public long MapErrors { get; init; }

    /// <summary>Groups that were reduced.</summary>
    public long ReduceAttempts { get; init; }

    /// <summary>Groups whose reduce has failed.</summary>
    public long ReduceErrors { get; init; }

    /// <summary>When it was made.</summary>
    public DateTime CreatedTimestamp { get; init; }

    /// <summary>When it last indexed something; the default for never.</summary>
    public DateTime LastIndexingTime { get; init; }

    /// <summary>When it was last queried; the default for never.</summary>
    public DateTime LastQueryingTime { get; init; }

    internal static IndexStats Read(JsonElement json) => new()
    {
        Name = json.Text("Name"u8) ?? "",
        Type = IndexDefinitionJson.Choice<IndexType>(json, "Type"u8) ?? IndexType.None,
        SourceType = IndexDefinitionJson.Choice<IndexSourceType>(json, "SourceType"u8) ?? IndexSourceType.None,
        State = IndexDefinitionJson.Choice<IndexState>(json, "State"u8) ?? IndexState.Normal,
        Status = IndexDefinitionJson.Choice<IndexRunningStatus>(json, "Status"u8) ?? IndexRunningStatus.Running,
        Priority = IndexDefinitionJson.Choice<IndexPriority>(json, "Priority"u8) ?? IndexPriority.Normal,
        LockMode = IndexDefinitionJson.Choice<IndexLockMode>(json, "LockMode"u8) ?? IndexLockMode.Unlock,
        IsStale = json.TryFind("IsStale"u8, JsonValueKind.True, out _),
        IsInvalidIndex = json.TryFind("IsInvalidIndex"u8, JsonValueKind.True, out _),
        EntriesCount = json.Number("EntriesCount"u8) ?? 0,
        ErrorsCount = json.Number("ErrorsCount"u8) ?? 0,
        MapAttempts = json.Number("MapAttempts"u8) ?? 0,
        MapErrors = json.Number("MapErrors"u8) ?? 0,
        ReduceAttempts = json.Number("ReduceAttempts"u8) ?? 0,
        ReduceErrors = json.Number("ReduceErrors"u8) ?? 0,
        CreatedTimestamp = json.Time("CreatedTimestamp"u8),
        LastIndexingTime = json.Time("LastIndexingTime"u8),
        LastQueryingTime = json.Time("LastQueryingTime"u8),
    };
}

/// <summary>What has failed in indexes.</summary>
/// <param name="indexNames">None: all indexes.</param>
public sealed class GetIndexErrorsOperation(params IReadOnlyList<string> indexNames) : DatabaseOperation<IReadOnlyList<IndexErrors>>
{
    internal override RequestMessage MakeRequest() => IndexAnswers.Get("indexes/errors", indexNames);

    internal override IReadOnlyList<IndexErrors> Read(JsonElement answer) => [.. answer.Elements("Results"u8).Select(one => new IndexErrors(
        one.Text("Name"u8) ?? "",
        [.. one.Elements("Errors"u8).Select(error => new IndexingError(
            error.Text("Error"u8) ?? "", error.Text("Document"u8), error.Text("Action"u8) ?? "", error.Time("Timestamp"u8)))]))];
}

/// <summary>Forgets what has failed in indexes.</summary>
/// <param name="indexNames">None: all indexes.</param>
public sealed class DeleteIndexErrorsOperation(params IReadOnlyList<string> indexNames) : DatabaseOperation<bool>
{
    internal override RequestMessage MakeRequest() =>
        new() { Method = HttpMethod.Delete, Path = "indexes/errors" + IndexAnswers.Query(indexNames) };

    internal override bool Read(JsonElement answer) => true;
}

/// <summary>What has failed in an index.</summary>
/// <param name="Name">Of the index.</param>
public sealed record IndexErrors(string Name, IReadOnlyList<IndexingError> Errors);

/// <summary>One failure of an index.</summary>
/// <param name="Document">Id of the document; null if the failure belongs to none.</param>
/// <param name="Action">Map, Reduce and others.</param>
public sealed record IndexingError(string Error, string? Document, string Action, DateTime Timestamp);
