using System.Runtime.InteropServices;

namespace Jackdaw.Pal.Interop;

/// <summary><c>struct pal_error</c> of pal.h: the facts of a failure.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeError
{
    internal int Code;
    internal int OsErrno;
    internal int Operation;
    internal int Item;
    internal long Offset;
    internal long Length;
}

/// <summary><c>struct pal_write_counts</c> of pal.h.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeWriteCounts
{
    internal long Calls;
    internal long Runs;
    internal long Bytes;
}

/// <summary><c>struct pal_file_status</c> of pal.h.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeFileStatus
{
    internal ulong Device;
    internal ulong File;
    internal long Length;
    internal int Links;
    internal int IsDirectory;
}

/// <summary><c>enum pal_struct</c> of pal.h: which size to ask for.</summary>
internal enum NativeStruct
{
    Error = 0,
    Vector = 1,
    PageWrite = 2,
    WriteCounts = 3,
    FileStatus = 4,
}
