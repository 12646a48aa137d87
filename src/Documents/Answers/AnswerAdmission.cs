namespace Jackdaw.Documents.Answers;

/// <summary>Admission limit for large answers: bytes that are built and that clients have not read yet, all requests
/// together.</summary>
/// <remarks>A client may read as slowly as the connection lets it: many slow clients together
/// must not hold more than a share of the memory. Any thread.</remarks>
/// <param name="bytesMax">Most bytes that are given out.</param>
internal sealed class AnswerAdmission(long bytesMax)
{
    private long _held;

    /// <summary>A quarter of the memory, but always room for two of the largest answers.</summary>
    public AnswerAdmission()
        : this(Math.Max(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 4, 2 * AnswerLimits.BufferedBytesMax))
    {
    }

    /// <summary>Most bytes that are given out.</summary>
    public long BytesMax => bytesMax;

    /// <summary>Bytes that are held now.</summary>
    public long Held => Volatile.Read(ref _held);

    /// <summary>False, and nothing is taken, when not enough is left.</summary>
    public bool TryTake(long bytes)
    {
        // Never above the limit: an answer that is refused here must not cause others to be refused at the same time.
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
