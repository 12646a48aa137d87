using Jackdaw.Pal.Interop;

namespace Jackdaw.Pal.Tests;

/// <summary>The submission ring's code with a script in place of the kernel: what it does with every answer.</summary>
public sealed unsafe class RingTests
{
    private const int Page = 8192;
    private const int Eperm = 1;
    private const int Eintr = 4;
    private const int Eio = 5;
    private const int Ebadf = 9;
    private const int Eagain = 11;
    private const int Enomem = 12;
    private const int Ebusy = 16;
    private const int Einval = 22;
    private const int Enospc = 28;
    private const int Enosys = 38;
    private const int Ecanceled = 125;

    // RING_REQUESTS of native/ring.h.
    private const int RequestsMax = 63;

    // PAL_WRITE_BACK_BYTES of native/pal_internal.h, in pages.
    private const int GroupPages = 8;

    // RING_TRIES_MAX there.
    private const int TriesMax = 1000;

    [Fact]
    public void Batch_OfScatteredPages_IsOneRequestEach_AndNeverMoreThanTheRingHolds()
    {
        // Small ones: of pages no more than two groups are under way.
        const int bytes = 1024;
        RingResult result = Run(Scattered(500, bytes));

        Assert.Equal(PalStatus.Ok, result.Status);
        Assert.Equal(new PalWriteCounts(result.Counts.Calls, 500, 500 * bytes), result.Counts);
        Assert.Equal(500, result.Trace.Writes);
        Assert.Equal(500 * bytes, result.Trace.Bytes);
        Assert.Equal(RequestsMax, result.Trace.RequestsMax);
        Assert.InRange(result.Counts.Calls, 500 / RequestsMax, 2 * 500 / RequestsMax);
    }

    [Fact]
    public void Batch_OfNeighbours_IsOneRequestOfManyPieces()
    {
        RingResult result = Run(Neighbours(100));

        Assert.Equal(PalStatus.Ok, result.Status);
        Assert.Equal(new PalWriteCounts(1, 1, 100 * Page), result.Counts);
        Assert.Equal(1, result.Trace.Writes);
    }

    [Fact]
    public void Run_LongerThanTheKernelTakesAtOnce_IsCut()
    {
        const long cap = 0x7ffff000;
        RingResult result = Run([Write(0, cap - 4096), Write(cap - 4096, 8192), Write(cap + 4096, (2 * cap) + 5)]);

        Assert.Equal(PalStatus.Ok, result.Status);
        Assert.Equal((3 * cap) + 4096 + 5, result.Trace.Bytes);
        Assert.Equal(1, result.Counts.Runs);
        Assert.Equal(4, result.Trace.Writes);
    }

    [Fact]
    public void ShortWrite_GoesOnWhereItStopped()
    {
        RingResult result = Run(Neighbours(3), results: [5000, 1, Page, long.MaxValue]);

        Assert.Equal(PalStatus.Ok, result.Status);
        Assert.Equal(3 * Page, result.Trace.Bytes);
        Assert.Equal(4, result.Trace.Writes);
        Assert.Equal(0, result.Trace.UnusedResults);
    }

    [Theory]
    [InlineData(Eagain)]
    [InlineData(Eintr)]
    [InlineData(Ecanceled)]
    public void Completion_ThatSaysTryAgain_IsTriedAgain(int osErrno)
    {
        RingResult result = Run(Scattered(3), results: [-osErrno, Page, -osErrno, -osErrno]);

        Assert.Equal(PalStatus.Ok, result.Status);
        Assert.Equal(3 * Page, result.Trace.Bytes);
        Assert.Equal(6, result.Trace.Writes);
    }

    [Theory]
    [InlineData(Eagain)]
    [InlineData(Ecanceled)]
    public void Completion_ThatSaysTryAgainForEver_IsAFailureInTheEnd(int osErrno)
    {
        long[] results = [.. Enumerable.Repeat((long)-osErrno, 2 * TriesMax)];

        RingResult result = Run(Scattered(1), results: results);

        result.AssertFailed(PalStatus.IoError, "write", osErrno, 0, 0, Page);
        Assert.Equal(TriesMax + 1, result.Trace.Writes);
    }

    [Theory]
    [InlineData(Eio, PalStatus.IoError)]
    [InlineData(Enospc, PalStatus.NoSpace)]
    [InlineData(Ebadf, PalStatus.InvalidArgument)]
    public void Completion_WithAnError_TellsWhichWriteAndWhy(int osErrno, PalStatus status)
    {
        // The newest request completes first: the third write fails, the other two are awaited all the same.
        RingResult result = Run(Scattered(3), results: [-osErrno]);

        result.AssertFailed(status, "write", osErrno, 2, 4 * Page, Page);
        Assert.Equal(2 * Page, result.Trace.Bytes);
    }

    [Fact]
    public void Completion_WithAnError_EndsTheBatchWithoutMoreRequests()
    {
        RingResult result = Run(Scattered(500), results: [-Eio]);

        Assert.Equal(PalStatus.IoError, result.Status);
        Assert.Equal(2 * GroupPages, result.Trace.Writes);
    }

    [Fact]
    public void Completion_OfTwoErrors_TellsTheFirst()
    {
        RingResult result = Run(Scattered(3), results: [-Enospc, -Eio, -Eio]);

        result.AssertFailed(PalStatus.NoSpace, "write", Enospc, 2, 4 * Page, Page);
    }

    [Fact]
    public void Completion_ThatWroteNothing_IsAnIoError()
    {
        RingResult result = Run(Neighbours(2), results: [Page, 0]);

        result.AssertFailed(PalStatus.IoError, "write", Eio, 0, Page, Page);
    }

    [Theory]
    [InlineData(Eagain)]
    [InlineData(Ebusy)]
    public void Submit_RefusedWhileCompletionsWait_TakesThemFirst(int osErrno)
    {
        // Two are taken; the next call is refused and only its completions are there; then all goes on.
        RingResult result = Run(Scattered(5), [Step(0, 2, 0), Step(osErrno, 0, 0), Step(0, 0, 2)]);

        Assert.Equal(PalStatus.Ok, result.Status);
        Assert.Equal(5 * Page, result.Trace.Bytes);
        Assert.Equal(0, result.Trace.UnusedSteps);
        Assert.Equal(5, result.Trace.Writes);
    }

    [Fact]
    public void Submit_RefusedWithCompletionsInTheSameCall_LosesNone()
    {
        RingResult result = Run(Scattered(4), [Step(0, 4, 0), Step(Ebusy, 0, 3)]);

        Assert.Equal(PalStatus.Ok, result.Status);
        Assert.Equal(4 * Page, result.Trace.Bytes);
    }

    [Fact]
    public void Submit_OfPartOfTheRequests_SubmitsTheRest()
    {
        RingResult result = Run(Scattered(5), [Step(0, 1, 1), Step(0, 1, 0), Step(Eintr, 1, 1), Step(0, 0, 1)]);

        Assert.Equal(PalStatus.Ok, result.Status);
        Assert.Equal(5, result.Trace.Writes);
        Assert.Equal(5 * Page, result.Trace.Bytes);
    }

    [Fact]
    public void Submit_InterruptedAnyNumberOfTimes_IsMadeAgain()
    {
        NativeRingStep[] steps = [.. Enumerable.Repeat(Step(Eintr, 0, 0), 3 * TriesMax)];

        RingResult result = Run(Scattered(2), steps);

        Assert.Equal(PalStatus.Ok, result.Status);
        Assert.Equal((3 * TriesMax) + 1, result.Counts.Calls);
    }

    [Theory]
    [InlineData(Eagain)]
    [InlineData(Ebusy)]
    public void Submit_BusyForEver_IsAFailureInTheEnd(int osErrno)
    {
        NativeRingStep[] steps = [.. Enumerable.Repeat(Step(osErrno, 0, 0), 3 * TriesMax)];

        RingResult result = Run(Scattered(2), steps);

        result.AssertFailed(PalStatus.IoError, "submit to ring", osErrno, 0, 0, Page);
        Assert.Equal(0, result.Trace.Writes);
    }

    [Fact]
    public void Submit_ThatTakesNothingAndSaysNothing_IsAFailureInTheEnd()
    {
        NativeRingStep[] steps = [.. Enumerable.Repeat(Step(0, 0, 0), 3 * TriesMax)];

        Run(Scattered(2), steps).AssertFailed(PalStatus.IoError, "submit to ring", Eio, 0, 0, Page);
    }

    [Fact]
    public void Submit_ThatFails_WaitsForWhatTheKernelHas_AndSaysSubmit()
    {
        // Two of 500 are taken, then the ring fails; both complete before the batch ends: their memory is the caller's.
        RingResult result = Run(
            Scattered(500), [Step(0, 2, 0), Step(Ebadf, 0, 0), Step(0, 0, 1), Step(Eintr, 0, 0), Step(0, 0, 1)]);

        Assert.Equal(PalStatus.InvalidArgument, result.Status);
        Assert.Equal("submit to ring", PalFailure.OperationName(result.Error.Operation));
        Assert.Equal(Ebadf, result.Error.OsErrno);
        Assert.Equal(2, result.Trace.Writes);
        Assert.Equal(2 * Page, result.Trace.Bytes);
        Assert.Equal(0, result.Trace.UnusedSteps);
    }

    [Fact]
    public void Submit_ThatFailsBehindAShortWrite_DoesNotGoOn()
    {
        RingResult result = Run(Scattered(1), [Step(0, 1, 0), Step(Ebadf, 0, 0)], [100]);

        result.AssertFailed(PalStatus.InvalidArgument, "submit to ring", Ebadf, 0, 100, Page - 100);
    }

    [Fact]
    public void Completion_ThatNeverComes_SaysWait()
    {
        RingResult result = Run(Scattered(1), [Step(0, 1, 0), Step(Ebadf, 0, 0), Step(Ebadf, 0, 0)]);

        result.AssertFailed(PalStatus.InvalidArgument, "wait for ring", Ebadf, 0, 0, Page);
        Assert.Equal(0, result.Trace.Bytes);
    }

    [Fact]
    public void Completion_ThatNeverComes_SaysWait_WhateverFailedBefore()
    {
        // The caller may free the memory after any other failure.
        RingResult refused = Run(Scattered(500), [Step(0, 2, 0), Step(Ebadf, 0, 0), Step(Ebadf, 0, 0)]);
        RingResult failed = Run(Scattered(500), [Step(0, 2, 1), Step(Ebadf, 0, 0), Step(Ebadf, 0, 0)], [-Enospc]);

        Assert.Equal("wait for ring", PalFailure.OperationName(refused.Error.Operation));
        Assert.Equal("wait for ring", PalFailure.OperationName(failed.Error.Operation));
    }

    [Fact]
    public void Group_ThatIsWritten_IsBroughtToTheDisk()
    {
        RingResult result = Run(Scattered(16 * GroupPages));

        Assert.Equal(PalStatus.Ok, result.Status);
        Assert.InRange(result.Trace.WriteBacks, 8, 16);
        Assert.Equal(16 * GroupPages, result.Trace.Writes);
        Assert.InRange(result.Trace.RequestsMax, GroupPages, (2 * GroupPages) + 2);
    }

    [Theory]
    [InlineData(Enosys)]
    [InlineData(Eperm)]
    [InlineData(Einval)]
    public void WriteBack_ThatIsNotOffered_IsLeftToTheSync(int osErrno)
    {
        RingResult result = RunWithWriteBack(-osErrno);

        Assert.Equal(PalStatus.Ok, result.Status);
        Assert.Equal(((2 * GroupPages) + 1) * Page, result.Trace.Bytes);
        Assert.Equal(2, result.Trace.WriteBacks);
    }

    [Fact]
    public void WriteBack_ThatFails_IsAFailedSync()
    {
        RingResult result = RunWithWriteBack(-Enospc);

        Assert.Equal(PalStatus.IoError, result.Status);
        Assert.Equal("sync data", PalFailure.OperationName(result.Error.Operation));
        Assert.Equal(Eio, result.Error.OsErrno);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4)]
    public void SetUp_RefusedFlags_AreTakenAway(int refusals)
    {
        const int submitAll = 1 << 7, coop = 1 << 8, singleIssuer = 1 << 12, deferTaskRun = 1 << 13;
        int[] sets =
        [
            submitAll | coop | singleIssuer | deferTaskRun, submitAll | coop | singleIssuer, submitAll | coop, submitAll, 0,
        ];

        (PalStatus status, uint flags) = SetUp([.. Enumerable.Repeat(Einval, refusals)]);

        Assert.Equal(PalStatus.Ok, status);
        Assert.Equal((uint)sets[refusals], flags);
    }

    [Theory]
    [InlineData(Eperm, PalStatus.AccessDenied)]
    [InlineData(Enosys, PalStatus.NotSupported)]
    [InlineData(Enomem, PalStatus.NoMemory)]
    public void SetUp_RefusedAltogether_IsNotTriedWithOtherFlags(int osErrno, PalStatus expected)
    {
        Assert.Equal(expected, SetUp([Einval, osErrno, Einval]).Status);
    }

    [Fact]
    public void SetUp_ThatTakesNoFlagsAtAll_IsRefused()
    {
        Assert.Equal(PalStatus.InvalidArgument, SetUp([Einval, Einval, Einval, Einval, Einval]).Status);
    }

    /// <summary>Two groups and a page: both groups go to the disk before the end is in sight; the result of the first that is done is the given one.</summary>
    private static RingResult RunWithWriteBack(long result)
    {
        // The newest request completes first: the last page before the groups that were queued beside it.
        long[] results = [.. Enumerable.Repeat(long.MaxValue, (2 * GroupPages) + 1), result];
        return Run(Scattered((2 * GroupPages) + 1), results: results);
    }

    private static (PalStatus Status, uint Flags) SetUp(int[] failures)
    {
        fixed (int* first = failures)
        {
            int status = LibPal.pal_test_ring_setup(first, failures.Length, out uint flags, out NativeError error);
            Assert.Equal(status, error.Code);
            return ((PalStatus)status, flags);
        }
    }

    private static NativeRingStep Step(int osErrno, int taken, int completed) =>
        new() { OsErrno = osErrno, Taken = taken, Completed = completed };

    private static PalPageWrite Write(long offset, long length) =>
        new() { Base = (byte*)4096, Offset = offset, Length = length };

    private static PalPageWrite[] Scattered(int count, int bytes = Page) =>
        [.. Enumerable.Range(0, count).Select(i => Write(2L * i * bytes, bytes))];

    private static PalPageWrite[] Neighbours(int count) =>
        [.. Enumerable.Range(0, count).Select(i => Write((long)i * Page, Page))];

    private static RingResult Run(PalPageWrite[] writes, NativeRingStep[]? steps = null, long[]? results = null)
    {
        steps ??= [];
        results ??= [];
        fixed (NativeRingStep* firstStep = steps)
        fixed (long* firstResult = results)
        fixed (PalPageWrite* firstWrite = writes)
        {
            var script = new NativeRingScript
            {
                Steps = firstStep,
                StepCount = steps.Length,
                Results = firstResult,
                ResultCount = results.Length,
            };
            int status = LibPal.pal_test_ring(&script, firstWrite, writes.Length, out NativeWriteCounts counts,
                out NativeRingTrace trace, out NativeError error);
            Assert.Equal(status, error.Code);
            return new RingResult(error, new PalWriteCounts(counts.Calls, counts.Runs, counts.Bytes), trace);
        }
    }

    private sealed record RingResult(NativeError Error, PalWriteCounts Counts, NativeRingTrace Trace)
    {
        internal PalStatus Status => (PalStatus)Error.Code;

        internal void AssertFailed(PalStatus status, string operation, int osErrno, int item, long offset, long length)
        {
            Assert.Equal(status, Status);
            Assert.Equal(operation, PalFailure.OperationName(Error.Operation));
            Assert.Equal(osErrno, Error.OsErrno);
            Assert.Equal((item, offset, length), (Error.Item, Error.Offset, Error.Length));
        }
    }
}
