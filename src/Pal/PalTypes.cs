using System.Runtime.InteropServices;

namespace Jackdaw.Pal;

/// <summary>How a name is opened.</summary>
public enum FileOpening
{
    /// <summary>Must exist.</summary>
    Existing,

    /// <summary>Must not exist.</summary>
    CreateNew,

    /// <summary>Created when missing.</summary>
    OpenOrCreate,
}

/// <summary>What a file is for: it decides the flags it is opened with.</summary>
public enum FileUse
{
    /// <summary>Read, buffered page writes, explicit sync, mapping.</summary>
    Data,

    /// <summary>Unbuffered, durable on return of each write (O_DIRECT|O_DSYNC; where the file system refuses O_DIRECT,
    /// O_DSYNC alone).</summary>
    Journal,

    /// <summary>Read only, buffered.</summary>
    ReadOnly,
}

/// <summary>What a sync must make durable.</summary>
public enum SyncKind
{
    /// <summary>Contents and what is needed to read them back (fdatasync).</summary>
    Data,

    /// <summary>Contents and all metadata (fsync).</summary>
    Full,
}

/// <summary>Device and inode of a file.</summary>
public readonly record struct FileIdentity(ulong Device, ulong File);

/// <summary>What the file system knows of a file or folder.</summary>
/// <param name="Identity">Device and inode.</param>
/// <param name="Length">Bytes, with holes.</param>
/// <param name="AllocatedBytes">Bytes of its blocks, as <c>du</c> counts them.</param>
/// <param name="Links">Names of the file.</param>
/// <param name="IsDirectory">Whether it is a folder.</param>
public readonly record struct FileStatus(FileIdentity Identity, long Length, long AllocatedBytes, int Links, bool IsDirectory);

/// <summary>One piece of a vectored write. Memory is owned by the caller until the call returns.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct PalVector
{
    /// <summary>First byte.</summary>
    public byte* Base;

    /// <summary>Bytes.</summary>
    public long Length;
}

/// <summary>One page write of a batch: <see cref="Length"/> bytes at <see cref="Offset"/>.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct PalPageWrite
{
    /// <summary>First byte in memory.</summary>
    public byte* Base;

    /// <summary>Byte offset in the file.</summary>
    public long Offset;

    /// <summary>Bytes.</summary>
    public long Length;
}

/// <summary>What a batch of page writes cost.</summary>
/// <param name="Calls">System calls made.</param>
/// <param name="Runs">Contiguous ranges written (neighbours merged).</param>
/// <param name="Bytes">Bytes written.</param>
public readonly record struct PalWriteCounts(long Calls, long Runs, long Bytes);

/// <summary>Limits that callers of the platform keep.</summary>
public static class PalLimits
{
    /// <summary>Alignment of journal writes, zero fills and holes: the largest sector size in use, in bytes.</summary>
    public const int Alignment = 4096;

    /// <summary>Largest number of vectors in one journal write (IOV_MAX of Linux).</summary>
    public const int VectorsMax = 1024;
}
