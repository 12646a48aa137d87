using System.Buffers;
using System.Runtime.CompilerServices;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Batches;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Operations;
using Jackdaw.Json;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using OperationStatus = Jackdaw.Documents.Operations.OperationStatus;

namespace Jackdaw.Server.Http.Handlers.BulkInserts;

/// <summary>bulk_insert: documents of one long request, stored in batches while the rest arrives.</summary>
internal static class BulkInsertHandlers
{
    /// <summary>The time after the answer to receive the end of the body from senders that end it, so that closing does not reset the connection before the
    /// client has read the answer.</summary>
    private static readonly TimeSpan s_endOfBodyTime = TimeSpan.FromSeconds(2);

    public static void Map(RouteTable routes) =>
        routes.Database("POST", "/bulk_insert", Access.ReadWrite, RouteTraits.None, PostAsync)
            .Says("Stores documents of one long request in batches, while the rest arrives.")
            .Takes(
                Input.Count("id", "The number of the operation, from operations/next-operation-id; without it the server takes one.", "4701"),
                Input.Flag("skipOverwriteIfUnchanged", "Whether documents that are stored already as they are sent are left alone."))
            .Sends(Body.Json(
                "An array of commands, with any number of elements, compressed if the client likes.",
                """[{"Type":"PUT","Id":"shippers/10-A","Document":{"Name":"Slow","@metadata":{"@collection":"Shippers"}}}]"""))
            .AnswersEmpty(201, "All documents are stored.");

    private static async ValueTask PostAsync(RequestContext context)
    {
        long id = context.Query.GetCount("id", 0);
        id = id > 0 ? id : context.Database.Operations.NextId();
        if (!context.Database.Operations.TryBegin(id, out Operation operation))
        {
            throw new RequestRefusedException(Problem.Argument(
                $"There is an operation {id} already; take a number from operations/next-operation-id."));
        }

        // A client may pause for minutes between two documents; some send heartbeats only every 40 s.
        if (context.Features.Get<IHttpMinRequestBodyDataRateFeature>() is { } rate)
        {
            rate.MinDataRate = null;
        }

        using var ended = CancellationTokenSource.CreateLinkedTokenSource(
            context.Aborted, operation.Killed, context.Server.Stopping.Token);
        try
        {
            await InsertAsync(context, operation, ended.Token).ConfigureAwait(false);
            if (!operation.TryComplete())
            {
                // Everything is stored, but the client that killed the operation got the answer that it is canceled, so the sender of the documents gets the
                // same answer.
                throw new OperationCanceledException(operation.Killed);
            }
        }
        catch (Exception failure)
        {
            throw Fail(context, operation, failure);
        }

        await AnswerAsync(context).ConfigureAwait(false);
    }

    private static async ValueTask InsertAsync(RequestContext context, Operation operation, CancellationToken ended)
    {
        bool skipUnchanged = context.Query.GetFlag("skipOverwriteIfUnchanged");
        using var reader = new BulkInsertReader(context.Database.CommandKinds.OfBulkInsert);
        Stream body = RequestBodyReader.Open(context);
        DecompressionAdmission? decompression = body == context.Request.Body ? null : new(context.Server.Decompression);
        await using var writer = new BulkInsertWriter(
            context.Database, operation, skipUnchanged, context.Server.LargeBodyAdmission, context.Server.UploadBuffers, decompression, context.Server.Time);
        await using ConfiguredAsyncDisposable opened = body.ConfigureAwait(false);
        byte[] bytes = ArrayPool<byte>.Shared.Rent(HttpLimits.StepBytes);
        try
        {
            while (true)
            {
                int read = writer.HasPlace || writer.IsReceiving
                    ? await ReadInTimeAsync(context, writer, body, bytes, ended).ConfigureAwait(false)
                    : await ReadAsync(context, writer, body, bytes, ended, ended).ConfigureAwait(false);
                if (read == 0)
                {
                    reader.ExpectEnded();
                    break;
                }

                if (await TakeAsync(context, reader, writer, new ReadOnlySequence<byte>(bytes, 0, read), ended)
                    .ConfigureAwait(false))
                {
                    break; // The closing bracket: some clients never end the body.
                }

                if (reader.PendingBytes > DocumentLimits.BulkInsertBatchBytesMax)
                {
                    await writer.EnterAsync(reader.PendingBytes, ended).ConfigureAwait(false);
                }
            }

            await writer.FinishAsync(ended).ConfigureAwait(false);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    // When the sender pauses or trickles, what it sent is stored and errors are reported, so that a crash loses little of it and it holds no memory.
    private static async ValueTask<int> ReadAsync(
        RequestContext context, BulkInsertWriter writer, Stream body, byte[] bytes, CancellationToken stop, CancellationToken ended)
    {
        ValueTask<int> next = body.ReadAsync(bytes, stop);
        if (next.IsCompleted || !writer.IsBusy)
        {
            return await next.ConfigureAwait(false);
        }

        Task<int> read = next.AsTask();
        try
        {
            TimeSpan left = HttpLimits.BulkInsertPauseTime - writer.PendingTime;
            if (left > TimeSpan.Zero)
            {
                await ((Task)read.WaitAsync(left, context.Server.Time, CancellationToken.None))
                    .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }

            if (!read.IsCompleted)
            {
                await writer.FinishAsync(ended).ConfigureAwait(false);
            }
        }
        catch
        {
            // No read into the buffer is pending when it is returned.
            context.Request.BodyReader.CancelPendingRead();
            await ((Task)read).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            throw;
        }

        return await read.ConfigureAwait(false);
    }

    // This limit is for a sender whose large command makes others wait, or whose content holds memory that nothing else frees.
    private static async ValueTask<int> ReadInTimeAsync(
        RequestContext context, BulkInsertWriter writer, Stream body, byte[] bytes, CancellationToken ended)
    {
        using var late = new CancellationTokenSource(HttpLimits.LargeCommandStepTime, context.Server.Time);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ended, late.Token);
        try
        {
            return await ReadAsync(context, writer, body, bytes, stop.Token, ended).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (late.IsCancellationRequested && !ended.IsCancellationRequested)
        {
            string what = writer.IsReceiving
                ? "the content of an attachment"
                : $"a command above {JsonAnswers.HumaneSize(DocumentLimits.BulkInsertBatchBytesMax)}";
            throw new RequestRefusedException(CutOff(408, $"{what} paused for {HttpLimits.LargeCommandStepTime.TotalSeconds} s"));
        }
    }

    private static async ValueTask<bool> TakeAsync(
        RequestContext context, BulkInsertReader reader, BulkInsertWriter writer, ReadOnlySequence<byte> input, CancellationToken ended)
    {
        while (true)
        {
            switch (reader.Read(ref input, writer.Filling))
            {
                case BulkInsertProgress.Ended:
                    return true;
                case BulkInsertProgress.NeedsMore:
                    return false;
                case BulkInsertProgress.Content:
                    await writer.AppendContentAsync(reader.TakeContent(ref input), ended).ConfigureAwait(false);
                    break;
                default:
                    context.Demand(writer.Filling);
                    await writer.AddAsync(ended).ConfigureAwait(false);
                    break;
            }
        }
    }

    // The operation is marked before the request fails: clients ask for its state as soon as they see the failure.
    private static RequestRefusedException Fail(RequestContext context, Operation operation, Exception failure)
    {
        Problem problem = ToProblem(context, operation, failure);
        problem = problem with { Message = $"{problem.Message.TrimEnd('.')}. {Kept(operation.State.Progress)}" };
        operation.Fail(new RequestRefusedException(problem));
        return new RequestRefusedException(problem with { CloseConnection = true });
    }

    private static Problem ToProblem(RequestContext context, Operation operation, Exception failure)
    {
        if (operation.State.Status == OperationStatus.Canceled)
        {
            return CutOff(500, "it was killed");
        }

        if (context.Server.Stopping.IsCancellationRequested)
        {
            return CutOff(503, "the server is stopping");
        }

        if (IsClientGone(context, failure))
        {
            return CutOff(500, "its client closed the connection");
        }

        if (RequestBodyReader.IsUndecodable(failure))
        {
            return RequestBodyReader.Undecodable(context, failure.Message).Problem;
        }

        Problem problem = ProblemMapping.ToProblem(failure);
        return problem.Type == ProblemTypes.DatabaseLoading ? CutOff(503, "its database is being closed") : problem;
    }

    // Each way in which a connection can end throws a different exception.
    private static bool IsClientGone(RequestContext context, Exception failure) =>
        failure is ConnectionResetException or ConnectionAbortedException
        || (failure is OperationCanceledException or BadHttpRequestException && context.Aborted.IsCancellationRequested);

    // The status is 503 in the cases in which any other request gets it: the client may try again.
    private static Problem CutOff(int status, string reason) =>
        new(status, ProblemTypes.BulkInsertAborted, $"The bulk insert was cut off: {reason}.")
        {
            RetryLater = status == StatusCodes.Status503ServiceUnavailable,
        };

    // Other requests are one transaction; here, finished batches stay stored.
    private static string Kept(in BulkInsertCounts counts) => counts.Batches == 0
        ? "Documents of finished batches are stored: none."
        : $"Documents of finished batches are stored: {counts.Documents}, the last one '{counts.LastId}'.";

    private static async ValueTask AnswerAsync(RequestContext context)
    {
        context.Response.Headers.Connection = "close";
        await context.Empty(StatusCodes.Status201Created).ConfigureAwait(false);
        await context.Response.CompleteAsync().ConfigureAwait(false);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(
            context.Aborted, context.Server.Stopping.Token);
        limit.CancelAfter(s_endOfBodyTime);
        byte[] ignored = ArrayPool<byte>.Shared.Rent(HttpLimits.StepBytes);
        try
        {
            while (await context.Request.Body.ReadAsync(ignored, limit.Token).ConfigureAwait(false) > 0)
            {
                // Bytes after the closing bracket are ignored.
            }
        }
        catch (Exception failure) when (failure is OperationCanceledException or IOException or BadHttpRequestException)
        {
            // This is usual for clients that never end the body.
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(ignored);
        }
    }
}
