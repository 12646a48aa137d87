using System.IO.Compression;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;

using Jackdaw.Pal;

namespace Jackdaw.Server.Http;

/// <summary>Reads request bodies: any Content-Encoding, with or without a length, up to a limit that counts
/// decompressed bytes.</summary>
internal static class RequestBodyReader
{
    /// <summary>First array for a body without a length, and the most that a claimed length gets before its bytes
    /// came.</summary>
    private const int FirstBytesMax = 64 * 1024;

    private static readonly string[] s_encodings = ["identity", "gzip", "deflate", "br", "zstd"];

    /// <param name="bytesMax">Largest size after decompression.</param>
    /// <param name="what">Subject for messages, e.g. "A document".</param>
    /// <exception cref="RequestRefusedException">Too large, or not what its Content-Encoding says.</exception>
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

    /// <summary>Takes a small body that came together with its headers; false: more is to come.</summary>
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
                return body;
            }

            Stream stream = Open(context);
            await using (stream.ConfigureAwait(false))
            {
                await FillAsync(body, stream, bytesMax, what, context).ConfigureAwait(false);
            }

            return body;
        }
        catch (Exception failure)
        {
            body.Dispose();
            if (IsUndecodable(context, failure))
            {
                throw Undecodable(context, failure.Message);
            }

            if (IsLate(context, failure))
            {
                throw Late();
            }

            throw;
        }
    }

    /// <summary>The body as a stream of decompressed bytes that yields what has come, without waiting for the
    /// end.</summary>
    public static Stream Open(RequestContext context)
    {
        Stream stream = context.Request.Body;
        string encodings = context.Request.Headers.ContentEncoding.ToString();
        if (encodings.Length == 0)
        {
            return stream;
        }

        // Encodings are listed in the order they were applied: the last one is the outermost.
        string[] names = encodings.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        if (names.Length > 2)
        {
            throw Unknown(encodings);
        }

        for (int i = names.Length - 1; i >= 0; i--)
        {
            stream = Wrap(stream, names[i]);
        }

        return stream;
    }

    /// <summary>Whether a failed read says that the body is not in its encoding. Brotli's stream has no type of its own
    /// for that.</summary>
    public static bool IsUndecodable(RequestContext context, Exception failure) => failure is InvalidDataException
        || (failure is InvalidOperationException and not ObjectDisposedException
            && context.Request.Headers.ContentEncoding.Count > 0);

    public static RequestRefusedException Undecodable(RequestContext context, string reason) => new(new Problem(
        400, ProblemTypes.BadRequest,
        $"The body is not what its Content-Encoding '{context.Request.Headers.ContentEncoding}' says: {reason}")
    {
        CloseConnection = true,
    });

    /// <summary>The usual body, as it is in the connection's buffers: no stream between.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private static async ValueTask FillAsync(
        RequestBody body, PipeReader reader, int bytesMax, string what, RequestContext context)
    {
        // A stop wakes the read; from then on each part has its time. Until then this costs no allocation.
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
                    await body.EnterAsync(context.Server.LargeBodies, context.Aborted).ConfigureAwait(false);
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
        // A read that was cancelled cannot be taken up again: a stop begins the time of the one that runs.
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
                await body.EnterAsync(context.Server.LargeBodies, context.Aborted).ConfigureAwait(false);
            }

            if (stopping.IsCancellationRequested)
            {
                patience.CancelAfter(HttpLimits.StopBodyTime);
            }
        }
    }

    private static Stream Wrap(Stream stream, string encoding) => encoding.ToLowerInvariant() switch
    {
        "identity" => stream,
        "gzip" or "x-gzip" => new GZipStream(stream, CompressionMode.Decompress),
        "deflate" => new ZLibStream(stream, CompressionMode.Decompress),
        "br" => new BrotliStream(stream, CompressionMode.Decompress),
        "zstd" => Zstd.OpenDecompression(stream),
        _ => throw Unknown(encoding),
    };

    private static bool IsLate(RequestContext context, Exception failure) => failure is OperationCanceledException
        && context.Server.Stopping.IsCancellationRequested && !context.Aborted.IsCancellationRequested;

    private static RequestRefusedException Late() => new(new Problem(
        503, ProblemTypes.Server,
        "The server is stopping, and the body of this request did not come in time; nothing was written, send it again.")
    {
        RetryLater = true,
        CloseConnection = true,
    });

    private static RequestRefusedException Unknown(string encoding) => new(new Problem(415, ProblemTypes.BadRequest,
        $"Content-Encoding '{encoding}' is not known; send one of {string.Join(", ", s_encodings)}.")
    {
        CloseConnection = true,
    });

    private static RequestRefusedException TooLarge(int bytesMax, string what) => new(Problem.TooLarge(
        $"{what} may have {bytesMax} bytes ({JsonAnswers.HumaneSize(bytesMax)}) after decompression; this one has more."));
}
