using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Indexes;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations.Indexes;

/// <summary>Resumes all indexes after <see cref="StopIndexingOperation"/>.</summary>
public sealed class StartIndexingOperation : DatabaseOperation<bool>
{
    internal override RequestMessage MakeRequest() => IndexAnswers.Change(HttpMethod.Post, "admin/indexes/start", null);

    internal override bool Read(JsonElement answer) => true;
}

/// <summary>Pauses all indexes until they are started or the database is opened again.</summary>
public sealed class StopIndexingOperation : DatabaseOperation<bool>
{
    internal override RequestMessage MakeRequest() => IndexAnswers.Change(HttpMethod.Post, "admin/indexes/stop", null);

    internal override bool Read(JsonElement answer) => true;
}

/// <summary>Resumes an index after <see cref="StopIndexOperation"/>.</summary>
public sealed class StartIndexOperation(string indexName) : DatabaseOperation<bool>
{
    internal override RequestMessage MakeRequest() => IndexAnswers.Change(HttpMethod.Post, "admin/indexes/start", indexName);

    internal override bool Read(JsonElement answer) => true;
}

/// <summary>Pauses an index until it is started or the database is opened again.</summary>
public sealed class StopIndexOperation(string indexName) : DatabaseOperation<bool>
{
    internal override RequestMessage MakeRequest() => IndexAnswers.Change(HttpMethod.Post, "admin/indexes/stop", indexName);

    internal override bool Read(JsonElement answer) => true;
}

/// <summary>Switches an index on.</summary>
public sealed class EnableIndexOperation(string indexName) : DatabaseOperation<bool>
{
    internal override RequestMessage MakeRequest() => IndexAnswers.Change(HttpMethod.Post, "admin/indexes/enable", indexName);

    internal override bool Read(JsonElement answer) => true;
}

/// <summary>Switches an index off. It stays off when the database is opened again.</summary>
public sealed class DisableIndexOperation(string indexName) : DatabaseOperation<bool>
{
    internal override RequestMessage MakeRequest() => IndexAnswers.Change(HttpMethod.Post, "admin/indexes/disable", indexName);

    internal override bool Read(JsonElement answer) => true;
}

/// <summary>Says what happens when other definitions of these indexes are put.</summary>
public sealed class SetIndexesLockOperation(IndexLockMode mode, params IReadOnlyList<string> indexNames) : DatabaseOperation<bool>
{
    internal override RequestMessage MakeRequest() => IndexSetting.Of("indexes/set-lock", indexNames, "Mode", mode.ToString());

    internal override bool Read(JsonElement answer) => true;
}

/// <summary>Sets which indexes get a thread first.</summary>
public sealed class SetIndexesPriorityOperation(IndexPriority priority, params IReadOnlyList<string> indexNames) : DatabaseOperation<bool>
{
    internal override RequestMessage MakeRequest() => IndexSetting.Of("indexes/set-priority", indexNames, "Priority", priority.ToString());

    internal override bool Read(JsonElement answer) => true;
}

/// <summary>Whether indexing runs in the database, and whether each index runs.</summary>
public sealed class GetIndexingStatusOperation : DatabaseOperation<IndexingStatus>
{
    internal override RequestMessage MakeRequest() => IndexAnswers.Get("indexes/status");

    internal override IndexingStatus Read(JsonElement answer) => new(
        IndexDefinitionJson.Choice<IndexRunningStatus>(answer, "Status"u8) ?? IndexRunningStatus.Running,
        answer.Elements("Indexes"u8).DistinctBy(NameOf, StringComparer.OrdinalIgnoreCase).ToDictionary(
            NameOf,
            one => IndexDefinitionJson.Choice<IndexRunningStatus>(one, "Status"u8) ?? IndexRunningStatus.Running,
            StringComparer.OrdinalIgnoreCase));

    private static string NameOf(JsonElement index) => index.RequiredText("Name"u8);
}

/// <summary>What an index is doing.</summary>
public enum IndexRunningStatus
{
    Running,
    Paused,
    Disabled,
    Pending,
}

/// <summary>What indexing is doing.</summary>
/// <param name="Status">Of the database.</param>
/// <param name="Indexes">By their names.</param>
public sealed record IndexingStatus(IndexRunningStatus Status, IReadOnlyDictionary<string, IndexRunningStatus> Indexes);

internal static class IndexSetting
{
    public static RequestMessage Of(string path, IReadOnlyList<string> names, string member, string value) => new()
    {
        Method = HttpMethod.Post,
        Path = path,
        Body = JsonText.Object(json =>
        {
            JsonText.WriteTexts(json, "IndexNames"u8, names);
            json.WriteString(member, value);
        }),
    };
}
