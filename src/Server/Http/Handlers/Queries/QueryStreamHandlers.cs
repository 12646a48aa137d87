using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Reading;
using Jackdaw.Json.Refusals;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Rows;
using Jackdaw.Server.Http.Answers;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers.Queries;

/// <summary>streams/queries: any number of rows, one step at a time, each from a snapshot of its own.</summary>
/// <remarks><see cref="QueryWalk"/> says what such a walk guarantees. Mistakes are answered as errors as long as
/// nothing was sent; afterwards the connection ends.</remarks>
internal static class QueryStreamHandlers
{
    private static readonly Input s_format = Input.OneOf("format", "How the answer is written.", "json", "jsonl").Or("json");

    public static void Map(RouteTable routes)
    {
        routes.Database("POST", "/streams/queries", Access.Read, RouteTraits.Streams, PostAsync)
            .Says("Streams any number of results of a query.")
            .Takes(QueryRequestReader.Inputs)
            .Takes(s_format)
            .Sends(QueryRequestReader.Body)
            .Answers(200, "Results has the rows; in the format jsonl there is one in each line.", MediaTypes.Json, MediaTypes.Ndjson);
        routes.Database("GET", "/streams/queries", Access.Read, RouteTraits.Streams,
            static context => StreamAsync(context, QueryRequestReader.Read(context.Query)))
            .Says("Streams any number of results of a query that stands in the address.")
            .Takes(QueryRequestReader.UrlInputs)
            .Takes(s_format)
            .Answers(200, "Results has the rows; in the format jsonl there is one in each line.", MediaTypes.Json, MediaTypes.Ndjson);
        routes.Database("HEAD", "/streams/queries", Access.Read, RouteTraits.None,
            static context => context.Empty(200))
            .Says("Tells that results of queries can be streamed.")
            .AnswersEmpty(200, "They can.");
    }

    private static async ValueTask PostAsync(RequestContext context)
    {
        using RequestBody sent = await QueryHandlers.ReadBodyAsync(context).ConfigureAwait(false);
        await StreamAsync(context, QueryRequestReader.Read(sent.Memory, context.Query)).ConfigureAwait(false);
    }

    private static async ValueTask StreamAsync(RequestContext context, QueryRequest request)
    {
        string? format = context.Query.GetText("format");
        bool isLines = string.Equals(format, "jsonl", StringComparison.OrdinalIgnoreCase);
        if (string.Equals(format, "csv", StringComparison.OrdinalIgnoreCase))
        {
            throw new QueryNotSupportedException(
                "Streams of queries as CSV are not supported yet by this version of Jackdaw.");
        }

        using QueryRun run = QueryRuns.PrepareListed(context, request, isBounded: false);
        if (!run.Plan.Includes.IsEmpty)
        {
            throw InvalidQueryException.At(request.Text, run.Plan.Syntax.Includes[0].TextPosition,
                "a stream brings no included documents; leave 'include' out, or run the query without a stream.");
        }

        await run.SearchAsync(QueryRuns.StreamPatience, context.Aborted).ConfigureAwait(false);

        using var step = new ResponseBuffer(context.Server.Answers);
        RowFormat rowFormat = isLines ? RowFormat.Lines : RowFormat.Array;
        using var rows = new QueryRows(
            context.Database, run, step, context.Server.Answers, rowFormat, includes: null, HttpLimits.StepBytes);
        bool isMore = WriteStep(context, run, isFirst: true, rows, step, isLines);
        context.Response.StatusCode = 200;
        context.Response.ContentType = isLines ? "application/x-ndjson; charset=utf-8" : "application/json; charset=utf-8";
        context.Response.Headers["Server-Timing"] = ServerTiming.ForRead(context.StartTimestamp);
        await context.Response.StartAsync(context.Aborted).ConfigureAwait(false);
        while (true)
        {
            step.Append(isMore || isLines ? default : "]}"u8);
            await step.CopyToAsync(context.Response.BodyWriter, context.Aborted).ConfigureAwait(false);
            await context.Response.BodyWriter.FlushAsync(context.Aborted).ConfigureAwait(false);
            step.Clear();
            if (!isMore)
            {
                return;
            }

            context.Server.Stopping.Token.ThrowIfCancellationRequested();
            isMore = WriteStep(context, run, isFirst: false, rows, step, isLines);
        }
    }

    /// <param name="isFirst">The version of the first step is that of the first snapshot.</param>
    private static bool WriteStep(
        RequestContext context, QueryRun run, bool isFirst, QueryRows rows, ResponseBuffer step, bool isLines)
    {
        context.Aborted.ThrowIfCancellationRequested();
        using RenewedRead read = context.OpenRead(ReaderKind.Stream);
        if (isFirst)
        {
            QueryAnswers.BeginStream(context.Database, read.Scope, run, step, isLines);
        }

        try
        {
            return rows.Step(read);
        }
        catch (OperationCanceledException failure) when (run.Deadline.TryExplain(failure, out RefusedException? explained))
        {
            throw explained;
        }
    }
}
