using System.Diagnostics;
using Jackdaw.Search.Segments.Merging;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Storage;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Segments;

/// <summary>Work between batches, in one transaction: the freeing of replaced segments, or a part of a merge. The thread of the index.</summary>
internal sealed class MaintenanceSlice(SegmentSearchIndex index, SliceSizes sizes)
{
    /// <summary>Whether there is something to do when nobody waits.</summary>
    public bool HasMore => !index.Merges.IsPaused && MergePolicy.TryChoose(index.State.Records, isIdle: true, out _, out _);

    /// <summary>Works for some time. When the disk is full, a running merge is given up, and nothing is done for a while.</summary>
    /// <param name="mustEnd">Tells whether somebody waits for the thread.</param>
    /// <param name="isIdle">Whether nobody waits.</param>
    /// <returns>True when there is more to do.</returns>
    public bool Run(Func<bool> mustEnd, bool isIdle)
    {
        if (index.Merges.IsPaused)
        {
            return false;
        }

        try
        {
            return TryFree() || TryMerge(mustEnd, isIdle);
        }
        catch (Exception e) when (e is DiskFullException or ResourceShortageException)
        {
            // Searches and batches need no merge, and a batch that needs the disk says so itself.
            index.Merges.Pause();
            return false;
        }
    }

    // First, so that merges use the space.
    private bool TryFree()
    {
        long oldest = index.Storage.FindOldestRead();
        if (!index.Replaced.HasFree(oldest))
        {
            return false;
        }

        using WriteTransaction transaction = index.Storage.BeginWrite();
        List<long> freed = [];
        long left = sizes.FreedBytesMax;
        foreach (long id in index.Replaced.FindFree(oldest))
        {
            if (left <= 0 || !SegmentTrees.Free(transaction.Trees, id, ref left))
            {
                break;
            }

            freed.Add(id);
        }

        transaction.Commit();
        freed.ForEach(index.Replaced.Remove);
        return true;
    }

    private bool TryMerge(Func<bool> mustEnd, bool isIdle)
    {
        if (!index.Merges.IsRunning && !MergePolicy.TryChoose(index.State.Records, isIdle, out _, out _))
        {
            return false;
        }

        using WriteTransaction transaction = index.Storage.BeginWrite();
        try
        {
            Merge(transaction, mustEnd, isIdle);
        }
        catch
        {
            GiveUp();
            throw;
        }

        return true;
    }

    // The id of a merge without a committed transaction is given out again.
    private void GiveUp()
    {
        (long unfinished, bool isCommitted) = (index.Merges.RunningId, index.Merges.IsCommitted);
        index.Merges.Abort();
        if (isCommitted)
        {
            index.Replaced.AddUnfinished(unfinished);
        }
    }

    private void Merge(WriteTransaction transaction, Func<bool> mustEnd, bool isIdle)
    {
        List<SegmentRecord> records = SegmentList.Read(transaction.Trees, out long nextId);
        if (index.Merges.IsRunning)
        {
            index.Merges.Open(transaction, index.State);
        }
        else if (MergePolicy.TryChoose(records, isIdle, out int first, out int count))
        {
            index.Merges.Begin(transaction, index.State, first, count, nextId++);

            // What it writes has no name until it ends.
            SegmentTrees.PutToFree(transaction.Trees, index.Merges.RunningId);
            SegmentList.Write(transaction.Trees, records, nextId);
        }

        Run(transaction, records, nextId, mustEnd);
    }

    private void Run(WriteTransaction transaction, List<SegmentRecord> records, long nextId, Func<bool> mustEnd)
    {
        long began = Stopwatch.GetTimestamp();
        SegmentMerge? ended = index.Merges.Run(
            () => transaction.ScratchBytes >= sizes.SliceBytesMax || Stopwatch.GetElapsedTime(began) >= sizes.SliceTimeMax || mustEnd());
        if (ended is null)
        {
            transaction.Commit();
            index.Merges.OnCommitted();
            return;
        }

        SegmentState before = index.State;
        Replace(transaction, records, nextId, ended);
        SegmentState after = SegmentState.Read(index, transaction.Trees, before, before.Fields);
        transaction.ClientState = after;
        transaction.Commit();
        index.State = after;
        foreach (long id in ended.Sources)
        {
            index.Replaced.Add(before.Segments[before.IndexOf(id)], transaction.TransactionId);
        }

        index.Merges.End();
    }

    /// <summary>Puts a merged segment in the place of those that it was made of.</summary>
    internal static void Replace(WriteTransaction transaction, List<SegmentRecord> records, long nextId, SegmentMerge merge)
    {
        int first = records.FindIndex(record => record.Id == merge.Sources[0]);
        records.RemoveRange(first, merge.Sources.Count);
        SegmentTrees.RemoveToFree(transaction.Trees, merge.Id);
        if (merge.Entries > 0)
        {
            records.Insert(first, merge.Record);
        }

        foreach (long id in merge.Sources)
        {
            SegmentTrees.PutToFree(transaction.Trees, id);
        }

        SegmentList.Write(transaction.Trees, records, nextId);
    }
}
