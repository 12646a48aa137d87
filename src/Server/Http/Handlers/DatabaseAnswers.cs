using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Handlers.Indexes;
using Jackdaw.Server.Http.Handlers.Settings;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>JSON of database records as clients read it.</summary>
internal static class DatabaseAnswers
{
    /// <summary>Writes the record as it was sent, with the members that the server adds, and with the defaults of all others that clients read.</summary>
    /// <param name="client">The client configuration of the database.</param>
    /// <param name="lookup">If the database is open, the indexes are written too.</param>
    public static void WriteRecord(
        Utf8JsonWriter json, DatabaseRecord record, ClientConfiguration client, string nodeTag, in DatabaseLookup lookup)
    {
        using JsonDocument sent = JsonBody.ParseStored(record.Json);
        json.WriteStartObject();
        json.WriteString("DatabaseName"u8, record.Name);
        json.WriteBoolean("Disabled"u8, record.IsDisabled);
        json.WriteNumber("Etag"u8, record.Etag);
        WriteTopology(json, record, nodeTag);
        List<string> written = ["DatabaseName", "Disabled", "Etag", "Topology"];
        if (lookup.Database?.FindPart<DatabaseIndexes>() is { } indexes)
        {
            written.AddRange(IndexDefinitionAnswers.WriteOfRecord(json, indexes));
        }

        if (!client.Json.IsEmpty)
        {
            json.WritePropertyName("Client"u8);
            ClientConfigurationHandlers.Write(json, client);
            written.Add("Client");
        }

        RecordDefaults.Write(json, sent.RootElement, [.. written]);
        json.WriteEndObject();
    }

    /// <summary>Writes the answer to a command about the nodes of a database.</summary>
    public static void WriteTopologyResult(Utf8JsonWriter json, DatabaseRecord record, long commitIndex, string nodeTag)
    {
        json.WriteStartObject();
        json.WriteNumber("RaftCommandIndex"u8, commitIndex);
        json.WriteString("Name"u8, record.Name);
        WriteTopology(json, record, nodeTag);
        json.WriteEndObject();
    }

    public static void WriteTopology(Utf8JsonWriter json, DatabaseRecord record, string nodeTag)
    {
        json.WriteStartObject("Topology"u8);
        json.WriteStartArray("Members"u8);
        json.WriteStringValue(nodeTag);
        json.WriteEndArray();
        WriteEmptyArray(json, "Promotables");
        WriteEmptyArray(json, "Rehabs");
        WriteEmptyObject(json, "PredefinedMentors");
        WriteEmptyObject(json, "DemotionReasons");
        WriteEmptyObject(json, "PromotablesStatus");
        json.WriteStartObject("Stamp"u8);
        json.WriteNumber("Index"u8, record.TopologyEtag);
        json.WriteNumber("Term"u8, 1);
        json.WriteNumber("LeadersTicks"u8, -2);
        json.WriteEndObject();
        json.WriteBoolean("DynamicNodesDistribution"u8, false);
        json.WriteNumber("ReplicationFactor"u8, 1);
        WriteEmptyArray(json, "PriorityOrder");
        json.WriteNull("NodesModifiedAt"u8);
        json.WriteString("DatabaseTopologyIdBase64"u8, record.DatabaseId);
        json.WriteString("ClusterTransactionIdBase64"u8, record.DatabaseId);
        json.WriteEndObject();
    }

    /// <summary>Writes one line of the list of databases.</summary>
    public static void WriteSummary(Utf8JsonWriter json, DatabaseRecord record, in DatabaseLookup lookup)
    {
        json.WriteStartObject();
        json.WriteString("Name"u8, record.Name);
        json.WriteBoolean("Disabled"u8, record.IsDisabled);
        JsonAnswers.WriteSize(json, "TotalSize", lookup.Database?.SizeBytes ?? 0);
        json.WriteBoolean("IsAdmin"u8, true);
        json.WriteBoolean("IsEncrypted"u8, false);
        json.WriteString("LoadError"u8, lookup.IsUnusable ? lookup.Reason : null);
        if (lookup.Database is { } database)
        {
            using DocumentReadScope read = database.BeginRead(ReaderKind.Statistics);
            json.WriteNumber("DocumentsCount"u8, read.Counts.Documents);
            json.WriteNumber("IndexesCount"u8, database.FindPart<DatabaseIndexes>()?.Catalog.All.Count() ?? 0);
        }

        json.WriteEndObject();
    }

    private static void WriteEmptyArray(Utf8JsonWriter json, string name)
    {
        json.WriteStartArray(name);
        json.WriteEndArray();
    }

    private static void WriteEmptyObject(Utf8JsonWriter json, string name)
    {
        json.WriteStartObject(name);
        json.WriteEndObject();
    }
}
