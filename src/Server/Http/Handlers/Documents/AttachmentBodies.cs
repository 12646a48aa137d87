using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Documents;

/// <summary>Receives contents of attachments from request bodies at the speed of the storage, and never holds a whole one in memory.</summary>
internal static class AttachmentBodies
{
    /// <summary>The number of bytes after which it is checked whether the write can still succeed. A refusal closes the connection, which a client may notice
    /// before it reads the answer; therefore smaller bodies are received first.</summary>
    private const long CheckedBytes = 16 * 1024 * 1024;

    /// <summary>Makes a receiver of one content. The caller disposes it after the command that takes the content was answered.</summary>
    public static ContentReceiver NewReceiver(DocumentDatabase database) => new(
        async (batch, cancellationToken) =>
        {
            WriteOutcome outcome = await database.WriteAsync(batch, cancellationToken).ConfigureAwait(false);
            outcome.ThrowUnlessWritten(batch, database);
        },
        database.ContentHolds);

    /// <summary>Receives a stream up to its end.</summary>
    /// <param name="stream">The decompressed bytes.</param>
    /// <param name="receiver">Gets the bytes.</param>
    /// <param name="check">Called once, when the content turns out to be large. It may refuse the rest.</param>
    public static async ValueTask ReceiveAsync(RequestContext context, Stream stream, ContentReceiver receiver, Action? check = null)
    {
        // A cancelled read cannot be resumed: stopping the server starts the time limit of the current one.
        CancellationToken stopping = context.Server.Stopping.Token;
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(context.Aborted);
        using CancellationTokenRegistration end = stopping.UnsafeRegister(
            static source => ((CancellationTokenSource)source!).CancelAfter(HttpLimits.StopBodyTime), patience);
        using var buffers = new UploadAdmission(context.Server.UploadBuffers);
        while (true)
        {
            Memory<byte> free = await receiver.ReserveAsync(context.Aborted).ConfigureAwait(false);
            buffers.GrowTo(receiver.BufferBytes);
            int read = await stream.ReadAsync(free, patience.Token).ConfigureAwait(false);
            if (read == 0)
            {
                return;
            }

            receiver.Advance(read);
            CheckSize(receiver.Size);
            if (check is not null && receiver.Size >= CheckedBytes)
            {
                check();
                check = null;
            }

            if (stopping.IsCancellationRequested)
            {
                patience.CancelAfter(HttpLimits.StopBodyTime);
            }
        }
    }

    /// <exception cref="RequestRefusedException">An attachment may not have this many bytes.</exception>
    public static void CheckSize(long? bytes)
    {
        if (bytes > AttachmentLimits.AttachmentBytesMax)
        {
            throw new RequestRefusedException(Problem.TooLarge(
                $"An attachment may have {AttachmentLimits.AttachmentBytesMax} bytes ({JsonAnswers.HumaneSize(AttachmentLimits.AttachmentBytesMax)}); " +
                "this one has more."));
        }
    }

    /// <summary>The answer to a failed read of a body; null when the failure has an answer of its own.</summary>
    public static RequestRefusedException? Explain(RequestContext context, Exception failure) => RequestBodyReader.Explain(context, failure);
}
