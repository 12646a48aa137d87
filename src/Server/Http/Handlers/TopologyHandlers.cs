using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Databases;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>Commands about the nodes of a database. One node answers those that leave everything as it is, and refuses only what needs another node.</summary>
internal static class TopologyHandlers
{
    public static void Map(RouteTable routes)
    {
        routes.Server("PUT", "/admin/databases/node", Access.Operator, RouteTraits.Audited, AddNode)
            .Says("Adds a node to a database; with one server there is none to add, so that it is refused.")
            .Takes(Inputs.DatabaseName, Input.Text("node", "The tag of the node.", "A"))
            .AnswersEmpty(201, "Never, in this version.");
        routes.Server("POST", "/admin/databases/promote", Access.Operator, RouteTraits.Audited, Promote)
            .Says("Makes a node a full member of a database, which the only node is already.")
            .Takes(Inputs.DatabaseName, Input.Text("node", "The tag of the node.", "A").Required())
            .Answers(200, "The topology.");
        routes.Server("POST", "/admin/databases/reorder", Access.Operator, RouteTraits.Audited, ReorderAsync)
            .Says("Sets the order of the nodes of a database, which the only node leaves as it is.")
            .Takes(Inputs.DatabaseName)
            .Sends(Body.Object("The order.", Input.Text("MembersOrder", "The tags of all nodes, in order.", "A").Repeated().Required()))
            .AnswersEmpty(204, "The order holds.");
        routes.Server("POST", "/admin/databases/topology/modify", Access.Operator, RouteTraits.Audited, ModifyAsync)
            .Says("Replaces the topology of a database, which must name the only node.")
            .Takes(Inputs.DatabaseName)
            .Sends(Body.Object(
                "The topology.",
                Input.Text("Members", "The tags of the nodes that have the database.", "A").Repeated().Required(),
                Input.Text("PriorityOrder", "The tags in the order of preference.", "A").Repeated(),
                Input.Json("Promotables", "The tags of nodes that are not members yet.", "[]"),
                Input.Json("Rehabs", "The tags of nodes that are members no more.", "[]"),
                Input.Json("DynamicNodesDistribution", "Whether nodes are chosen by the server, which needs several.", "false")))
            .Answers(200, "The topology.");
        routes.Server("POST", "/admin/databases/dynamic-node-distribution", Access.Operator, RouteTraits.Audited, Distribute)
            .Says("Switches whether the server chooses the nodes of a database; switching it on needs several nodes.")
            .Takes(Inputs.DatabaseName, Input.Flag("enabled", "Whether it chooses.").Like("false"))
            .AnswersEmpty(204, "It is off.");
        routes.Server("POST", "/admin/databases/unused-ids", Access.Operator, RouteTraits.Audited, SetUnusedIdsAsync)
            .Says("Sets the ids of databases that change vectors need not have any more.")
            .Takes(Inputs.DatabaseName)
            .Sends(Body.Object("The ids.", Input.Text("DatabaseIds", "Ids of databases that nobody uses.", "AAAAAAAAAAAAAAAAAAAAAA").Repeated().Required()))
            .AnswersEmpty(204, "They are set.");
    }

    private static ValueTask AddNode(RequestContext context)
    {
        DatabaseRecord record = Require(context);
        CheckNode(context, context.Query.GetText("node"));
        throw new RequestRefusedException(new Problem(500, ProblemTypes.InvalidOperation,
            $"Database '{record.Name}' already exists on all the nodes of the cluster: '{context.Server.NodeTag}' is the only one."));
    }

    private static ValueTask Promote(RequestContext context)
    {
        DatabaseRecord record = Require(context);
        CheckNode(context, context.Query.GetRequiredText("node"));
        return context.Json(200, json => DatabaseAnswers.WriteTopologyResult(json, record, record.Etag, context.Server.NodeTag));
    }

    private static async ValueTask ReorderAsync(RequestContext context)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "An order of nodes").ConfigureAwait(false);
        Require(context);
        List<string> order = body.Root.TextsMember("MembersOrder");
        order.ForEach(node => CheckNode(context, node));
        if (order.Count != 1)
        {
            throw new RequestRefusedException(Problem.Argument(
                $"MembersOrder has {order.Count} nodes; name each node of the database once: [\"{context.Server.NodeTag}\"]."));
        }

        await context.Empty(204).ConfigureAwait(false);
    }

    private static async ValueTask ModifyAsync(RequestContext context)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A topology").ConfigureAwait(false);
        DatabaseRecord record = Require(context);
        foreach (string list in (ReadOnlySpan<string>)["Members", "Promotables", "Rehabs", "PriorityOrder"])
        {
            body.Root.TextsMember(list).ForEach(node => CheckNode(context, node));
        }

        if (body.Root.TextsMember("Members").Count != 1)
        {
            throw new RequestRefusedException(Problem.Argument(
                $"The topology must have the one member '{context.Server.NodeTag}', which holds the database."));
        }

        if (body.Root.FlagMember("DynamicNodesDistribution") == true)
        {
            throw NeedsNodes("Distributing databases over nodes");
        }

        await context.Json(200, json => DatabaseAnswers.WriteTopologyResult(json, record, record.Etag, context.Server.NodeTag)).ConfigureAwait(false);
    }

    private static ValueTask Distribute(RequestContext context)
    {
        Require(context);
        return context.Query.GetFlag("enabled") ? throw NeedsNodes("Distributing databases over nodes") : context.Empty(204);
    }

    private static async ValueTask SetUnusedIdsAsync(RequestContext context)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "Ids of databases").ConfigureAwait(false);
        DatabaseRecord record = Require(context);
        List<string> ids = body.Root.TextsMember("DatabaseIds");
        if (ids.Contains(record.DatabaseId, StringComparer.Ordinal))
        {
            throw new RequestRefusedException(Problem.Argument($"The id '{record.DatabaseId}' is in use by database '{record.Name}', so it is not unused."));
        }

        await context.Databases.PutRecordMemberAsync(record.Name, "UnusedDatabaseIds", JsonSerializer.SerializeToUtf8Bytes(ids), context.Aborted)
            .ConfigureAwait(false);
        await context.Empty(204).ConfigureAwait(false);
    }

    private static DatabaseRecord Require(RequestContext context)
    {
        string name = context.Query.GetRequiredText("name");
        return context.Databases.GetRecord(name) ?? throw new RequestRefusedException(Problem.DatabaseMissing(name));
    }

    private static void CheckNode(RequestContext context, string? node)
    {
        if (node is not null && !node.Equals(context.Server.NodeTag, StringComparison.OrdinalIgnoreCase))
        {
            throw new RequestRefusedException(new Problem(500, ProblemTypes.InvalidOperation,
                $"The node '{node}' is not part of the cluster, whose only node is '{context.Server.NodeTag}'; nothing was changed."));
        }
    }

    private static RequestRefusedException NeedsNodes(string what) =>
        new(new Problem(501, ProblemTypes.NotSupported, $"{what} needs several nodes, which this version of Jackdaw does not support yet."));
}
