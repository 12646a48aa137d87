namespace Jackdaw.Pal;

/// <summary>A read-only view of a file. It is valid until it is disposed. A write through it faults.</summary>
public abstract unsafe class PalMapping : IDisposable
{
    /// <summary>First byte of the file.</summary>
    public abstract byte* Address { get; }

    /// <summary>Bytes reserved in the address space; only those below the file's length may be touched.</summary>
    public abstract long ReservedBytes { get; }

    /// <summary>Tells the kernel that a range will be read soon. Never fails.</summary>
    public virtual void WillNeed(long offset, long length)
    {
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Unmaps.</summary>
    protected abstract void Dispose(bool disposing);
}
