using System.Text.Json;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations;

/// <summary>What a step does with a counter.</summary>
public enum CounterOperationType
{
    /// <summary>Adds to it. A counter that does not exist begins with 0.</summary>
    Increment,

    /// <summary>Deletes it.</summary>
    Delete,

    /// <summary>Reads it.</summary>
    Get,

    /// <summary>Sets it.</summary>
    Put,
}

/// <summary>One step of a batch of counters.</summary>
/// <param name="Delta">What is added, or set.</param>
public sealed record CounterOperation(CounterOperationType Type, string CounterName, long Delta = 0);

/// <summary>Steps with the counters of one document.</summary>
public sealed record DocumentCountersOperation(string DocumentId, params IReadOnlyList<CounterOperation> Operations);

/// <summary>A counter of a document.</summary>
public sealed record CounterDetail(string DocumentId, string CounterName, long TotalValue)
{
    /// <returns>Null where a counter is missing.</returns>
    internal static IReadOnlyList<CounterDetail?> ReadAll(JsonElement json)
    {
        return
        [
            .. json.Elements("Counters"u8).Select(one => one.ValueKind != JsonValueKind.Object ? null
                : new CounterDetail(one.Text("DocumentId"u8) ?? "", one.RequiredText("CounterName"u8), one.RequiredNumber("TotalValue"u8))),
        ];
    }
}

/// <summary>Changes and reads counters of any documents, as one transaction.</summary>
/// <remarks>The result has an element for each step except deletions, in their order; null for a counter that does not exist.</remarks>
public sealed class CounterBatchOperation(params IReadOnlyList<DocumentCountersOperation> documents) : DocumentOperation<IReadOnlyList<CounterDetail?>>
{
    private readonly IReadOnlyList<DocumentCountersOperation> _documents = documents ?? throw new ArgumentNullException(nameof(documents));

    /// <exception cref="CounterOverflowException">A counter would leave the range of 64-bit numbers; nothing was changed.</exception>
    /// <exception cref="DocumentDoesNotExistException">There is no such document; nothing was changed.</exception>
    internal override async ValueTask<IReadOnlyList<CounterDetail?>> RunAsync(OperationScope scope, bool isAsync, CancellationToken token)
    {
        var message = new RequestMessage { Method = HttpMethod.Post, Path = "counters", Body = JsonText.Object(Write) };
        string[] ids = [.. _documents.Select(document => document.DocumentId)];
        using JsonDocument? json = OperationAnswer.Parse(await scope.WriteAsync(message, ids, isAsync, token).ConfigureAwait(false));
        return CounterDetail.ReadAll(json?.RootElement ?? default);
    }

    private void Write(Utf8JsonWriter json)
    {
        json.WriteStartArray("Documents"u8);
        foreach (DocumentCountersOperation document in _documents)
        {
            json.WriteStartObject();
            json.WriteString("DocumentId"u8, document.DocumentId);
            json.WriteStartArray("Operations"u8);
            foreach (CounterOperation operation in document.Operations)
            {
                json.WriteStartObject();
                json.WriteString("Type"u8, operation.Type.ToString());
                json.WriteString("CounterName"u8, operation.CounterName);
                json.WriteNumber("Delta"u8, operation.Delta);
                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }
}

/// <summary>Reads counters of a document; null for those that do not exist.</summary>
/// <param name="names">Without names, all counters of the document.</param>
public sealed class GetCountersOperation(string documentId, params IReadOnlyList<string> names) : DocumentOperation<IReadOnlyList<CounterDetail?>>
{
    private readonly string _path = $"counters?docId={Uri.EscapeDataString(documentId)}"
        + string.Concat(names.Select(name => $"&counter={Uri.EscapeDataString(name)}"));

    internal override ValueTask<IReadOnlyList<CounterDetail?>> RunAsync(OperationScope scope, bool isAsync, CancellationToken token) =>
        scope.ReadAsync(new RequestMessage { Method = HttpMethod.Get, Path = _path, IsRead = true }, CounterDetail.ReadAll, isAsync, token);
}
