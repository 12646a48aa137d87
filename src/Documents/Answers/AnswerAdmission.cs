namespace Jackdaw.Documents.Answers;

/// <summary>Limits the bytes of large answers that are built and that clients have not read yet, for all requests together.</summary>
/// <remarks>A client may read as slowly as the connection lets it: many slow clients together
/// must not hold more than a share of the memory. Any thread.</remarks>
/// <param name="bytesMax">The most bytes that are given out.</param>
internal sealed class AnswerAdmission(long bytesMax)
{
    private long _held;

    /// <summary>A quarter of the memory, but always room for two of the largest answers.</summary>
    public AnswerAdmission()
        : this(Math.Max(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 4, 2 * AnswerLimits.BufferedBytesMax))
    {
    }

    /// <summary>The most bytes that are given out.</summary>
    public long BytesMax => bytesMax;

    /// <summary>The bytes that are held at present.</summary>
    public long Held => Volatile.Read(ref _held);

    /// <summary>Takes bytes. Returns false, and takes nothing, when not enough are left.</summary>
    public bool TryTake(long bytes)
    {
        // The sum never exceeds the limit, not even for a moment: an answer that is refused here must not cause others to be refused at the same time.
        long held = Volatile.Read(ref _held);
        while (bytes <= bytesMax - held)
        {
            long found = Interlocked.CompareExchange(ref _held, held + bytes, held);
            if (found == held)
            {
                return true;
            }

            held = found;
        }

        return false;
    }

    public void Give(long bytes) => Interlocked.Add(ref _held, -bytes);
}
