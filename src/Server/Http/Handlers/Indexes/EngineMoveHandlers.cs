using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Records;
using Jackdaw.Search;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Indexes;

/// <summary>admin/indexes/move-engine: builds indexes again with another search engine, in the background.</summary>
internal static class EngineMoveHandlers
{
    private const string Path = "/admin/indexes/move-engine";

    public static void Map(RouteTable routes)
    {
        routes.Database("POST", Path, Access.Admin, RouteTraits.Audited, PostAsync)
            .Says("Begins to build indexes again with another search engine, one at a time, while the old ones answer.")
            .Takes(BackgroundOperations.Number)
            .Sends(Body.Object(
                "Which indexes move where.",
                Input.OneOf("Engine", "The engine that they get.", [.. SearchEngines.SettingNames.Reverse()]).Required(),
                Input.Text("Names", "The names of indexes; without it all that another engine has written.", "Orders/ByCompany").Repeated()))
            .Answers(202, "OperationId has the number of the operation; the rest is as GET answers.");
        routes.Database("GET", Path, Access.Admin, RouteTraits.None, Get)
            .Says("Tells how far indexes have moved to another search engine.")
            .Answers(200, "Status, Engine, and the indexes that have moved, are left, failed or were left out.");
        routes.Database("DELETE", Path, Access.Admin, RouteTraits.Audited, DeleteAsync)
            .Says("Ends the move of indexes to another search engine. Those that have moved stay as they are.")
            .AnswersEmpty(204, "It is stopped.")
            .AnswersEmpty(404, "Nothing moves.");
    }

    private static async ValueTask PostAsync(RequestContext context)
    {
        EngineMoves moves = IndexRequests.Of(context).Moves;
        string engine;
        List<string> names;
        using (JsonBody body = await JsonBody.ReadObjectAsync(context, "A move of indexes").ConfigureAwait(false))
        {
            engine = body.Root.TextMember("Engine") is { Length: > 0 } named
                ? named
                : throw Refuse($"The member 'Engine' is missing; it can be {string.Join(" or ", SearchEngines.SettingNames)}.");
            names = body.Root.TextsMember("Names");
            if (names.Count == 0 && body.Root.Member("Names") is { ValueKind: not JsonValueKind.Null })
            {
                throw Refuse("The list 'Names' is empty; name indexes, or leave it out for all that another engine has written.");
            }
        }

        (EngineMoveRun run, bool isNew) = await moves
            .BeginAsync(engine, names, figures => BackgroundOperations.Begin(context, figures: figures), context.Aborted).ConfigureAwait(false);
        if (isNew)
        {
            BackgroundOperations.Run(context, run.Operation, ended => moves.RunAsync(run, ended));
        }

        await AnswerAsync(context, StatusCodes.Status202Accepted, moves).ConfigureAwait(false);
    }

    private static ValueTask Get(RequestContext context) => AnswerAsync(context, StatusCodes.Status200OK, IndexRequests.Of(context).Moves);

    private static async ValueTask DeleteAsync(RequestContext context)
    {
        bool isStopped = await IndexRequests.Of(context).Moves.StopAsync(context.Aborted).ConfigureAwait(false);
        await context.Empty(isStopped ? 204 : 404).ConfigureAwait(false);
    }

    private static ValueTask AnswerAsync(RequestContext context, int status, EngineMoves moves)
    {
        EngineMoveProgress? progress = moves.Progress;
        string? remark = progress is null ? null : moves.DescribeOtherSettings(progress.Move.Engine);
        return context.Json(status, json =>
        {
            json.WriteStartObject();
            if (progress is null)
            {
                json.WriteString("Status"u8, "None"u8);
            }
            else
            {
                Write(json, progress, context.Server.NodeTag, remark);
            }

            json.WriteEndObject();
        });
    }

    private static void Write(Utf8JsonWriter json, EngineMoveProgress progress, string nodeTag, string? remark)
    {
        EngineMove move = progress.Move;
        bool isInterrupted = move.State == EngineMoveState.Running && !progress.IsRunning;
        if (progress.OperationId is { } id)
        {
            json.WriteNumber("OperationId"u8, id);
            json.WriteString("OperationNodeTag"u8, nodeTag);
        }

        json.WriteString("Status"u8, isInterrupted ? "Interrupted" : move.State.ToString());
        json.WriteString("Engine"u8, move.Engine);
        json.WriteString("Began"u8, JsonAnswers.Date(move.BeganTicks));
        json.WriteNumber("Total"u8, move.Indexes.Count);
        json.WritePropertyName("Moving"u8);
        Write(json, progress.Moving);
        JsonAnswers.WriteTexts(json, "Left", move.With(MoveOutcome.Left).Select(index => index.Name).Where(name => name != progress.Moving?.Name));
        JsonAnswers.WriteTexts(json, "Moved", move.With(MoveOutcome.Moved).Select(index => index.Name));
        Write(json, "Failed", move.With(MoveOutcome.Failed));
        Write(json, "LeftOut", move.With(MoveOutcome.LeftOut));
        json.WriteString("Remark"u8, remark);
    }

    private static void Write(Utf8JsonWriter json, MovingIndex? moving)
    {
        if (moving is null)
        {
            json.WriteNullValue();
            return;
        }

        json.WriteStartObject();
        json.WriteString("Name"u8, moving.Name);
        if (moving.Left is { } left)
        {
            json.WriteNumber("LeftToRead"u8, left);
        }
        else
        {
            json.WriteNull("LeftToRead"u8);
        }

        json.WriteString("Waits"u8, moving.Waits);
        json.WriteString("LastError"u8, moving.LastError);
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, string member, IEnumerable<MovedIndex> indexes)
    {
        json.WriteStartArray(member);
        foreach (MovedIndex index in indexes)
        {
            json.WriteStartObject();
            json.WriteString("Name"u8, index.Name);
            json.WriteString("Reason"u8, index.Reason);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static RequestRefusedException Refuse(string message) => new(Problem.Argument(message));
}
