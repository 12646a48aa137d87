using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Revisions;
using Jackdaw.Indexing.Settings;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Handlers.Revisions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>Creating, deleting, listing, enabling and disabling databases.</summary>
internal static class DatabaseHandlers
{
    /// <summary>The index of a deletion that a lock made harmless.</summary>
    private const long KeptIndex = -1;

    private static readonly Body s_names = Body.Object(
        "Which databases.", Input.Text("DatabaseNames", "The names of the databases.", "Old").Repeated().Required());

    public static void Map(RouteTable routes)
    {
        routes.Server("PUT", "/admin/databases", Access.Operator, RouteTraits.Audited, PutAsync)
            .Says("Creates a database, or replaces its record. The header ETag names the record that is replaced.")
            .Takes(Input.Text("name", "The name of the database, unless the record says it.", "New"))
            .Sends(Body.Object(
                "The record of the database.",
                Input.Text("DatabaseName", "The name of the database.", "New"),
                Input.Json("Disabled", "Whether the database is closed to everybody.", "false"),
                Input.Json("Settings", "Settings: texts by name.", "{}"),
                Input.Json("Revisions", "The configuration of revisions.", "null"),
                Input.OneOf(DatabaseLocks.Member, "The lock against deletion.", Enum.GetNames<DatabaseLock>())))
            .Answers(201, "The topology, and RaftCommandIndex, the number of the change.");
        routes.Server("DELETE", "/admin/databases", Access.Operator, RouteTraits.Audited, DeleteAsync)
            .Says("Deletes databases.")
            .Sends(Body.Object(
                "Which databases.",
                Input.Text("DatabaseNames", "The names of the databases.", "Old").Repeated().Required(),
                Input.Json("HardDelete", "Whether the files are deleted too.", "true"),
                Input.Text("FromNodes", "The nodes from which they are deleted: only this one can be named.", "A").Repeated()))
            .Answers(200, "RaftCommandIndex, the number of the change; -1 when a lock kept all of them.");
        routes.Server("GET", "/admin/databases", Access.ValidUser, RouteTraits.None, GetRecord)
            .Says("Gives the record of a database, to its administrators.")
            .Takes(Inputs.DatabaseName)
            .Answers(200, "The record.")
            .AnswersEmpty(404, "There is no such database.");
        routes.Server("POST", "/admin/databases/enable", Access.Operator, RouteTraits.Audited,
            context => SwitchAsync(context, isDisabled: false))
            .Says("Enables databases.")
            .Sends(s_names)
            .Answers(200, "Status has the outcome for each name.");
        routes.Server("POST", "/admin/databases/disable", Access.Operator, RouteTraits.Audited,
            context => SwitchAsync(context, isDisabled: true))
            .Says("Closes databases to everybody until they are enabled.")
            .Sends(s_names)
            .Answers(200, "Status has the outcome for each name.");
        routes.Server("GET", "/databases", Access.ValidUser, RouteTraits.None, List)
            .Says("Lists the databases that the caller may open.")
            .Takes(Inputs.Page)
            .Takes(Inputs.NamesOnly, Input.Text("name", "Only the database of this name.", "Shop"))
            .Answers(200, "Databases has summaries, or names.");
        routes.Database("GET", "/admin/record", Access.Admin, RouteTraits.InMultiGet, GetOwnRecord)
            .Says("Gives the record of the database.")
            .Answers(200, "The record.");
    }

    private static async ValueTask PutAsync(RequestContext context)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A database record").ConfigureAwait(false);
        string? inBody = body.Root.TextMember("DatabaseName");
        string name = context.Query.GetText("name") ?? inBody ?? context.Query.GetRequiredText("name");
        CheckRecord(name, inBody, body.Root);
        bool? wantsDisabled = body.Root.FlagMember("Disabled");

        // Clients without an etag send the word "undefined": anything that is not a number means "create".
        string etag = VersionTag.Unquote(context.Request.Headers.ETag.ToString()).ToString();
        long? expected = long.TryParse(etag, out long number) && number >= 0 ? number : null;
        RecordWriteResult result = await context.Databases.PutRecordAsync(name, body.Bytes, expected, context.Aborted)
            .ConfigureAwait(false);
        if (result.Status != RecordWriteStatus.Written)
        {
            await context.Send(ToProblem(result, name, expected)).ConfigureAwait(false);
            return;
        }

        bool isDisabled = wantsDisabled ?? result.Record!.IsDisabled;
        if (isDisabled != result.Record!.IsDisabled)
        {
            result = await context.Databases.SetDisabledAsync(name, isDisabled, context.Aborted).ConfigureAwait(false);
        }

        await context.Json(201, json => WriteCreated(json, result, context))
            .ConfigureAwait(false);
    }

    private static void CheckRecord(string name, string? nameInBody, JsonElement record)
    {
        DatabaseNames.Check(name);
        if (nameInBody is not null && !nameInBody.Equals(name, StringComparison.OrdinalIgnoreCase))
        {
            throw new RequestRefusedException(Problem.Argument(
                $"The record's DatabaseName '{nameInBody}' and the query's name '{name}' differ; send one name."));
        }

        new IndexingSettings().Over(RecordSettings.Read(record), out string? problem);
        if (problem is not null)
        {
            throw new RequestRefusedException(Problem.Argument($"The record's setting {problem}."));
        }

        if (RevisionsConfiguration.TryFind(record, out JsonElement revisions))
        {
            RevisionConfigurationHandlers.Check(revisions);
        }

        if (LockHandlers.Check(DatabaseLocks.Member, record.TextMember(DatabaseLocks.Member)) is { } lockProblem)
        {
            throw new RequestRefusedException(Problem.Argument($"The record's {lockProblem}"));
        }

        if (record.FlagMember("Encrypted") == true)
        {
            throw new RequestRefusedException(Problem.NotSupported("Encrypted databases are"));
        }
    }

    private static void WriteCreated(Utf8JsonWriter json, RecordWriteResult result, RequestContext context)
    {
        json.WriteStartObject();
        json.WriteNumber("RaftCommandIndex"u8, result.CommitIndex);
        json.WriteString("Name"u8, result.Record!.Name);
        DatabaseAnswers.WriteTopology(json, result.Record, context.Server.NodeTag);
        json.WriteStartArray("NodesAddedTo"u8);
        json.WriteStringValue(PublicAddress.Of(context));
        json.WriteEndArray();
        json.WriteBoolean("ShardsDefined"u8, false);
        json.WriteEndObject();
    }

    private static Problem ToProblem(RecordWriteResult result, string name, long? expected) => result.Status switch
    {
        RecordWriteStatus.AlreadyExists => new Problem(409, ProblemTypes.Concurrency,
            $"Database '{name}' exists already (etag {result.Record?.Etag}); to update its record send that etag."),
        RecordWriteStatus.EtagMismatch => new Problem(409, ProblemTypes.Concurrency,
            $"Database '{name}': the record's etag is {result.Record?.Etag ?? 0}, not {expected}; read it again."),
        _ => Problem.DatabaseMissing(name),
    };

    private static async ValueTask DeleteAsync(RequestContext context)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A request to delete databases")
            .ConfigureAwait(false);
        List<string> names = body.Root.TextsMember("DatabaseNames");
        bool isHard = body.Root.FlagMember("HardDelete") ?? false;
        if (names.Count == 0)
        {
            throw new RequestRefusedException(
                Problem.Argument("DatabaseNames is empty; name the databases to delete."));
        }

        CheckNodes(body.Root.TextsMember("FromNodes"), context.Server.NodeTag);
        foreach (string name in names)
        {
            if (context.Databases.GetRecord(name) is { } record && DatabaseLocks.Of(record) == DatabaseLock.PreventDeletesError)
            {
                throw new RequestRefusedException(LockHandlers.Refuse(name));
            }
        }

        long commitIndex = 0;
        foreach (string name in names)
        {
            RecordWriteResult result = await context.Databases.DeleteAsync(name, isHard, context.Aborted)
                .ConfigureAwait(false);
            commitIndex = result.Status switch
            {
                RecordWriteStatus.Written => result.CommitIndex,
                RecordWriteStatus.Locked when DatabaseLocks.Of(result.Record!) == DatabaseLock.PreventDeletesError =>
                    throw new RequestRefusedException(LockHandlers.Refuse(name)),
                RecordWriteStatus.Locked when commitIndex == 0 => KeptIndex,
                _ => commitIndex,
            };
        }

        if (commitIndex == 0)
        {
            await context.Send(Problem.DatabaseMissing(string.Join(", ", names))).ConfigureAwait(false);
            return;
        }

        await context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteNumber("RaftCommandIndex"u8, commitIndex);
            json.WriteStartArray("PendingDeletes"u8);
            json.WriteEndArray();
            json.WriteEndObject();
        }).ConfigureAwait(false);
    }

    // Removing a database from another node must not delete it here.
    private static void CheckNodes(List<string> nodes, string nodeTag)
    {
        string? other = nodes.Find(node => !node.Equals(nodeTag, StringComparison.OrdinalIgnoreCase));
        if (other is not null)
        {
            throw new RequestRefusedException(Problem.Argument(
                $"FromNodes names '{other}', and the only node is '{nodeTag}'; nothing was deleted."));
        }
    }

    private static ValueTask GetRecord(RequestContext context)
    {
        string name = context.Query.GetRequiredText("name");
        context.Demand(Access.Admin, name, "The record of a database");
        if (context.Databases.GetRecord(name) is { } record)
        {
            return SendRecord(context, record);
        }

        // The command's result is null for 404: this is how clients ask whether a database exists.
        context.NameMissing(name);
        return context.Empty(404);
    }

    private static ValueTask GetOwnRecord(RequestContext context) =>
        context.Databases.GetRecord(context.Database.Name) is { } record
            ? SendRecord(context, record)
            : context.Send(Problem.DatabaseMissing(context.Database.Name));

    private static ValueTask SendRecord(RequestContext context, DatabaseRecord record)
    {
        ClientConfiguration client = context.Databases.GetClientConfiguration(record.Name) ?? ClientConfiguration.Unset;
        return context.Json(200, json => DatabaseAnswers.WriteRecord(
            json, record, client, context.Server.NodeTag, context.Databases.Find(record.Name)));
    }

    // Only databases that the caller may open are listed.
    private static ValueTask List(RequestContext context)
    {
        bool namesOnly = context.Query.GetFlag("namesOnly");
        long start = context.Query.GetCount("start", 0);
        long count = context.Query.GetCount("pageSize", int.MaxValue);
        string? only = context.Query.GetText("name");
        DatabaseRecord[] records = [.. context.Databases.ListRecords()
            .Where(record => context.Caller.MayKnowOf(record.Name))
            .Where(record => only is null || record.Name.Equals(only, StringComparison.OrdinalIgnoreCase))
            .Skip((int)Math.Min(start, int.MaxValue)).Take((int)Math.Min(count, int.MaxValue))];
        return context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteStartArray("Databases"u8);
            foreach (DatabaseRecord record in records)
            {
                if (namesOnly)
                {
                    json.WriteStringValue(record.Name);
                }
                else
                {
                    DatabaseAnswers.WriteSummary(json, record, context.Databases.Find(record.Name));
                }
            }

            json.WriteEndArray();
            json.WriteEndObject();
        });
    }

    private static async ValueTask SwitchAsync(RequestContext context, bool isDisabled)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A request to switch databases")
            .ConfigureAwait(false);
        var results = new List<(string Name, RecordWriteStatus Status)>();
        foreach (string name in body.Root.TextsMember("DatabaseNames"))
        {
            RecordWriteResult result = await context.Databases.SetDisabledAsync(name, isDisabled, context.Aborted)
                .ConfigureAwait(false);
            results.Add((name, result.Status));
        }

        await context.Json(200, json => WriteSwitched(json, results, isDisabled)).ConfigureAwait(false);
    }

    private static void WriteSwitched(
        Utf8JsonWriter json, List<(string Name, RecordWriteStatus Status)> results, bool isDisabled)
    {
        json.WriteStartObject();
        json.WriteStartArray("Status"u8);
        foreach ((string name, RecordWriteStatus status) in results)
        {
            bool success = status == RecordWriteStatus.Written;
            json.WriteStartObject();
            json.WriteString("Name"u8, name);
            json.WriteBoolean("Success"u8, success);
            json.WriteBoolean("Disabled"u8, success && isDisabled);
            json.WriteString("Reason"u8, success ? null : "The database does not exist.");
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }
}
