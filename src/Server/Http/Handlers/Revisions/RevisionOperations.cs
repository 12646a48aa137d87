using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Operations;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Revisions.Walks;
using Jackdaw.Json;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Revisions;

/// <summary>Begins operations that walk over all revisions of a database in the background.</summary>
internal static class RevisionOperations
{
    private static readonly Input s_collections = Input.Text("Collections", "The collections; without it all of them are meant.", "Shippers").Repeated();

    private static readonly Body s_revert = Body.Object(
        "The time.", Input.Time("Time", "What documents were at this time is written again.").Required(), s_collections);

    public static void Map(RouteTable routes)
    {
        routes.Database("POST", "/revisions/revert", Access.ReadWrite, RouteTraits.None, RevertAsync)
            .Says("Begins to take documents back to what they were at a time.")
            .Takes(BackgroundOperations.Number)
            .Sends(s_revert)
            .Answers(200, "OperationId has the number of the operation.");
        routes.Database("POST", "/admin/revisions/revert", Access.Admin, RouteTraits.Audited, RevertAsync)
            .Says("Begins to take documents back to what they were at a time, for administrators.")
            .Takes(BackgroundOperations.Number)
            .Sends(s_revert)
            .Answers(200, "OperationId has the number of the operation.");
        routes.Database("POST", "/admin/revisions/config/enforce", Access.Admin, RouteTraits.Audited, EnforceAsync)
            .Says("Begins to delete all revisions that the configuration does not keep.")
            .Takes(BackgroundOperations.Number)
            .Sends(Body.Object(
                "Which revisions.",
                s_collections,
                Input.Json("IncludeForceCreated", "Whether revisions that somebody asked for are deleted too.", "false"),
                Input.Count("MaxOpsPerSecond", "The most documents of a second.", "1000")))
            .Answers(200, "OperationId has the number of the operation.");
    }

    /// <summary>A time in a body, in UTC ticks; null when the member is absent or null.</summary>
    public static long? Time(JsonElement body, string member) => body.TextMember(member) switch
    {
        null => null,
        { } text => IsoDate.TryRead(text, out long ticks)
            ? ticks
            : throw new RequestRefusedException(Problem.Argument($"{member} is '{text}'; give a time like 2024-05-01T10:00:00Z.")),
    };

    private static async ValueTask RevertAsync(RequestContext context)
    {
        long ticks;
        HashSet<byte[]>? collections;
        using (JsonBody body = await JsonBody.ReadObjectAsync(context, "A request to revert a database").ConfigureAwait(false))
        {
            ticks = Time(body.Root, "Time") ?? throw new RequestRefusedException(Problem.Argument(
                "The body has no Time; send {\"Time\":\"2024-05-01T10:00:00Z\"}."));
            collections = Collections(body.Root);
        }

        if (ticks > context.Server.Time.GetUtcNow().UtcTicks)
        {
            throw new RequestRefusedException(Problem.Argument("Time is in the future; a database goes back to a time that has passed."));
        }

        var figures = new RevisionFigures("Revisions.RevertResult", "RevertedDocuments");
        var revert = new DatabaseRevert(context.Database, Configuration(context), ticks, collections, figures);
        await BeginAsync(context, figures, revert.RunAsync).ConfigureAwait(false);
    }

    private static async ValueTask EnforceAsync(RequestContext context)
    {
        var figures = new RevisionFigures("Revisions.EnforceConfigurationResult", "RemovedRevisions");
        RevisionEnforcement enforcement;
        using (JsonBody body = await JsonBody.ReadObjectAsync(context, "A request to enforce the configuration").ConfigureAwait(false))
        {
            enforcement = new RevisionEnforcement(context.Database, Configuration(context), figures, context.Server.Time)
            {
                Collections = Collections(body.Root),
                IncludesForced = body.Root.FlagMember("IncludeForceCreated") ?? false,
                PerSecondMax = PerSecond(body.Root),
            };
        }

        await BeginAsync(context, figures, enforcement.RunAsync).ConfigureAwait(false);
    }

    private static RevisionsConfiguration? Configuration(RequestContext context) =>
        context.Databases.GetRecord(context.Database.Name) is { } record ? RevisionsConfiguration.OfRecord(record.Json) : null;

    // Null and an empty list stand for all collections.
    private static HashSet<byte[]>? Collections(JsonElement body)
    {
        List<string> names = body.TextsMember("Collections");
        byte[][] bytes = [.. names.Select(Encoding.UTF8.GetBytes)];
        return Array.Find(bytes, name => name.Length is 0 or > DocumentParser.CollectionBytesMax) is null
            ? RevisionedDocuments.KeysOf(bytes.Length == 0 ? null : bytes)
            : throw new RequestRefusedException(Problem.Argument(
                $"A name in Collections is empty or longer than {DocumentParser.CollectionBytesMax} bytes; name collections, or leave the member out."));
    }

    private static long? PerSecond(JsonElement body) => body.Member("MaxOpsPerSecond") switch
    {
        null => null,
        { ValueKind: JsonValueKind.Number } number when number.TryGetInt64(out long perSecond) && perSecond > 0 => perSecond,
        { } other => throw new RequestRefusedException(Problem.Argument(
            $"MaxOpsPerSecond is {other.GetRawText()}; give a whole number of 1 or more, or leave it out.")),
    };

    private static ValueTask BeginAsync(RequestContext context, OperationFigures figures, Func<CancellationToken, Task> run)
    {
        Operation operation = BackgroundOperations.Begin(context, figures: figures);
        BackgroundOperations.Run(context, operation, run);
        return BackgroundOperations.AnswerAsync(context, 200, operation);
    }
}
