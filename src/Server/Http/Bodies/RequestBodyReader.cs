using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Pal.Native;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Bodies;

/// <summary>Reads request bodies: any Content-Encoding, with or without a length, up to a limit that counts
/// decompressed bytes.</summary>
internal static class RequestBodyReader
{
    /// <summary>Size of the first array for a body without a length, and the most allocated for a claimed length before
    /// its bytes arrive.</summary>
    private const int FirstBytesMax = 64 * 1024;

    /// <param name="bytesMax">The largest size after decompression.</param>
    /// <param name="what">The subject of messages, such as "A document".</param>
    /// <exception cref="RequestRefusedException">The body is too large, or does not have the encoding that its Content-Encoding says.</exception>
    /// <exception cref="AccessDeniedException">The caller has lost the access of the route while the body came.</exception>
    public static ValueTask<RequestBody> ReadAsync(RequestContext context, int bytesMax, string what)
    {
        long? length = context.Request.ContentLength;
        if (length > bytesMax)
        {
            throw TooLarge(bytesMax, what);
        }

        bool isPlain = context.Request.Headers.ContentEncoding.Count == 0;
        var body = new RequestBody((int)Math.Min(length ?? FirstBytesMax, FirstBytesMax));
        return isPlain && length <= FirstBytesMax && TryTake(context.Request.BodyReader, body)
            ? new ValueTask<RequestBody>(body)
            : ReadAsync(context, body, isPlain, bytesMax, what);
    }

    /// <summary>Takes a small body that arrived together with its headers; false: more bytes follow.</summary>
    private static bool TryTake(PipeReader reader, RequestBody body)
    {
        if (!reader.TryRead(out ReadResult result))
        {
            return false;
        }

        Append(body, reader, result);
        return result.IsCompleted;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private static async ValueTask<RequestBody> ReadAsync(
        RequestContext context, RequestBody body, bool isPlain, int bytesMax, string what)
    {
        try
        {
            if (isPlain)
            {
                await FillAsync(body, context.Request.BodyReader, bytesMax, what, context).ConfigureAwait(false);
            }
            else
            {
                Stream stream = Open(context);
                await using (stream.ConfigureAwait(false))
                {
                    await FillAsync(body, stream, bytesMax, what, context).ConfigureAwait(false);
                }
            }

            context.DemandAgain();
            return body;
        }
        catch (Exception failure)
        {
            body.Dispose();
            if (Explain(context, failure) is { } refusal)
            {
                throw refusal;
            }

            throw;
        }
    }

    /// <summary>Reads one part of a body, which has an encoding of its own.</summary>
    /// <param name="encodings">The Content-Encoding of the part; empty for none.</param>
    /// <inheritdoc cref="ReadAsync(RequestContext, int, string)"/>
    public static async ValueTask<RequestBody> ReadPartAsync(
        RequestContext context, Stream part, string encodings, int bytesMax, string what)
    {
        var body = new RequestBody(FirstBytesMax);
        try
        {
            Stream stream = BodyEncodings.Decode(part, encodings);
            await using (stream.ConfigureAwait(false))
            {
                await FillAsync(body, stream, bytesMax, what, context).ConfigureAwait(false);
            }

            return body;
        }
        catch
        {
            body.Dispose();
            throw;
        }
    }

    /// <summary>The answer to a failed read, if the failure is a mistake of the sender or the server stops; null for any other failure.</summary>
    public static RequestRefusedException? Explain(RequestContext context, Exception failure) =>
        IsUndecodable(failure) ? Undecodable(context, failure.Message)
        : IsLate(context, failure) ? Late()
        : null;

    /// <summary>The body as a stream of decompressed bytes that yields what has arrived, without waiting for the
    /// end.</summary>
    public static Stream Open(RequestContext context) =>
        BodyEncodings.Decode(context.Request.Body, context.Request.Headers.ContentEncoding.ToString());

    /// <summary>Whether a failed read means that the body does not have its declared encoding.</summary>
    public static bool IsUndecodable(Exception failure) => failure is InvalidDataException || ZstdBody.IsFaultOfSender(failure);

    public static RequestRefusedException Undecodable(RequestContext context, string reason) => new(new Problem(
        400, ProblemTypes.BadRequest,
        $"The body is not what its Content-Encoding '{context.Request.Headers.ContentEncoding}' says: {reason}")
    {
        CloseConnection = true,
    });

    /// <summary>The usual body, read directly from the connection's buffers.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private static async ValueTask FillAsync(
        RequestBody body, PipeReader reader, int bytesMax, string what, RequestContext context)
    {
        // When the server stops, it wakes the read. From then on each part has a time limit; before, this costs no allocation.
        CancellationToken stopping = context.Server.Stopping.Token;
        using CancellationTokenRegistration wake = stopping.UnsafeRegister(static pipe => ((PipeReader)pipe!).CancelPendingRead(), reader);
        CancellationTokenSource? patience = null;
        try
        {
            while (true)
            {
                ReadResult result = await reader.ReadAsync(patience?.Token ?? context.Aborted).ConfigureAwait(false);
                Append(body, reader, result);
                if (body.Span.Length > bytesMax)
                {
                    throw TooLarge(bytesMax, what);
                }

                if (result.IsCompleted)
                {
                    return;
                }

                if (body.NeedsPlace)
                {
                    await body.EnterAsync(context.Server.LargeBodyAdmission, context.Aborted).ConfigureAwait(false);
                }

                if (stopping.IsCancellationRequested)
                {
                    patience ??= CancellationTokenSource.CreateLinkedTokenSource(context.Aborted);
                    patience.CancelAfter(HttpLimits.StopBodyTime);
                }
            }
        }
        finally
        {
            patience?.Dispose();
        }
    }

    private static void Append(RequestBody body, PipeReader reader, in ReadResult result)
    {
        foreach (ReadOnlyMemory<byte> segment in result.Buffer)
        {
            body.Append(segment.Span);
        }

        reader.AdvanceTo(result.Buffer.End);
    }

    private static async ValueTask FillAsync(
        RequestBody body, Stream stream, int bytesMax, string what, RequestContext context)
    {
        // A cancelled read cannot be resumed: stopping the server starts the time limit of the current one.
        CancellationToken stopping = context.Server.Stopping.Token;
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(context.Aborted);
        using CancellationTokenRegistration end = stopping.UnsafeRegister(
            static source => ((CancellationTokenSource)source!).CancelAfter(HttpLimits.StopBodyTime), patience);
        while (true)
        {
            int read = await stream.ReadAsync(body.Free(), patience.Token).ConfigureAwait(false);
            if (read == 0)
            {
                return;
            }

            if (body.Advance(read) > bytesMax)
            {
                throw TooLarge(bytesMax, what);
            }

            if (body.NeedsPlace)
            {
                await body.EnterAsync(context.Server.LargeBodyAdmission, context.Aborted).ConfigureAwait(false);
                await FillLargeAsync(body, stream, bytesMax, what, context, patience).ConfigureAwait(false);
                return;
            }

            if (stopping.IsCancellationRequested)
            {
                patience.CancelAfter(HttpLimits.StopBodyTime);
            }
        }
    }

    /// <summary>Reads the rest of a large compressed body. Its bytes are gathered outside the managed heap, so that a refused body leaves no garbage, and an
    /// accepted one gets an array of exactly its size.</summary>
    private static async ValueTask FillLargeAsync(
        RequestBody body, Stream stream, int bytesMax, string what, RequestContext context, CancellationTokenSource patience)
    {
        using var admission = new DecompressionAdmission(context.Server.Decompression);
        using var rest = new ChunkedMemory();
        byte[] step = ArrayPool<byte>.Shared.Rent(HttpLimits.StepBytes);
        try
        {
            int read;
            while ((read = await stream.ReadAsync(step, patience.Token).ConfigureAwait(false)) > 0)
            {
                if (body.Span.Length + rest.Length + read > bytesMax)
                {
                    throw TooLarge(bytesMax, what);
                }

                if (rest.Length + read > rest.Capacity)
                {
                    // The body already has its place among the large bodies: a request that waits for bytes never
                    // blocks one that could continue.
                    await admission.GrowToAsync(rest.Capacity + ChunkedMemory.ChunkBytes, context.Aborted).ConfigureAwait(false);
                }

                rest.Append(step.AsSpan(0, read));
                if (context.Server.Stopping.IsCancellationRequested)
                {
                    patience.CancelAfter(HttpLimits.StopBodyTime);
                }
            }

            body.Append(rest);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(step);
        }
    }

    private static bool IsLate(RequestContext context, Exception failure) => failure is OperationCanceledException
        && context.Server.Stopping.IsCancellationRequested && !context.Aborted.IsCancellationRequested;

    private static RequestRefusedException Late() => new(new Problem(
        503, ProblemTypes.Server,
        "The server is stopping, and the body of this request did not arrive in time; nothing was written, send it again.")
    {
        RetryLater = true,
        CloseConnection = true,
    });

    private static RequestRefusedException TooLarge(int bytesMax, string what) => new(Problem.TooLarge(
        $"{what} may have {bytesMax} bytes ({JsonAnswers.HumaneSize(bytesMax)}) after decompression; this one has more."));
}
