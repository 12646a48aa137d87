using System.Runtime.InteropServices;

namespace Jackdaw.StorageCrasher;

/// <summary>Takes memory beside the work, a piece every few milliseconds, until the kernel ends the process. Outside the runtime's
/// heap, which would stop at its own limit with an exception.</summary>
internal sealed unsafe class Appetite : IDisposable
{
    private const int BytesPerBiteMax = 4 * 1024 * 1024;
    private const int BiteEveryMs = 5;

    private readonly Timer _timer;

    /// <param name="seed">Decides how fast.</param>
    public Appetite(int seed)
    {
        int bytes = new Random(seed).Next(BytesPerBiteMax / 16, BytesPerBiteMax);
        _timer = new Timer(_ => new Span<byte>(NativeMemory.Alloc((nuint)bytes), bytes).Fill(1), null, BiteEveryMs, BiteEveryMs);
    }

    /// <inheritdoc/>
    public void Dispose() => _timer.Dispose();
}
