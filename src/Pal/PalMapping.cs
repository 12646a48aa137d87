namespace Jackdaw.Pal;

/// <summary>A read-only view of a file. It is valid until it is disposed. A write through it faults.</summary>
public abstract unsafe class PalMapping : IDisposable
{
    /// <summary>First byte of the file.</summary>
    public abstract byte* Address { get; }

    /// <summary>Bytes reserved in the address space; only those below the file's length may be touched.</summary>
    public abstract long ReservedBytes { get; }

    /// <summary>Tells the system that the mapping is read at random places: a missing page is read alone. Never fails.</summary>
    /// <remarks>It is advice for all of the mapping: the kernel would need a record for each range of its own, and allows 65,530 in a
    /// process.</remarks>
    public virtual void ReadAtRandom()
    {
    }

    /// <summary>Tells the system that ranges of the mapping will be read soon; it begins to read what is missing, and the call does not wait. One
    /// native call for the batch. Never fails; ranges that are not in the mapping must not be named.</summary>
    public virtual void WillNeed(ReadOnlySpan<PalVector> ranges)
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
