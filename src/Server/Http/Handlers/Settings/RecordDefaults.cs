using System.Text.Json;
using Jackdaw.Server.Http.Bodies;

namespace Jackdaw.Server.Http.Handlers.Settings;

/// <summary>The members that the clients' class of a database record declares, each with its default. A client reads all of them, and some fail on one that is
/// absent, or null where their class has a map or a list.</summary>
/// <remarks>A default that is an object with the one member <c>?</c> is null, and one with the one member <c>*</c> is an empty map. What these members have is
/// the shape of an object that is there instead: it gets the members that it lacks.</remarks>
internal static class RecordDefaults
{
    private const string CollectionRevisions = """
        {"Disabled":false,"MinimumRevisionsToKeep":null,"MinimumRevisionAgeToKeep":null,"PurgeOnDelete":false,
        "MaximumRevisionsToDeleteUponDocumentUpdate":null}
        """;

    private static readonly JsonElement s_defaults = JsonDocument.Parse("""
        {
          "Encrypted": false, "EtagForBackup": 0, "DeletionInProgress": {}, "RollingIndexes": {}, "DatabaseState": "Normal", "LockMode": "Unlock",
          "Sharding": null, "Sorters": {}, "Analyzers": {}, "Indexes": {}, "IndexesHistory": {}, "AutoIndexes": {}, "Settings": {},
          "ConflictSolverConfig": {"?": {"ResolveByCollection": {"*": {"Script": null, "LastModifiedTime": null}}, "ResolveToLatest": false}},
          "DocumentsCompression": {"?": {"Collections": [], "CompressAllCollections": false, "CompressRevisions": false}},
          "Revisions": {"?": {"Default": {"?": "@revisions"}, "Collections": {"*": "@revisions"}}},
          "RevisionsForConflicts": {"?": "@revisions"},
          "TimeSeries": {"?": {"Collections": {"*": {"Disabled": false, "Policies": [], "RawPolicy": null}}, "PolicyCheckFrequency": null, "NamedValues": {}}},
          "Expiration": {"?": {"Disabled": false, "DeleteFrequencyInSec": null, "MaxItemsToProcess": null}},
          "Refresh": {"?": {"Disabled": false, "RefreshFrequencyInSec": null, "MaxItemsToProcess": null}},
          "DataArchival": {"?": {"Disabled": false, "ArchiveFrequencyInSec": null, "MaxItemsToProcess": null}},
          "Integrations": {"?": {"PostgreSql": {"?": {"Authentication": null}}}},
          "PeriodicBackups": [], "ExternalReplications": [], "SinkPullReplications": [], "HubPullReplications": [],
          "RavenConnectionStrings": {"*": {"Name": null, "Type": "Raven", "Database": null, "TopologyDiscoveryUrls": []}},
          "SqlConnectionStrings": {"*": {"Name": null, "Type": "Sql", "ConnectionString": null, "FactoryName": null}},
          "OlapConnectionStrings": {"*": {"Name": null, "Type": "Olap"}},
          "ElasticSearchConnectionStrings": {"*": {"Name": null, "Type": "ElasticSearch", "Nodes": [], "Authentication": null}},
          "QueueConnectionStrings": {"*": {"Name": null, "Type": "Queue", "BrokerType": "None"}},
          "SnowflakeConnectionStrings": {}, "AiConnectionStrings": {},
          "RavenEtls": [], "SqlEtls": [], "ElasticSearchEtls": [], "OlapEtls": [], "QueueEtls": [], "SnowflakeEtls": [], "QueueSinks": [],
          "EmbeddingsGenerations": [], "GenAis": [], "AiAgents": [],
          "Client": {"?": {"Etag": 0, "Disabled": false, "MaxNumberOfRequestsPerSession": null, "ReadBalanceBehavior": null, "LoadBalanceBehavior": null,
            "LoadBalancerContextSeed": null, "IdentityPartsSeparator": null}},
          "Studio": {"?": {"Disabled": false, "DisableAutoIndexCreation": false, "Environment": "None"}},
          "TruncatedClusterTransactionCommandsCount": 0, "TruncatedClusterTransactionIndex": 0, "UnusedDatabaseIds": [], "SupportedFeatures": []
        }
        """.Replace("\"@revisions\"", CollectionRevisions, StringComparison.Ordinal)).RootElement;

    /// <summary>Writes the members of a record. What it does not have, or has as null, gets its default.</summary>
    /// <param name="record">The record as it was sent.</param>
    /// <param name="written">Names of members that are written in another place.</param>
    public static void Write(Utf8JsonWriter json, JsonElement record, params ReadOnlySpan<string> written)
    {
        List<string> known = [.. written];
        foreach (JsonProperty member in s_defaults.EnumerateObject().Where(member => !known.Contains(member.Name)))
        {
            json.WritePropertyName(member.Name);
            Write(json, record.Member(member.Name), member.Value);
        }

        known.AddRange(s_defaults.EnumerateObject().Select(member => member.Name));
        record.CopyMembers(json, [.. known]);
    }

    /// <summary>The name in the protocol of the maps of connection strings.</summary>
    public static IEnumerable<string> ConnectionStringMaps { get; } =
        [.. s_defaults.EnumerateObject().Select(member => member.Name).Where(name => name.EndsWith("ConnectionStrings", StringComparison.Ordinal))];

    private static void Write(Utf8JsonWriter json, JsonElement? found, JsonElement wanted)
    {
        (JsonElement? optional, JsonElement? each) = wanted.ValueKind == JsonValueKind.Object ? (ShapeIn(wanted, "?"), ShapeIn(wanted, "*")) : (null, null);
        if (found is not { } value)
        {
            WriteDefault(json, wanted, optional is not null, each is not null);
        }
        else if (value.ValueKind == JsonValueKind.Object && (optional ?? each) is { } shape)
        {
            json.WriteStartObject();
            WriteInside(json, value, shape, isMap: each is not null);
            json.WriteEndObject();
        }
        else
        {
            value.WriteTo(json);
        }
    }

    private static JsonElement? ShapeIn(JsonElement wanted, string mark) => wanted.TryGetProperty(mark, out JsonElement shape) ? shape : null;

    private static void WriteDefault(Utf8JsonWriter json, JsonElement wanted, bool isOptional, bool isMap)
    {
        if (isOptional)
        {
            json.WriteNullValue();
        }
        else if (isMap)
        {
            json.WriteStartObject();
            json.WriteEndObject();
        }
        else
        {
            wanted.WriteTo(json);
        }
    }

    private static void WriteInside(Utf8JsonWriter json, JsonElement value, JsonElement shape, bool isMap)
    {
        if (!isMap)
        {
            WriteMembers(json, value, shape);
            return;
        }

        foreach (JsonProperty one in value.EnumerateObject())
        {
            json.WritePropertyName(one.Name);
            if (one.Value.ValueKind == JsonValueKind.Object)
            {
                json.WriteStartObject();
                WriteMembers(json, one.Value, shape);
                json.WriteEndObject();
            }
            else
            {
                one.Value.WriteTo(json);
            }
        }
    }

    private static void WriteMembers(Utf8JsonWriter json, JsonElement value, JsonElement shape)
    {
        foreach (JsonProperty member in shape.EnumerateObject())
        {
            json.WritePropertyName(member.Name);
            Write(json, value.Member(member.Name), member.Value);
        }

        value.CopyMembers(json, [.. shape.EnumerateObject().Select(member => member.Name)]);
    }
}
