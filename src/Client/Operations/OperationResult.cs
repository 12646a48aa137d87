using System.Text.Json;
using Jackdaw.Client.Changes;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations;

/// <summary>How far a long operation is.</summary>
/// <param name="Processed">Number of documents, or of other items that it works on.</param>
/// <param name="Total">Number of all items; 0 if it is not known.</param>
/// <param name="BatchCount">Transactions so far.</param>
/// <param name="LastProcessedId">Id of the last document; null if there is none yet.</param>
/// <param name="Message">Message of an operation that reports no numbers.</param>
public sealed record OperationProgress(long Processed, long Total, long BatchCount, string? LastProcessedId, string? Message)
{
    internal static OperationProgress? Read(JsonElement json) => json.ValueKind != JsonValueKind.Object ? null : new OperationProgress(
        json.Number("Processed"u8) ?? json.Number("DocumentsProcessed"u8) ?? 0,
        json.Number("Total"u8) ?? 0,
        json.Number("BatchCount"u8) ?? 0,
        json.Text("LastProcessedId"u8),
        json.Text("Message"u8));
}

/// <summary>One document that an operation has changed.</summary>
/// <param name="Status">What a patch did to it; null for a deletion.</param>
/// <param name="ChangeVector">Its version after a patch.</param>
/// <param name="Etag">Etag of its deletion.</param>
public sealed record ChangedByOperation(string Id, string? Status, string? ChangeVector, long? Etag);

/// <summary>What a long operation has done.</summary>
public sealed class OperationResult
{
    /// <summary>A description in words.</summary>
    public string Message { get; private init; } = "";

    /// <summary>Number of all items.</summary>
    public long Total { get; private init; }

    /// <summary>Number of documents that it has processed.</summary>
    public long DocumentsProcessed { get; private init; }

    /// <summary>The query whose results it changed; null if there was no query.</summary>
    public string? Query { get; private init; }

    /// <summary>The first documents that it changed, if they were requested.</summary>
    public IReadOnlyList<ChangedByOperation> Details { get; private init; } = [];

    /// <summary>Everything that the server says about it, unchanged.</summary>
    public JsonElement Json { get; private init; }

    internal static OperationResult Read(JsonElement json) => new()
    {
        Message = json.Text("Message"u8) ?? "",
        Total = json.Number("Total"u8) ?? 0,
        DocumentsProcessed = json.Number("DocumentsProcessed"u8) ?? 0,
        Query = json.Text("Query"u8),
        Details = [.. json.Elements("Details"u8).Select(one => new ChangedByOperation(
            one.Text("Id"u8) ?? "", one.Text("Status"u8), one.Text("ChangeVector"u8), one.Number("Etag"u8)))],
        Json = json.ValueKind == JsonValueKind.Undefined ? default : json.Clone(),
    };
}

/// <summary>States of operations as the server answers them.</summary>
internal static class OperationStates
{
    /// <returns>Null if the server does not know it.</returns>
    public static OperationState? Read(JsonElement json) => json.ValueKind == JsonValueKind.Undefined ? null : new OperationState
    {
        Status = Enum.TryParse(json.Text("Status"u8), out OperationStatus known) && known != OperationStatus.None
            ? known
            : throw new BadResponseException($"The state of an operation is '{json.Text("Status"u8)}', which this client does not know."),
        Progress = json.TryFind("Progress"u8, JsonValueKind.Object, out JsonElement progress) ? progress.Clone() : null,
        Result = json.TryFind("Result"u8, JsonValueKind.Object, out JsonElement result) ? result.Clone() : null,
    };

    /// <summary>Why an operation has failed.</summary>
    public static DocumentDatabaseException FailureOf(OperationState state) =>
        ServerErrors.Of(null, (int)((state.Result ?? default).Number("StatusCode"u8) ?? 500), state.Result ?? default);
}
