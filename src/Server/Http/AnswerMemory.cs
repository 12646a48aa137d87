namespace Jackdaw.Server.Http;

/// <summary>Bytes of large answers that are built and that their clients have not read yet, all requests together.</summary>
/// <remarks>A client may read as slowly as <see cref="HttpLimits.AnswerStepTime"/> lets it: many of them must not hold more than a share
/// of the machine. Any thread.</remarks>
/// <param name="bytesMax">Bytes that are given out at most.</param>
internal sealed class AnswerMemory(long bytesMax)
{
    private long _held;

    /// <summary>A quarter of the memory, but always room for two of the largest answers.</summary>
    public AnswerMemory()
        : this(Math.Max(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 4, 2 * HttpLimits.BufferedAnswerBytesMax))
    {
    }

    /// <summary>Bytes that are given out at most.</summary>
    public long BytesMax => bytesMax;

    /// <summary>Bytes that are taken and not given back.</summary>
    public long Held => Volatile.Read(ref _held);

    /// <summary>False, and nothing is taken, when so much is not left.</summary>
    public bool TryTake(long bytes)
    {
        // Never above what is given out: what is refused here must not make others be refused beside it.
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
