using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Revisions;
using Jackdaw.Server.Http.Bodies;
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
            context => RecordChanges.AnswerAsync(context, RevisionsConfiguration.Member));
        routes.Database("POST", "/admin/revisions/config", Access.Admin, RouteTraits.Audited, PostAsync);
        routes.Database("GET", "/revisions/conflicts/config", Access.Read, RouteTraits.InMultiGet,
            context => RecordChanges.AnswerAsync(context, ConflictsMember));
        routes.Database("POST", "/admin/revisions/conflicts/config", Access.Admin, RouteTraits.Audited,
            PostConflictsAsync);
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
