using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations;

/// <summary>Creates a database.</summary>
/// <param name="name">Letters, digits, <c>_</c>, <c>-</c> and <c>.</c>.</param>
public sealed class CreateDatabaseOperation(string name) : ServerOperation<bool>
{
    internal override RequestMessage MakeRequest() => new()
    {
        Method = HttpMethod.Put,
        Path = $"admin/databases?name={Uri.EscapeDataString(name)}&replicationFactor=1",
        IsServerWide = true,
        Body = JsonText.Object(json => json.WriteString("DatabaseName"u8, name)),
    };

    internal override bool Read(JsonElement answer) => true;
}

/// <summary>Deletes a database.</summary>
/// <param name="hardDelete">Whether its files are deleted, too.</param>
public sealed class DeleteDatabaseOperation(string name, bool hardDelete) : ServerOperation<bool>
{
    internal override RequestMessage MakeRequest() => new()
    {
        Method = HttpMethod.Delete,
        Path = "admin/databases",
        IsServerWide = true,
        Body = JsonText.Object(json =>
        {
            json.WriteBoolean("HardDelete"u8, hardDelete);
            json.WriteStartArray("DatabaseNames"u8);
            json.WriteStringValue(name);
            json.WriteEndArray();
        }),
    };

    internal override bool Read(JsonElement answer) => true;
}

/// <summary>Names of databases, in their order.</summary>
public sealed class GetDatabaseNamesOperation(int start = 0, int pageSize = int.MaxValue) : ServerOperation<IReadOnlyList<string>>
{
    internal override RequestMessage MakeRequest() => new()
    {
        Method = HttpMethod.Get,
        Path = $"databases?namesOnly=true&start={start}&pageSize={pageSize}",
        IsServerWide = true,
        IsRead = true,
    };

    internal override IReadOnlyList<string> Read(JsonElement answer) =>
        answer.RequiredList("Databases"u8).Texts();
}

/// <summary>How much a database has.</summary>
public sealed class GetStatisticsOperation : DatabaseOperation<DatabaseStatistics>
{
    internal override RequestMessage MakeRequest() => new() { Method = HttpMethod.Get, Path = "stats", IsRead = true };

    internal override DatabaseStatistics Read(JsonElement answer) => new(
        answer.Number("CountOfDocuments"u8) ?? 0,
        answer.Number("CountOfRevisionDocuments"u8) ?? 0,
        answer.Number("CountOfAttachments"u8) ?? 0,
        answer.Number("CountOfCounterEntries"u8) ?? 0,
        answer.Number("CountOfIndexes"u8) ?? 0,
        answer.Number("LastDocEtag"u8) ?? 0);
}

/// <summary>How much a database has.</summary>
public sealed record DatabaseStatistics(
    long CountOfDocuments, long CountOfRevisionDocuments, long CountOfAttachments, long CountOfCounterEntries, long CountOfIndexes, long LastDocEtag);

/// <summary>Number of documents in each collection.</summary>
public sealed class GetCollectionStatisticsOperation : DatabaseOperation<IReadOnlyDictionary<string, long>>
{
    internal override RequestMessage MakeRequest() => new() { Method = HttpMethod.Get, Path = "collections/stats", IsRead = true };

    internal override IReadOnlyDictionary<string, long> Read(JsonElement answer) =>
        answer.RequiredObject("Collections"u8).Members().ByName(AnswerJson.RequiredNumber, StringComparer.OrdinalIgnoreCase);
}
