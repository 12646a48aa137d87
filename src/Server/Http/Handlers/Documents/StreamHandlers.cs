using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Reading;
using Jackdaw.Server.Http.Answers;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Server.Http.Reading;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers.Documents;

/// <summary>streams/docs: any number of documents, one step at a time.</summary>
/// <remarks>A step copies some documents out of a snapshot, ends the snapshot, and sends them at the client's pace. The
/// next step begins a new snapshot after the last document sent, so a slow client pins no pages. A stream is therefore
/// not one snapshot; <see cref="DocumentWalk"/> says what it guarantees.</remarks>
internal static class StreamHandlers
{
    public static void Map(RouteTable routes)
    {
        routes.Database("GET", "/streams/docs", Access.Read, RouteTraits.Streams, StreamAsync)
            .Says("Streams any number of documents.")
            .Takes(Input.OneOf("format", "How the answer is written.", "json", "jsonl").Or("json"))
            .Takes(DocumentQuery.Inputs)
            .Takes(
                Input.Text("revisions", "Refused: revisions come along with documents by id only.", "Contract.RevisionVector").Repeated().Refused(),
                Input.Time("revisionsBefore", "Refused: revisions come along with documents by id only.").Refused())
            .Answers(200, "Results has the documents; in the format jsonl there is one in each line.", MediaTypes.Json, MediaTypes.JsonLines);
        routes.Database("HEAD", "/streams/docs", Access.Read, RouteTraits.None, context => context.Empty(200))
            .Says("Tells that documents can be streamed.")
            .AnswersEmpty(200, "They can.");
    }

    private static async ValueTask StreamAsync(RequestContext context)
    {
        bool isLines = string.Equals(context.Query.GetText("format"), "jsonl", StringComparison.OrdinalIgnoreCase);
        var query = DocumentQuery.Read(context.Query);
        query.RefuseRevisions();
        var walk = new DocumentWalk(context.Database, query, isLines);
        using var step = new ResponseBuffer(context.Server.Answers);
        context.Response.StatusCode = 200;
        context.Response.ContentType = isLines
            ? "application/jsonlines; charset=utf-8"
            : "application/json; charset=utf-8";
        context.Response.Headers["Server-Timing"] = ServerTiming.ForRead(context.StartTimestamp);
        await context.Response.StartAsync(context.Aborted).ConfigureAwait(false);
        step.Append(isLines ? default : "{\"Results\":["u8);
        bool isMore = true;
        while (isMore)
        {
            context.Server.Stopping.Token.ThrowIfCancellationRequested();
            isMore = WriteStep(context, walk, step);
            step.Append(isMore || isLines ? default : "]}"u8);
            await step.CopyToAsync(context.Response.BodyWriter, context.Aborted).ConfigureAwait(false);
            await context.Response.BodyWriter.FlushAsync(context.Aborted).ConfigureAwait(false);
            step.Clear();
        }
    }

    private static bool WriteStep(RequestContext context, DocumentWalk walk, ResponseBuffer step)
    {
        using RenewedRead read = context.OpenRead(ReaderKind.Stream);
        return walk.WriteStep(read, step, HttpLimits.StepBytes);
    }
}
