using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Expiration;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Settings;

/// <summary>Reads and writes the configurations of expiration, refresh and archiving, which are members of the database's record.</summary>
internal static class ScheduleHandlers
{
    public static void Map(RouteTable routes)
    {
        Map(routes, "expiration", ScheduleFeature.Expiration);
        Map(routes, "refresh", ScheduleFeature.Refresh);
        Map(routes, "data-archival", ScheduleFeature.Archival);
    }

    private static void Map(RouteTable routes, string path, ScheduleFeature feature)
    {
        routes.Database("POST", $"/admin/{path}/config", Access.Admin, RouteTraits.Audited,
            context => PostAsync(context, feature))
            .Says($"Sets the configuration of {feature.Name}.")
            .Sends(Body.Object(
                "The configuration.",
                Input.Json("Disabled", "Whether nothing is done.", "false"),
                Input.Count(feature.FrequencyMember, "How many seconds there are between two rounds.", "60"),
                Input.Count("MaxItemsToProcess", "The most documents of a round.", "1000")))
            .Answers(200, "RaftCommandIndex, the number of the change.");
        routes.Database("GET", $"/admin/{path}/config", Access.Admin, RouteTraits.InMultiGet,
            context => RecordChanges.AnswerAsync(context, feature.Member))
            .Says($"Gives the configuration of {feature.Name}, to administrators.")
            .Answers(200, "The configuration.")
            .AnswersEmpty(404, "There is none.");
        routes.Database("GET", $"/{path}/config", Access.Read, RouteTraits.InMultiGet,
            context => RecordChanges.AnswerAsync(context, feature.Member))
            .Says($"Gives the configuration of {feature.Name}.")
            .Answers(200, "The configuration.")
            .AnswersEmpty(404, "There is none.");
    }

    private static async ValueTask PostAsync(RequestContext context, ScheduleFeature feature)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, $"The configuration of {feature.Name}").ConfigureAwait(false);
        if (!feature.TryRead(body.Root, out _, out string problem))
        {
            throw new RequestRefusedException(Problem.Argument(problem));
        }

        long index = await RecordChanges.SetAsync(context, feature.Member, body.Bytes).ConfigureAwait(false);
        await RecordChanges.AnswerAsync(context, index).ConfigureAwait(false);
    }
}
