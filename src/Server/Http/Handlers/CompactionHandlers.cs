using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Operations;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Records;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>admin/compact: rewrites the files of a database without their free space, in the background.</summary>
internal static class CompactionHandlers
{
    /// <summary>How long the request waits for the database to be opened, whose indexes it names.</summary>
    private static readonly TimeSpan s_openingPatience = TimeSpan.FromSeconds(15);

    public static void Map(RouteTable routes) =>
        routes.Server("POST", "/admin/compact", Access.Operator, RouteTraits.Audited, PostAsync)
            .Says("Begins to rewrite the files of a database without their free space.")
            .Sends(Body.Object(
                "What is compacted.",
                Input.Text("DatabaseName", "The name of the database.", "Old").Required(),
                Input.Json("Documents", "Whether its documents are.", "true"),
                Input.Json("Indexes", "The names of indexes that are.", "[]")))
            .Answers(200, "OperationId has the number of the operation.");

    private static async ValueTask PostAsync(RequestContext context)
    {
        string name;
        bool isOfDocuments;
        List<string> indexes;
        using (JsonBody body = await JsonBody.ReadObjectAsync(context, "A request to compact a database").ConfigureAwait(false))
        {
            name = body.Root.TextMember("DatabaseName") is { Length: > 0 } named ? named : throw Refuse("DatabaseName is missing; name the database");
            isOfDocuments = body.Root.FlagMember("Documents") ?? false;
            indexes = body.Root.TextsMember("Indexes");
        }

        if (!isOfDocuments && indexes.Count == 0)
        {
            throw Refuse("There is nothing to compact: set Documents to true, or name indexes in Indexes");
        }

        DatabaseLookup lookup = await context.Databases.FindOpenAsync(name, s_openingPatience, context.Aborted).ConfigureAwait(false);
        if (RequestedDatabase.ToProblem(lookup, name) is { } problem)
        {
            await context.Send(problem).ConfigureAwait(false);
            return;
        }

        string[] branches = [.. indexes.Distinct(StringComparer.OrdinalIgnoreCase).Select(index => FolderOf(lookup.Database!, index))];
        var compaction = new DatabaseCompaction(isOfDocuments, branches, [.. DatabaseSchemas.Of(lookup.Database!.Extensions), IndexRecordTable.Schema]);
        await BeginAsync(context, lookup.Database.Name, compaction).ConfigureAwait(false);
    }

    private static async ValueTask BeginAsync(RequestContext context, string name, DatabaseCompaction compaction)
    {
        ServerState server = context.Server;
        if (!server.Operations.TryBegin(server.Operations.NextId(), out Operation operation, figures: compaction))
        {
            throw Refuse("The number of the operation was taken by another one; send the request again");
        }

        DatabaseCatalog databases = context.Databases;
        BackgroundOperations.Run(context, operation, ended => databases.CompactAsync(name, compaction, ended));
        await BackgroundOperations.AnswerAsync(context, 200, operation).ConfigureAwait(false);
    }

    private static string FolderOf(DocumentDatabase database, string index) =>
        database.FindPart<DatabaseIndexes>()?.Catalog.Find(index) is { } found
            ? $"{IndexHost.FolderName}/{found.Record.Folder}"
            : throw new RequestRefusedException(new Problem(
                500, ProblemTypes.IndexMissing, $"There is no index '{index}' in database '{database.Name}'; nothing was compacted."));

    private static RequestRefusedException Refuse(string message) => new(Problem.Argument($"{message}."));
}
