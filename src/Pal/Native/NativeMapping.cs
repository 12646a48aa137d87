using Jackdaw.Pal.Interop;

namespace Jackdaw.Pal.Native;

/// <summary>A mapping made by the operating system. It outlives the file object that it came from.</summary>
internal sealed unsafe class NativeMapping : PalMapping
{
    private readonly MappedRange _range;

    internal NativeMapping(MappedRange range)
    {
        _range = range;
        Address = (byte*)range.DangerousGetHandle();
    }

    /// <inheritdoc/>
    public override byte* Address { get; }

    /// <inheritdoc/>
    public override long ReservedBytes => _range.Length;

    /// <inheritdoc/>
    public override void ReadAtRandom() => LibPal.pal_read_at_random(Address, _range.Length);

    /// <inheritdoc/>
    public override void WillNeed(ReadOnlySpan<PalVector> ranges)
    {
        foreach (ref readonly PalVector range in ranges)
        {
            bool isInside = range.Base >= Address && range.Length > 0 && range.Length <= _range.Length && range.Base - Address <= _range.Length - range.Length;
            if (!isInside)
            {
                throw new ArgumentException("A range lies outside the mapping, or it is empty.", nameof(ranges));
            }
        }

        fixed (PalVector* first = ranges)
        {
            LibPal.pal_will_need(first, ranges.Length);
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _range.Dispose();
        }
    }
}
