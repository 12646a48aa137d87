using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Revisions;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Handlers.Settings;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Revisions;

/// <summary>Reads and writes the configuration of revisions, which is a member of the database record.</summary>
internal static class RevisionConfigurationHandlers
{
    /// <summary>The member of the record for versions that lost a conflict of replicas.</summary>
    private const string ConflictsMember = "RevisionsForConflicts";

    public static void Map(RouteTable routes)
    {
        routes.Database("GET", "/revisions/config", Access.Read, RouteTraits.InMultiGet,
            context => RecordChanges.AnswerAsync(context, RevisionsConfiguration.Member))
            .Says("Gives the configuration of revisions.")
            .Answers(200, "The configuration.")
            .AnswersEmpty(404, "There is none.");
        routes.Database("POST", "/admin/revisions/config", Access.Admin, RouteTraits.Audited, PostAsync)
            .Says("Sets which documents keep revisions, and how many.")
            .Sends(Body.Object(
                "The configuration.",
                Input.Json("Default", "What holds for collections that are not named.", "null"),
                Input.Json("Collections", "What holds for some collections.", """{"Orders":{"Disabled":false,"MinimumRevisionsToKeep":10}}""")))
            .Answers(200, "RaftCommandIndex, the number of the change.");
        routes.Database("GET", "/revisions/conflicts/config", Access.Read, RouteTraits.InMultiGet,
            context => RecordChanges.AnswerAsync(context, ConflictsMember))
            .Says("Gives the configuration of revisions for versions that lost a conflict of replicas.")
            .Answers(200, "The configuration.")
            .AnswersEmpty(404, "There is none.");
        routes.Database("POST", "/admin/revisions/conflicts/config", Access.Admin, RouteTraits.Audited,
            PostConflictsAsync)
            .Says("Sets the configuration of revisions for versions that lost a conflict of replicas.")
            .Sends(Body.Object(
                "The configuration.",
                Input.Json("Disabled", "Whether none are kept.", "false"),
                Input.Count("MinimumRevisionsToKeep", "How many are kept.", "10"),
                Input.Json("PurgeOnDelete", "Whether deleting a document deletes its revisions.", "false")))
            .Answers(200, "RaftCommandIndex, the number of the change.");
    }

    /// <exception cref="RequestRefusedException">The JSON is not a configuration.</exception>
    public static void Check(JsonElement configuration)
    {
        if (!RevisionsConfiguration.TryRead(configuration, out _, out string? problem))
        {
            throw new RequestRefusedException(Problem.Argument($"The configuration of revisions is refused: {problem}."));
        }
    }

    private static async ValueTask PostAsync(RequestContext context)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A configuration of revisions").ConfigureAwait(false);
        Check(body.Root);
        long index = await RecordChanges.SetAsync(context, RevisionsConfiguration.Member, body.Bytes).ConfigureAwait(false);
        await RecordChanges.AnswerAsync(context, index).ConfigureAwait(false);
    }

    // A single server has no conflicts of replicas. The configuration is stored for the time when there are several.
    private static async ValueTask PostConflictsAsync(RequestContext context)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A configuration of revisions for conflicts").ConfigureAwait(false);
        if (RevisionRules.Read(body.Root, "The configuration", out string? problem) is null)
        {
            throw new RequestRefusedException(Problem.Argument($"{problem}."));
        }

        long index = await RecordChanges.SetAsync(context, ConflictsMember, body.Bytes).ConfigureAwait(false);
        await RecordChanges.AnswerAsync(context, index).ConfigureAwait(false);
    }
}
