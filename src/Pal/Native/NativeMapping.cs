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
    public override void WillNeed(long offset, long length)
    {
        if (offset >= 0 && length > 0 && offset <= _range.Length - length)
        {
            LibPal.pal_will_need(Address + offset, length);
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
