using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Batches;
using Jackdaw.Pal.Native;
using Jackdaw.Server.Http.Problems;

namespace Jackdaw.Server.Http.Limits;

/// <summary>Admission limit of the bytes that compressed request bodies become while they are read, all requests
/// together: some KB on the wire can be a body of the largest size.</summary>
/// <remarks>
/// 1. Together they hold at most 256 MB or 5 % of the memory, whichever is smaller, but always as much as the largest
///    body needs.
/// 2. A body takes bytes as it grows. While they fit into the shared part it never waits; a body for which nothing is
///    left there waits to be the one that is admitted alone, and that one may grow to the largest size. So one of them
///    always makes progress.
/// 3. Bodies up to <see cref="HttpLimits.LargeBodyBytes"/> are not counted, and never wait.
/// <para>Rejected: reserving the largest possible size at once. A few slow senders of 2 MB would keep all others
/// out.</para>
/// </remarks>
internal sealed class DecompressionAdmissionLimit : IDisposable
{
    /// <summary>What the largest body needs: its full size, with the last chunk begun.</summary>
    public const long LargestBytes = BatchParser.BatchBytesMax + (2L * ChunkedMemory.ChunkBytes);

    private const long BytesMax = 256L << 20;

    // Machines below 4 GB: bodies of some MB from slow senders must not all wait for one another.
    private const long SharedBytesMin = 16L << 20;

    public DecompressionAdmissionLimit()
        : this(Math.Max(
            Math.Min(BytesMax, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 20) - LargestBytes, SharedBytesMin))
    {
    }

    /// <param name="sharedBytesMax">Bytes of all bodies except the one that is admitted alone.</param>
    internal DecompressionAdmissionLimit(long sharedBytesMax) => Shared = new AnswerAdmission(sharedBytesMax);

    /// <summary>What may be taken without waiting.</summary>
    internal AnswerAdmission Shared { get; }

    /// <summary>One place, for the body that is admitted alone.</summary>
    internal LargeBodyAdmission Alone { get; } = new(1);

    public void Dispose() => Alone.Dispose();
}

/// <summary>What one compressed body holds of a <see cref="DecompressionAdmissionLimit"/>; released by Dispose. Used by
/// one request.</summary>
internal sealed class DecompressionAdmission(DecompressionAdmissionLimit limit) : IDisposable
{
    private long _shared;
    private bool _isAlone;

    /// <summary>Takes the missing bytes, before the body grows.</summary>
    /// <param name="bytes">What the body holds from now on.</param>
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

    /// <summary>Releases what the body does not hold any more.</summary>
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
