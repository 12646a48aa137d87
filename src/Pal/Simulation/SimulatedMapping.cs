using Jackdaw.Pal.Interop;

namespace Jackdaw.Pal.Simulation;

/// <summary>A mapping of a simulated file: a memfd that follows the file's visible contents.</summary>
internal sealed unsafe class SimulatedMapping : PalMapping
{
    private readonly SimulatedPlatform _platform;
    private readonly SimulatedContent _content;
    private readonly MappedRange _range;
    private bool _isUnmapped;

    internal SimulatedMapping(SimulatedPlatform platform, SimulatedContent content, MappedRange range)
    {
        _platform = platform;
        _content = content;
        _range = range;
        Address = (byte*)range.DangerousGetHandle();
    }

    /// <inheritdoc/>
    public override byte* Address { get; }

    /// <inheritdoc/>
    public override long ReservedBytes => _range.Length;

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (!disposing || _isUnmapped)
        {
            return;
        }

        _isUnmapped = true;
        lock (_platform.Gate)
        {
            _range.Dispose();
            _content.Unmap();
        }
    }
}
