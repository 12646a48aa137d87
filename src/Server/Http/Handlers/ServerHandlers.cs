using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Server.Http.Answers;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>Requests of clients about the server and its one-node cluster.</summary>
internal static class ServerHandlers
{
    private static readonly Input s_tcp = Input.OneOf("tcp", "What is asked; other values are refused.", "health-check");

    public static void Map(RouteTable routes)
    {
        routes.Server("GET", "/build/version", Access.Anonymous, RouteTraits.WhileStarting, BuildVersion)
            .Says("Tells the version of the server.")
            .Answers(200, "The version.");
        routes.Server("GET", "/topology", Access.ValidUser, RouteTraits.None, Topology)
            .Says("Tells clients which nodes have a database.")
            .Takes(Inputs.DatabaseName)
            .Answers(200, "The nodes with their addresses.");
        routes.Server("GET", "/cluster/topology", Access.ValidUser, RouteTraits.None, ClusterTopology)
            .Says("Tells clients which nodes the cluster has.")
            .Answers(200, "The nodes with their addresses.");
        routes.Server("GET", "/cluster/node-info", Access.ValidUser, RouteTraits.None, NodeFacts)
            .Says("Tells facts about the node.")
            .Answers(200, "Its tag, id, state, processors and memory.");
        routes.Server("GET", "/info/tcp", Access.ValidUser, RouteTraits.None, TcpFacts)
            .Says("Answers the health checks of clients; there are no TCP connections yet.")
            .Takes(s_tcp)
            .Answers(200, "The node is there.");
        routes.Database("GET", "/info/tcp", Access.Read, RouteTraits.InMultiGet, TcpFacts)
            .Says("Answers the health checks of clients of a database; there are no TCP connections yet.")
            .Takes(s_tcp)
            .Answers(200, "The node is there.");
        routes.Database("GET", "/healthcheck", Access.Read, RouteTraits.InMultiGet, context => context.Empty(204))
            .Says("Tells that a database is open, which it waits for.")
            .AnswersEmpty(204, "It is open.");
    }

    private static ValueTask BuildVersion(RequestContext context) =>
        context.Json(200, static json =>
        {
            json.WriteStartObject();
            json.WriteNumber("BuildVersion"u8, ProtocolVersion.Build);
            json.WriteString("ProductVersion"u8, ProtocolVersion.Product);
            json.WriteString("CommitHash"u8, "jackdaw"u8);
            json.WriteString("FullVersion"u8, ProtocolVersion.Full);
            json.WriteEndObject();
        });

    private static ValueTask Topology(RequestContext context)
    {
        string name = context.Query.GetRequiredText("name");
        context.Demand(Access.Read, name, "The topology of a database");
        if (context.Databases.GetRecord(name) is not { } record)
        {
            return context.Send(Problem.DatabaseMissing(name));
        }

        return context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteStartArray("Nodes"u8);
            json.WriteStartObject();
            json.WriteString("Url"u8, PublicAddress.Of(context));
            json.WriteString("ClusterTag"u8, context.Server.NodeTag);
            json.WriteString("Database"u8, record.Name);
            json.WriteString("ServerRole"u8, "Member"u8);
            json.WriteEndObject();
            json.WriteEndArray();
            json.WriteStartArray("Promotables"u8);
            json.WriteEndArray();
            json.WriteNumber("Etag"u8, record.TopologyEtag);
            json.WriteEndObject();
        });
    }

    private static ValueTask ClusterTopology(RequestContext context) =>
        context.Json(200, json =>
        {
            TimeSpan leading = context.Server.Time.GetUtcNow() - context.Server.Started;
            json.WriteStartObject();
            WriteClusterNodes(json, context);
            json.WriteNumber("Etag"u8, ServerState.ClusterTopologyEtag);
            json.WriteString("Leader"u8, context.Server.NodeTag);
            json.WriteNumber("LeaderShipDuration"u8, (long)leading.TotalMilliseconds);
            json.WriteString("CurrentState"u8, "Leader"u8);
            json.WriteString("NodeTag"u8, context.Server.NodeTag);
            json.WriteNumber("CurrentTerm"u8, 1);
            WriteEmptyObject(json, "NodeLicenseDetails");
            json.WriteString("LastStateChangeReason"u8, ""u8);
            WriteEmptyObject(json, "Status");
            json.WriteEndObject();
        });

    private static void WriteClusterNodes(Utf8JsonWriter json, RequestContext context)
    {
        json.WriteStartObject("Topology"u8);
        json.WriteString("TopologyId"u8, context.Databases.ServerId);
        foreach (string role in (ReadOnlySpan<string>)["AllNodes", "Members"])
        {
            json.WriteStartObject(role);
            json.WriteString(context.Server.NodeTag, PublicAddress.Of(context));
            json.WriteEndObject();
        }

        WriteEmptyObject(json, "Promotables");
        WriteEmptyObject(json, "Watchers");
        WriteEmptyObject(json, "Witnesses");
        json.WriteString("LastNodeId"u8, context.Server.NodeTag);
        json.WriteNumber("Etag"u8, ServerState.ClusterTopologyEtag);
        json.WriteEndObject();
    }

    private static ValueTask NodeFacts(RequestContext context) =>
        context.Json(200, json =>
        {
            double memoryGb = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / (double)(1L << 30);
            json.WriteStartObject();
            json.WriteString("NodeTag"u8, context.Server.NodeTag);
            json.WriteString("TopologyId"u8, context.Databases.ServerId);
            WriteCertificate(json, context);
            json.WriteString("ServerId"u8, context.Databases.ServerId);
            json.WriteString("ServerRole"u8, "Member"u8);
            json.WriteString("CurrentState"u8, "Leader"u8);
            json.WriteNumber("NumberOfCores"u8, Environment.ProcessorCount);
            json.WriteNumber("InstalledMemoryInGb"u8, Math.Round(memoryGb, 2));
            json.WriteNumber("UsableMemoryInGb"u8, Math.Round(memoryGb, 2));
            json.WriteNull("BuildInfo"u8);
            json.WriteNull("OsInfo"u8);
            json.WriteBoolean("HasFixedPort"u8, context.Server.Options.ServerUrl.Port != 0);
            json.WriteNumber("ServerSchemaVersion"u8, ProtocolVersion.Build / 1000);
            json.WriteString("ClusterStatus"u8, "Leader"u8);
            json.WriteEndObject();
        });

    // Clients also use this as a health check of a node; the TCP listener it is named after does not exist yet.
    private static ValueTask TcpFacts(RequestContext context)
    {
        if (context.Query.GetText("tcp") != "health-check")
        {
            return context.Send(Problem.NotSupported("TCP connections (subscriptions, replication) are"));
        }

        return context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteNull("Url"u8);
            json.WriteStartArray("Urls"u8);
            json.WriteEndArray();
            json.WriteNull("Certificate"u8);
            json.WriteString("NodeTag"u8, context.Server.NodeTag);
            json.WriteString("ServerId"u8, context.Databases.ServerId);
            json.WriteEndObject();
        });
    }

    private static void WriteCertificate(Utf8JsonWriter json, RequestContext context)
    {
        if (context.Server.Security is { } security)
        {
            json.WriteBase64String("Certificate"u8, security.Keys.Current.RawDataMemory.Span);
        }
        else
        {
            json.WriteNull("Certificate"u8);
        }
    }

    private static void WriteEmptyObject(Utf8JsonWriter json, string name)
    {
        json.WriteStartObject(name);
        json.WriteEndObject();
    }
}
