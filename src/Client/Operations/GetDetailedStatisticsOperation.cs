using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations;

/// <summary>How much a database has, and what it occupies.</summary>
/// <param name="SizeOnDisk">Bytes of its files.</param>
public sealed record DetailedDatabaseStatistics(
    DatabaseStatistics Counts, long CountOfTombstones, long CountOfUniqueAttachments, long CountOfIdentities, long CountOfCompareExchange,
    string? DatabaseChangeVector, string? DatabaseId, long SizeOnDisk);

/// <summary>How much a database has, and what it occupies. It says more than <see cref="GetStatisticsOperation"/>, and is slower.</summary>
public sealed class GetDetailedStatisticsOperation : DatabaseOperation<DetailedDatabaseStatistics>
{
    internal override RequestMessage MakeRequest() => new() { Method = HttpMethod.Get, Path = "stats/detailed", IsRead = true };

    internal override DetailedDatabaseStatistics Read(JsonElement answer) => new(
        new GetStatisticsOperation().Read(answer),
        answer.Number("CountOfTombstones"u8) ?? 0,
        answer.Number("CountOfUniqueAttachments"u8) ?? 0,
        answer.Number("CountOfIdentities"u8) ?? 0,
        answer.Number("CountOfCompareExchange"u8) ?? 0,
        answer.Text("DatabaseChangeVector"u8),
        answer.Text("DatabaseId"u8),
        answer.TryFind("SizeOnDisk"u8, JsonValueKind.Object, out JsonElement size) ? size.Number("SizeInBytes"u8) ?? 0 : 0);
}
