using System.Text.Json;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Indexes;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations.Indexes;

/// <summary>Creates indexes, or changes them. A definition that exists already changes nothing. A definition that gives other entries is built
/// beside the old one, which answers until the new one is complete. When one definition has a mistake, all indexes stay as they were.</summary>
public sealed class PutIndexesOperation(params IReadOnlyList<IndexDefinition> definitions) : DatabaseOperation<IReadOnlyList<PutIndexResult>>
{
    internal override RequestMessage MakeRequest() => new()
    {
        Method = HttpMethod.Put,
        Path = "admin/indexes",
        Body = JsonText.Object(json =>
        {
            json.WriteStartArray("Indexes"u8);
            foreach (IndexDefinition definition in definitions)
            {
                IndexDefinitionJson.Write(json, definition);
            }

            json.WriteEndArray();
        }),
    };

    internal override IReadOnlyList<PutIndexResult> Read(JsonElement answer) =>
        [.. answer.Elements("Results"u8).Select(one => new PutIndexResult(one.Text("Index"u8) ?? "", one.Number("RaftCommandIndex"u8) ?? 0))];
}

/// <summary>An index that was put.</summary>
/// <param name="Index">Its name.</param>
/// <param name="RaftCommandIndex">Number of the command that put it.</param>
public sealed record PutIndexResult(string Index, long RaftCommandIndex);

/// <summary>Says whether putting a definition would build the index anew.</summary>
public sealed class IndexHasChangedOperation(IndexDefinition definition) : DatabaseOperation<bool>
{
    internal override RequestMessage MakeRequest() => new()
    {
        Method = HttpMethod.Post,
        Path = "indexes/has-changed",
        Body = JsonText.Value(json => IndexDefinitionJson.Write(json, definition)),
        IsRead = true,
    };

    internal override bool Read(JsonElement answer) => answer.TryFind("Changed"u8, JsonValueKind.True, out _);
}

/// <summary>The definition of an index; null if there is no index of this name.</summary>
public sealed class GetIndexOperation(string indexName) : DatabaseOperation<IndexDefinition?>
{
    internal override RequestMessage MakeRequest() => IndexAnswers.Get("indexes", indexName);

    internal override IndexDefinition? Read(JsonElement answer) =>
        answer.Elements("Results"u8).Select(IndexDefinitionJson.Read).FirstOrDefault();
}

/// <summary>The definitions of indexes, in the order of their names.</summary>
public sealed class GetIndexesOperation(int start = 0, int pageSize = int.MaxValue) : DatabaseOperation<IReadOnlyList<IndexDefinition>>
{
    internal override RequestMessage MakeRequest() =>
        new() { Method = HttpMethod.Get, Path = $"indexes?start={start}&pageSize={pageSize}", IsRead = true };

    internal override IReadOnlyList<IndexDefinition> Read(JsonElement answer) => [.. answer.Elements("Results"u8).Select(IndexDefinitionJson.Read)];
}

/// <summary>The names of indexes, in order.</summary>
public sealed class GetIndexNamesOperation(int start = 0, int pageSize = int.MaxValue) : DatabaseOperation<IReadOnlyList<string>>
{
    internal override RequestMessage MakeRequest() =>
        new() { Method = HttpMethod.Get, Path = $"indexes?namesOnly=true&start={start}&pageSize={pageSize}", IsRead = true };

    internal override IReadOnlyList<string> Read(JsonElement answer) => answer.Texts("Results"u8);
}

/// <summary>Deletes an index. It is not an error if the index does not exist.</summary>
public sealed class DeleteIndexOperation(string indexName) : DatabaseOperation<bool>
{
    internal override RequestMessage MakeRequest() => IndexAnswers.Change(HttpMethod.Delete, "indexes", indexName);

    internal override bool Read(JsonElement answer) => true;
}

/// <summary>How an index is built anew.</summary>
public enum IndexResetMode
{
    /// <summary>Its entries are dropped first.</summary>
    InPlace,

    /// <summary>The old one answers until the new one is up to date.</summary>
    SideBySide,
}

/// <summary>Builds an index anew.</summary>
/// <param name="mode">Null for the server's setting.</param>
public sealed class ResetIndexOperation(string indexName, IndexResetMode? mode = null) : DatabaseOperation<bool>
{
    private static readonly HttpMethod s_reset = new("RESET");

    internal override RequestMessage MakeRequest() => IndexAnswers.Change(s_reset, "indexes", indexName, mode is { } way ? $"&mode={way}" : "");

    internal override bool Read(JsonElement answer) => true;
}

/// <summary>Terms of a field, in order.</summary>
/// <param name="fromValue">The term after which to begin; null for the first one.</param>
/// <param name="pageSize">Null for as many as the server gives.</param>
public sealed class GetTermsOperation(string indexName, string field, string? fromValue = null, int? pageSize = null) : DatabaseOperation<IReadOnlyList<string>>
{
    internal override RequestMessage MakeRequest() => new()
    {
        Method = HttpMethod.Get,
        Path = $"indexes/terms?name={Uri.EscapeDataString(indexName)}&field={Uri.EscapeDataString(field)}"
            + (fromValue is null ? "" : $"&fromValue={Uri.EscapeDataString(fromValue)}") + (pageSize is { } size ? $"&pageSize={size}" : ""),
        IsRead = true,
    };

    internal override IReadOnlyList<string> Read(JsonElement answer) => answer.TryFind("Terms"u8, JsonValueKind.Array, out _)
        ? answer.Texts("Terms"u8)
        : throw new IndexDoesNotExistException($"There is no index '{indexName}'.");
}
