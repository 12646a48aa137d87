using Jackdaw.Documents.Answers;
using Jackdaw.Server.Http.Problems;

namespace Jackdaw.Server.Http.Limits;

/// <summary>What the buffers of one upload of an attachment hold of the bytes that all of them may have together; released by Dispose. Used by
/// one request.</summary>
/// <remarks>An upload may take hours, so that it never waits for others, and never holds a place that ordinary large bodies wait for: beyond the
/// limit one that begins is refused.</remarks>
internal sealed class UploadAdmission(AnswerAdmission limit) : IDisposable
{
    /// <summary>Bytes of buffers up to which an upload is not counted, and never refused: most attachments.</summary>
    private const int UncountedBytes = HttpLimits.StepBytes;

    private long _held;

    /// <summary>All uploads together: a sixteenth of the memory, but always as much as 32 need.</summary>
    public static AnswerAdmission NewLimit() => new(Math.Max(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 16, 64L << 20));

    /// <summary>The commands of all large batches whose attachments are being received: a sixteenth of the memory, but always as much as the
    /// largest batch needs.</summary>
    public static AnswerAdmission NewBatchLimit() =>
        new(Math.Max(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 16, HttpLimits.LargeBodyMemoryBytes));

    /// <summary>Counts the buffers as they grow.</summary>
    /// <exception cref="RequestRefusedException">There is no room for them.</exception>
    public void GrowTo(long bytes)
    {
        if (bytes <= Math.Max(UncountedBytes, _held))
        {
            return;
        }

        if (!limit.TryTake(bytes - _held))
        {
            throw new RequestRefusedException(Problem.Unavailable(ProblemTypes.Timeout,
                "The server receives as many attachments as it has memory for; nothing of this transaction was written, try again.") with
            {
                CloseConnection = true,
            });
        }

        _held = bytes;
    }

    /// <summary>Gives all back; more can be counted afterwards.</summary>
    public void Dispose()
    {
        limit.Give(_held);
        _held = 0;
    }
}
