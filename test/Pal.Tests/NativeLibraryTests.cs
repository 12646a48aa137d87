using System.Runtime.CompilerServices;
using Jackdaw.Pal.Interop;
using Jackdaw.Pal.Native;

namespace Jackdaw.Pal.Tests;

/// <summary>The border to libpal: sizes, statuses, error texts, the write loop under scripted results.</summary>
public sealed unsafe class NativeLibraryTests
{
    private const int Eintr = 4;
    private const int Eio = 5;
    private const int Enospc = 28;

    [Fact]
    public void Structs_OnBothSides_HaveTheSameSize()
    {
        Assert.Equal(LibPal.pal_struct_size(NativeStruct.Error), Unsafe.SizeOf<NativeError>());
        Assert.Equal(LibPal.pal_struct_size(NativeStruct.Vector), Unsafe.SizeOf<PalVector>());
        Assert.Equal(LibPal.pal_struct_size(NativeStruct.PageWrite), Unsafe.SizeOf<PalPageWrite>());
        Assert.Equal(LibPal.pal_struct_size(NativeStruct.WriteCounts), Unsafe.SizeOf<NativeWriteCounts>());
        Assert.Equal(LibPal.pal_struct_size(NativeStruct.FileStatus), Unsafe.SizeOf<NativeFileStatus>());
        Assert.Equal(LibPal.pal_struct_size(NativeStruct.RingStep), Unsafe.SizeOf<NativeRingStep>());
        Assert.Equal(LibPal.pal_struct_size(NativeStruct.RingScript), Unsafe.SizeOf<NativeRingScript>());
        Assert.Equal(LibPal.pal_struct_size(NativeStruct.RingTrace), Unsafe.SizeOf<NativeRingTrace>());
        Assert.Equal(-1, LibPal.pal_struct_size((NativeStruct)99));
    }

    [Theory]
    [InlineData(0, PalStatus.Ok)]
    [InlineData(Eio, PalStatus.IoError)]
    [InlineData(Enospc, PalStatus.NoSpace)]
    [InlineData(2, PalStatus.NotFound)]
    [InlineData(17, PalStatus.AlreadyExists)]
    [InlineData(13, PalStatus.AccessDenied)]
    [InlineData(1, PalStatus.AccessDenied)]
    [InlineData(11, PalStatus.IoError)]
    [InlineData(18, PalStatus.CrossDevice)]
    [InlineData(31, PalStatus.TooManyLinks)]
    [InlineData(95, PalStatus.NotSupported)]
    [InlineData(22, PalStatus.InvalidArgument)]
    [InlineData(12, PalStatus.NoMemory)]
    [InlineData(23, PalStatus.TooManyFiles)]
    [InlineData(24, PalStatus.TooManyFiles)]
    [InlineData(9999, PalStatus.IoError)]
    public void StatusOf_EachErrno_IsOneStatus(int osErrno, PalStatus expected)
    {
        Assert.Equal((int)expected, LibPal.pal_status_of(1, osErrno));
    }

    [Fact]
    public void StatusOf_PermissionErrorOfALink_MeansTheVolumeCannotShareFiles()
    {
        const int link = 14;
        Assert.Equal("link", PalFailure.OperationName(link));
        Assert.Equal((int)PalStatus.NotSupported, LibPal.pal_status_of(link, 1));
    }

    [Fact]
    public void StatusOf_WouldBlock_IsLockedOnlyForALock()
    {
        const int lockOperation = 13;
        Assert.Equal("lock", PalFailure.OperationName(lockOperation));
        Assert.Equal((int)PalStatus.Locked, LibPal.pal_status_of(lockOperation, 11));
    }

    [Fact]
    public void ErrorText_KnownErrno_IsTheSystemsText()
    {
        Assert.Contains("space", PalFailure.ErrorText(Enospc), StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public void OperationName_EveryOperation_HasAName()
    {
        for (int operation = 0; operation < 27; operation++)
        {
            Assert.NotEqual("unknown", PalFailure.OperationName(operation));
        }

        Assert.Equal("unknown", PalFailure.OperationName(27));
        Assert.Equal("unknown", PalFailure.OperationName(-1));
    }

    [Fact]
    public void WriteLoop_EverythingAtOnce_IsOneCall()
    {
        LoopResult result = RunLoop([16384], [8192, 8192], 4096);
        Assert.Equal(new LoopResult(PalStatus.Ok, 1, 0, 0, 0, 0), result);
    }

    [Fact]
    public void WriteLoop_InterruptedCall_IsMadeAgain()
    {
        LoopResult result = RunLoop([-Eintr, -Eintr, 8192], [8192], 4096);
        Assert.Equal(new LoopResult(PalStatus.Ok, 3, 0, 0, 0, 0), result);
    }

    [Theory]
    [InlineData(1, 3)]
    [InlineData(4096, 4)]
    public void WriteLoop_ShortWrite_GoesOnFromTheLastWholeUnit(int granularity, int calls)
    {
        // 5000 of 12288 bytes, then 7192: complete for a buffered file; an unbuffered one goes on from byte 4096.
        LoopResult result = RunLoop([5000, 5000, 5000, 5000], [4096, 8192], granularity);
        Assert.Equal(PalStatus.Ok, result.Status);
        Assert.Equal(granularity == 1 ? calls : 3, result.Calls);
    }

    [Fact]
    public void WriteLoop_CallThatWritesNothing_IsAnIoError()
    {
        LoopResult result = RunLoop([4096, 0], [8192], 4096);
        Assert.Equal(new LoopResult(PalStatus.IoError, 2, 0, Eio, 4096, 4096), result);
    }

    [Fact]
    public void WriteLoop_LessThanOneUnit_IsAnIoErrorAndNotAnEndlessLoop()
    {
        LoopResult result = RunLoop([512, 512], [8192], 4096);
        Assert.Equal(new LoopResult(PalStatus.IoError, 1, 1, Eio, 0, 8192), result);
    }

    [Fact]
    public void WriteLoop_DiskFullInTheMiddle_TellsWhere()
    {
        LoopResult result = RunLoop([8192, -Enospc], [4096, 8192], 4096);
        Assert.Equal(new LoopResult(PalStatus.NoSpace, 2, 0, Enospc, 8192, 4096), result);
    }

    [Fact]
    public void WriteLoop_MoreThanTheKernelTakes_IsSplit()
    {
        const long cap = 0x7ffff000;
        LoopResult result = RunLoop([long.MaxValue, long.MaxValue, long.MaxValue], [cap, 4096, cap], 4096);
        Assert.Equal(new LoopResult(PalStatus.Ok, 3, 0, 0, 0, 0), result);
        result = RunLoop([long.MaxValue, long.MaxValue, -Eio], [3 * cap], 4096);
        Assert.Equal(new LoopResult(PalStatus.IoError, 3, 0, Eio, 2 * cap, cap), result);
    }

    [Fact]
    public void Calls_OnABadDescriptor_FailWithFacts()
    {
        Assert.Equal((int)PalStatus.InvalidArgument, LibPal.pal_file_close(-1, out NativeError error));
        Assert.Equal(9, error.OsErrno);
        Assert.Equal("close", PalFailure.OperationName(error.Operation));
    }

    [Fact]
    public void Memory_AllocatedAndFreed_IsZeroedAlignedAndCounted()
    {
        byte* memory = PalMemory.Allocate(1 << 20);
        Assert.True(PalMemory.AllocatedBytes >= 1 << 20);
        Assert.Equal(0u, (nuint)memory % 4096);
        Assert.True(new ReadOnlySpan<byte>(memory, 1 << 20).IndexOfAnyExcept((byte)0) < 0);
        memory[(1 << 20) - 1] = 1;
        PalMemory.Free(memory, 1 << 20);
        Assert.Throws<PalException>(() => { PalMemory.Allocate(0); });
    }

    private static LoopResult RunLoop(long[] script, long[] lengths, long granularity)
    {
        PalVector[] vectors = [.. lengths.Select(length => new PalVector { Base = (byte*)4096, Length = length })];
        fixed (long* scripted = script)
        {
            fixed (PalVector* first = vectors)
            {
                int status = LibPal.pal_test_write_loop(scripted, script.Length, first, vectors.Length, granularity,
                    out long calls, out int unused, out NativeError error);
                Assert.Equal(status, error.Code);
                return new LoopResult((PalStatus)status, calls, unused, error.OsErrno, error.Offset, error.Length);
            }
        }
    }

    private readonly record struct LoopResult(
        PalStatus Status, long Calls, int Unused, int OsErrno, long Offset, long Length);
}
