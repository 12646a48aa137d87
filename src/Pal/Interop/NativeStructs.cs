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
    internal long Owner;
    internal long Allocated;
}

/// <summary><c>struct pal_ring_step</c> of pal.h.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeRingStep
{
    internal int OsErrno;
    internal int Taken;
    internal int Completed;
    internal int Padding;
}

/// <summary><c>struct pal_ring_script</c> of pal.h.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct NativeRingScript
{
    internal NativeRingStep* Steps;
    internal long* Results;
    internal int StepCount;
    internal int ResultCount;
}

/// <summary><c>struct pal_ring_trace</c> of pal.h.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeRingTrace
{
    internal long Bytes;
    internal long RequestsMax;
    internal int Writes;
    internal int WriteBacks;
    internal int UnusedSteps;
    internal int UnusedResults;
}

/// <summary><c>enum pal_struct</c> of pal.h: which size to ask for.</summary>
internal enum NativeStruct
{
    Error = 0,
    Vector = 1,
    PageWrite = 2,
    WriteCounts = 3,
    FileStatus = 4,
    RingStep = 5,
    RingScript = 6,
    RingTrace = 7,
}
