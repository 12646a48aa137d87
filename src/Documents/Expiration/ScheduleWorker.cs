using System.Text;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Schedules;
using Jackdaw.Storage;
using Jackdaw.Storage.Transactions;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Documents.Expiration;

/// <summary>Does the scheduled work of one database: deletes expired documents and compare exchange values, refreshes and archives documents.</summary>
/// <remarks>
/// 1. Items whose time has come are read from a snapshot, a bounded number of items at a time, and written by one merged batch; items that were changed in
/// between are not touched. The same transaction removes the entry of the index by time, so that the work happens exactly once, even if the clock is set or the
/// server stops.
/// 2. Then it sleeps until the next time, or for the interval of the configuration, whichever is shorter: a clock that was set forward is
///    noticed after an interval. A transaction that adds an earlier time wakes it, and so does a change of the configuration.
/// 3. When a batch cannot be written because of its content, it is made smaller. An item that cannot be written even alone is left out for an hour, so that it
/// does not delay others.
/// 4. A clock that raises an event when it is set wakes it too.
/// 5. In a database without times in the future, it has no timer and reads nothing.
/// </remarks>
internal sealed class ScheduleWorker(DocumentDatabase database, TimeProvider time, ILogger logger) : DatabasePart
{
    /// <summary>The shortest sleep, so that items with times close together are written together.</summary>
    public static readonly TimeSpan SleepMin = TimeSpan.FromSeconds(1);

    /// <summary>The longest sleep, because timers accept no longer time.</summary>
    private static readonly TimeSpan s_sleepMax = TimeSpan.FromDays(40);

    /// <summary>The sleep after a failure, such as a full disk.</summary>
    private static readonly TimeSpan s_retryPause = TimeSpan.FromSeconds(10);

    private static readonly ScheduleKind[] s_kinds = [ScheduleKind.Expire, ScheduleKind.Refresh, ScheduleKind.Archive, ScheduleKind.ExpireValue];

    private readonly Dictionary<ScheduleKind, ScheduleRun> _runs = s_kinds.ToDictionary(kind => kind, _ => new ScheduleRun());
    private volatile TaskCompletionSource _wake = NewWake();
    private long _sleepsUntil = long.MaxValue; // UTC ticks; earlier times wake it
    private long _doneUntil = long.MinValue; // UTC ticks; all work that was scheduled up to then is done
    private TaskCompletionSource _done = NewWake(); // completed and replaced when the ticks above change
    private Task _work = Task.CompletedTask;
    private bool _hasCaughtUp;

    public override string Name => "expiration";

    public override ValueTask OpenAsync(CancellationToken stop)
    {
        database.Schedule.Added += NoteAdded;
        database.Settings.RecordChanged += Wake;
        if (time is ISettableClock clock)
        {
            clock.WasSet += Wake;
        }

        _work = Task.Run(() => WorkAsync(stop), CancellationToken.None);
        return ValueTask.CompletedTask;
    }

    public override async ValueTask CloseAsync()
    {
        database.Schedule.Added -= NoteAdded;
        database.Settings.RecordChanged -= Wake;
        if (time is ISettableClock clock)
        {
            clock.WasSet -= Wake;
        }

        await _work.ConfigureAwait(false);
        NoteDone(DateTime.MaxValue.Ticks); // nothing is scheduled here any more
    }

    /// <summary>Waits until all work that was scheduled up to a moment is done, or the database is closed. An item that cannot be written at present delays
    /// it.</summary>
    public async Task WaitUntilDoneAsync(DateTimeOffset moment, CancellationToken cancellationToken)
    {
        for (Task next = Volatile.Read(ref _done).Task; Volatile.Read(ref _doneUntil) < moment.UtcTicks; next = Volatile.Read(ref _done).Task)
        {
            await next.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private static TaskCompletionSource NewWake() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private void Wake() => _wake.TrySetResult();

    private void NoteDone(long ticks)
    {
        Volatile.Write(ref _doneUntil, ticks);
        Interlocked.Exchange(ref _done, NewWake()).SetResult();
    }

    private void NoteAdded(long ticks)
    {
        if (ticks < Volatile.Read(ref _sleepsUntil))
        {
            Wake();
        }
    }

    private async Task WorkAsync(CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            TimeSpan pause;
            try
            {
                _wake = NewWake();
                Volatile.Write(ref _sleepsUntil, long.MaxValue); // times that are added from here on are not in the snapshot, so they wake it
                pause = await CatchUpAsync(stop).ConfigureAwait(false) ? await StepAsync(stop).ConfigureAwait(false) : s_retryPause;
            }
            catch (Exception failure) when (failure is OperationCanceledException or ObjectDisposedException or StoragePoisonedException)
            {
                return; // The database is being closed, or stopped: it is opened again with another worker.
            }
            catch (Exception failure)
            {
                logger.LogWarning(failure, "Scheduled work of database {Database} failed and will be retried", database.Name);
                pause = s_retryPause;
            }

            if (pause != TimeSpan.Zero)
            {
                await _wake.Task.WaitAsync(pause, time, stop).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
        }
    }

    private async Task<bool> CatchUpAsync(CancellationToken stop)
    {
        if (!_hasCaughtUp)
        {
            using (DocumentReadScope read = database.BeginRead(ReaderKind.Other))
            {
                _hasCaughtUp = ScheduleCatchUp.IsDone(read);
            }

            _hasCaughtUp = _hasCaughtUp || await ScheduleCatchUp.RunAsync(database, stop).ConfigureAwait(false);
        }

        return _hasCaughtUp;
    }

    /// <summary>One batch of each kind.</summary>
    /// <returns>How long to sleep; zero when there is more to do.</returns>
    private async Task<TimeSpan> StepAsync(CancellationToken stop)
    {
        Dictionary<ScheduleKind, ScheduleSettings> settings = ScheduleFeature.ReadAll(database.Settings.Record);
        settings[ScheduleKind.ExpireValue] = ScheduleSettings.OfValues;
        long now = time.GetUtcNow().UtcTicks; // one moment for all kinds, so that a document that expires is not refreshed first
        TimeSpan pause = Timeout.InfiniteTimeSpan;
        bool isMore = false;
        foreach (ScheduleKind kind in s_kinds)
        {
            if (settings.TryGetValue(kind, out ScheduleSettings? ofKind))
            {
                isMore |= await DoAsync(kind, ofKind, now, stop).ConfigureAwait(false);
                pause = Shorter(pause, PauseOf(kind, ofKind, now));
            }
        }

        if (isMore)
        {
            return TimeSpan.Zero;
        }

        if (_runs.Values.All(run => run.PausedFor(time) <= TimeSpan.Zero))
        {
            NoteDone(now);
        }

        if (pause != Timeout.InfiniteTimeSpan)
        {
            Volatile.Write(ref _sleepsUntil, SaturatingAdd(now, pause));
        }

        return pause;
    }

    // Does scheduled work, at most one batch. Returns true when there may be more.
    private async Task<bool> DoAsync(ScheduleKind kind, ScheduleSettings settings, long now, CancellationToken stop)
    {
        ScheduleRun run = _runs[kind];
        ScheduledItem[] items = Read(kind, now, run, (int)Math.Min(run.BatchMax, run.Left(settings, time.GetTimestamp(), time)));
        if (items.Length == 0)
        {
            return false;
        }

        (int written, string? failure, bool isOfItems) = await TryWriteAsync(items, stop).ConfigureAwait(false);
        if (failure is null)
        {
            run.Count(written);
            return true;
        }

        if (isOfItems && items.Length > 1)
        {
            run.NarrowBatch(items.Length);
            return true;
        }

        logger.LogWarning("Scheduled work of database {Database} failed ({Kind} of '{Key}') and will be retried: {Failure}",
            database.Name, kind, Encoding.UTF8.GetString(items[0].Key), failure);
        if (isOfItems && run.TryStepOver(items[0], time))
        {
            return true;
        }

        run.PauseUntil(s_retryPause, time.GetTimestamp());
        return false;
    }

    /// <summary>Writes items.</summary>
    /// <returns>The number of written items; or why none was written, and whether other items could be.</returns>
    private async Task<(int Written, string? Failure, bool IsOfItems)> TryWriteAsync(ScheduledItem[] items, CancellationToken stop)
    {
        try
        {
            DocumentCommand[] commands = MakeCommands(items);
            WriteOutcome outcome = await database.WriteAsync(new WriteBatch { Commands = commands }, stop).ConfigureAwait(false);
            return outcome.Status == WriteStatus.Applied
                ? (commands.Length, null, false)
                : (0, outcome.Status.ToString(), outcome.Status is WriteStatus.TooLarge or WriteStatus.Refused);
        }
        catch (CorruptionException damage)
        {
            return (0, damage.Message, true);
        }
    }

    private ScheduledItem[] Read(ScheduleKind kind, long now, ScheduleRun run, int itemsMax)
    {
        if (itemsMax == 0)
        {
            return [];
        }

        using DocumentReadScope read = database.BeginRead(ReaderKind.Other);
        long due = Math.Min(now, time.GetUtcNow().UtcTicks); // the clock may have been set back before an item of this snapshot was written
        List<ScheduledItem> items = ScheduleTree.ReadScheduled(read.Transaction.Trees, kind, due, itemsMax + run.SteppedOver(time));
        return [.. items.Where(item => !run.IsSteppedOver(item)).Take(itemsMax)];
    }

    private DocumentCommand[] MakeCommands(ScheduledItem[] items)
    {
        using DocumentReadScope read = database.BeginRead(ReaderKind.Other);
        return ScheduledBatch.Make(read, items);
    }

    private TimeSpan PauseOf(ScheduleKind kind, ScheduleSettings settings, long now)
    {
        if (FindNext(kind) is not { } next)
        {
            return Timeout.InfiniteTimeSpan;
        }

        TimeSpan paused = _runs[kind].PausedFor(time);
        long ticks = Math.Clamp(next - now, SleepMin.Ticks, Math.Max(SleepMin.Ticks, settings.Interval.Ticks));
        return paused > TimeSpan.Zero ? paused : TimeSpan.FromTicks(Math.Min(ticks, s_sleepMax.Ticks));
    }

    private long? FindNext(ScheduleKind kind)
    {
        using DocumentReadScope read = database.BeginRead(ReaderKind.Other);
        return ScheduleTree.FindNext(read.Transaction.Trees, kind);
    }

    private static TimeSpan Shorter(TimeSpan one, TimeSpan other) =>
        one == Timeout.InfiniteTimeSpan ? other : other == Timeout.InfiniteTimeSpan || one < other ? one : other;

    private static long SaturatingAdd(long ticks, TimeSpan span) => ticks > long.MaxValue - span.Ticks ? long.MaxValue : ticks + span.Ticks;
}
