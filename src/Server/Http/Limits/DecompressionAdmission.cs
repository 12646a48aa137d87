using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Batches;
using Jackdaw.Pal.Native;
using Jackdaw.Server.Http.Problems;

namespace Jackdaw.Server.Http.Limits;

/// <summary>Limits the decompressed bytes of all compressed request bodies that are being read, because some KB on the wire can become a body of the largest
/// size.</summary>
/// <remarks>
/// 1. Together they hold at most 256 MB or 5 % of the memory, whichever is smaller, but always as much as the largest
///    body needs.
/// 2. A body takes bytes as it grows. While they fit into the shared part, it never waits. When nothing is left there, it waits to become the one body that is
/// admitted alone, which may grow to the largest size. So one body always makes progress.
/// 3. Bodies up to <see cref="HttpLimits.LargeBodyBytes"/> are not counted, and never wait.
/// <para>Rejected: reserving the largest possible size at once. Then a few slow senders of 2 MB would block all others.</para>
/// </remarks>
internal sealed class DecompressionAdmissionLimit : IDisposable
{
    /// <summary>The bytes that the largest body needs: its full size and a last chunk that is not full.</summary>
    public const long LargestBytes = BatchParser.BatchBytesMax + (2L * ChunkedMemory.ChunkBytes);

    private const long BytesMax = 256L << 20;

    // For machines below 4 GB: bodies of some MB from slow senders must not all wait for one another.
    private const long SharedBytesMin = 16L << 20;

    public DecompressionAdmissionLimit()
        : this(Math.Max(
            Math.Min(BytesMax, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 20) - LargestBytes, SharedBytesMin))
    {
    }

    /// <param name="sharedBytesMax">The bytes of all bodies except the one that is admitted alone.</param>
    internal DecompressionAdmissionLimit(long sharedBytesMax) => Shared = new AnswerAdmission(sharedBytesMax);

    /// <summary>The bytes that can be taken without waiting.</summary>
    internal AnswerAdmission Shared { get; }

    /// <summary>One place, for the body that is admitted alone.</summary>
    internal LargeBodyAdmission Alone { get; } = new(1);

    public void Dispose() => Alone.Dispose();
}

/// <summary>The share of one compressed body in a <see cref="DecompressionAdmissionLimit"/>; Dispose releases it. Used by one request.</summary>
internal sealed class DecompressionAdmission(DecompressionAdmissionLimit limit) : IDisposable
{
    private long _shared;
    private bool _isAlone;

    /// <summary>Takes the missing bytes, before the body grows.</summary>
    /// <param name="bytes">The number of bytes that the body holds from now on.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="RequestRefusedException">Nothing became free for
    /// <see cref="HttpLimits.LargeBodyWaitTime"/>.</exception>
    public async ValueTask GrowToAsync(long bytes, CancellationToken cancellationToken)
    {
        if (_isAlone || bytes <= _shared)
        {
            return;
        }

        if (limit.Shared.TryTake(bytes - _shared))
        {
            _shared = bytes;
            return;
        }

        await limit.Alone.EnterAsync(cancellationToken).ConfigureAwait(false);
        _isAlone = true;
        ShrinkTo(0);
    }

    /// <summary>Releases the bytes that the body does not hold any more.</summary>
    public void ShrinkTo(long bytes)
    {
        if (bytes < _shared)
        {
            limit.Shared.Give(_shared - bytes);
            _shared = bytes;
        }
    }

    public void Dispose()
    {
        ShrinkTo(0);
        if (_isAlone)
        {
            _isAlone = false;
            limit.Alone.Leave();
        }
    }
}
