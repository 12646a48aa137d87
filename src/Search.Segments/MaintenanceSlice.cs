using System.Diagnostics;
using Jackdaw.Search.Segments.Merging;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Segments;

/// <summary>Work between batches, in one transaction: a part of a merge, or the freeing of replaced segments. The thread of the index.</summary>
internal sealed class MaintenanceSlice(SegmentSearchIndex index, SliceSizes sizes)
{
    /// <summary>Works for some time.</summary>
    /// <param name="mustEnd">Tells whether somebody waits for the thread.</param>
    /// <param name="isIdle">Whether nobody waits.</param>
    /// <returns>True when there is more to do.</returns>
    public bool Run(Func<bool> mustEnd, bool isIdle)
    {
        bool merges = index.Merges.IsRunning || MergePolicy.TryChoose(index.State.Records, isIdle, out _, out _);
        bool frees = index.Replaced.TryFindFree(index.Storage.FindOldestRead(), out long free);
        if (!merges && !frees)
        {
            return false;
        }

        using WriteTransaction transaction = index.Storage.BeginWrite();
        if (merges)
        {
            Merge(transaction, mustEnd, isIdle);
            return true;
        }

        bool isFreed = SegmentTrees.Free(transaction.Trees, free, sizes.FreedBytesMax);
        transaction.Commit();
        if (isFreed)
        {
            index.Replaced.Remove(free);
        }

        return true;
    }

    private void Merge(WriteTransaction transaction, Func<bool> mustEnd, bool isIdle)
    {
        List<SegmentRecord> records = SegmentList.Read(transaction.Trees, out long nextId);
        try
        {
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
        catch
        {
            if (index.Merges.RunningId is var unfinished and not 0)
            {
                index.Replaced.AddUnfinished(unfinished);
            }

            index.Merges.Abort();
            throw;
        }
    }

    private void Run(WriteTransaction transaction, List<SegmentRecord> records, long nextId, Func<bool> mustEnd)
    {
        long began = Stopwatch.GetTimestamp();
        SegmentMerge? ended = index.Merges.Run(
            () => transaction.ScratchBytes >= sizes.SliceBytesMax || Stopwatch.GetElapsedTime(began) >= sizes.SliceTimeMax || mustEnd());
        if (ended is null)
        {
            transaction.Commit();
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

        ended.Dispose();
    }

    /// <summary>Puts a merged segment in the place of those that it was made of.</summary>
    internal static void Replace(WriteTransaction transaction, List<SegmentRecord> records, long nextId, SegmentMerge merge)
    {
        int first = records.FindIndex(record => record.Id == merge.Sources[0]);
        records.RemoveRange(first, merge.Sources.Count);
        if (merge.Entries > 0)
        {
            records.Insert(first, merge.Record);
            SegmentTrees.RemoveToFree(transaction.Trees, merge.Id);
        }

        foreach (long id in merge.Sources)
        {
            SegmentTrees.PutToFree(transaction.Trees, id);
        }

        SegmentList.Write(transaction.Trees, records, nextId);
    }
}
