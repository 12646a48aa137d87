using Jackdaw.Documents.Answers;
using Jackdaw.Server.Http.Problems;

namespace Jackdaw.Server.Http.Limits;

/// <summary>The share of the buffers of one upload of an attachment in the bytes that all uploads may have together; Dispose releases it. Used by one
/// request.</summary>
/// <remarks>An upload may take hours. So it never waits for others, and never holds a place for which ordinary large bodies wait. When the limit is reached, a
/// new upload is refused.</remarks>
internal sealed class UploadAdmission(AnswerAdmission limit) : IDisposable
{
    /// <summary>An upload whose buffers have at most this many bytes is not counted and never refused. This includes most attachments.</summary>
    private const int UncountedBytes = HttpLimits.StepBytes;

    private long _held;

    /// <summary>The limit of all uploads together: a sixteenth of the memory, but always as much as 32 uploads need.</summary>
    public static AnswerAdmission NewLimit() => new(Math.Max(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 16, 64L << 20));

    /// <summary>The limit of the commands of all large batches whose attachments are being received: a sixteenth of the memory, but always as much as the
    /// largest batch needs.</summary>
    public static AnswerAdmission NewBatchLimit() =>
        new(Math.Max(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 16, HttpLimits.LargeBodyMemoryBytes));

    /// <summary>Counts the buffers as they grow.</summary>
    /// <exception cref="RequestRefusedException">The limit has no room for them.</exception>
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

    /// <summary>Returns all bytes. More can be counted afterwards.</summary>
    public void Dispose()
    {
        limit.Give(_held);
        _held = 0;
    }
}
