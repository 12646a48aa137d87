using System.Diagnostics;
using System.Runtime.ExceptionServices;
using Jackdaw.Search.Lucene.Files;
using Jackdaw.Storage.Transactions;
using Lucene.Net.Index;
using Lucene.Net.Store;

namespace Jackdaw.Search.Lucene.Merging;

/// <summary>One merge that runs slice by slice, each in a transaction of its own.</summary>
/// <remarks>
/// <code>
/// index's thread   Run(tx 1)--serves--+   batches   Run(tx 2)--serves--+   ...   Run(tx n)--serves--+ ended
/// merge's thread   ....merges.........pauses...................merges....pauses....................merges, ends
/// </code>
/// 1. During a slice, the index's thread waits, and makes the changes to the storage that the merge asks for, because a transaction belongs to its thread.
/// Exactly one of the two threads runs.
/// 2. The merge pauses only while segments are written, between two chunks. At these places Lucene's merge holds no lock that a batch or a commit takes.
/// 3. Batches run normally between two slices. Lucene carries over the deletions that they make in merged segments when the merge ends.
/// The merge needs a thread because Lucene's merge is one call that returns when everything is done. The thread lives as long as the merge.
/// </remarks>
internal sealed class SlicedMerge(IndexWriter writer, MergePolicy.OneMerge merge) : FileWork
{
    /// <summary>The file that Lucene writes when the segment is complete; from then on it holds its locks.</summary>
    private const string LastFileExtension = ".si";

    private readonly SemaphoreSlim _go = new(0);
    private readonly SemaphoreSlim _back = new(0);
    private Thread? _thread;
    private WriteTransaction _transaction = null!; // of the slice, like the next three fields
    private long _bytesLeft;
    private long _end;
    private Func<bool> _mustEnd = null!;
    private PageLease _lease;
    private bool _isWritingSegment;
    private bool _isAborted;
    private Action? _change; // the change that the index's thread makes
    private Exception? _failure;

    /// <summary>The number of bytes that the merge was expected to write.</summary>
    public long Bytes => merge.EstimatedMergeBytes;

    /// <summary>Whether the merged segment has taken the place of its parts, or never will.</summary>
    public bool IsEnded { get; private set; }

    /// <summary>Merges for some time, in a transaction of the calling thread, which waits.</summary>
    /// <param name="bytesMax">The number of bytes after which the merge pauses.</param>
    /// <param name="timeMax">The time after which it pauses, at the next chunk that it reads or writes.</param>
    /// <param name="mustEnd">Tells at each chunk whether it must pause earlier.</param>
    public void Run(WriteTransaction transaction, long bytesMax, TimeSpan timeMax, Func<bool> mustEnd)
    {
        Debug.Assert(!IsEnded);
        _transaction = transaction;
        _mustEnd = mustEnd;
        _bytesLeft = bytesMax;
        _end = Stopwatch.GetTimestamp() + (long)(timeMax.TotalSeconds * Stopwatch.Frequency);
        if (_thread is null)
        {
            _thread = new Thread(Merge) { IsBackground = true, Name = "index merge" };
            _thread.Start();
        }
        else
        {
            _go.Release();
        }

        Serve();
        if (!IsEnded)
        {
            return;
        }

        _thread.Join();
        if (_failure is not null)
        {
            ExceptionDispatchInfo.Throw(_failure);
        }
    }

    /// <summary>Cancels the merge. The files that it has written are deleted in the transaction.</summary>
    public void Abort(WriteTransaction transaction)
    {
        _isAborted = true;
        try
        {
            Run(transaction, long.MaxValue, TimeSpan.Zero, () => true);
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            // The merge has ended, for whichever reason.
        }
    }

    public override void NoteOutput(string name, IOContext context) => _isWritingSegment =
        context.Context == IOContext.UsageContext.MERGE && !name.EndsWith(LastFileExtension, StringComparison.Ordinal);

    public override void Write(int bytes, Action change)
    {
        _change = change;
        SwitchToIndex();
        _bytesLeft -= bytes;
        if (Interlocked.Exchange(ref _failure, null) is { } failure)
        {
            ExceptionDispatchInfo.Throw(failure);
        }
    }

    public override void MayPause()
    {
        bool isSliceOver = _bytesLeft <= 0 || Stopwatch.GetTimestamp() >= _end || _mustEnd();
        if (!_isWritingSegment || !isSliceOver || Monitor.IsEntered(writer))
        {
            return;
        }

        _lease.Dispose();
        try
        {
            SwitchToIndex();
        }
        finally
        {
            _lease = PageLease.Begin(_transaction);
        }

        if (_isAborted)
        {
            _isWritingSegment = false;
            throw new MergePolicy.MergeAbortedException("The merge was cancelled.");
        }
    }

    private void SwitchToIndex()
    {
        _back.Release();
        _go.Wait();
    }

    // The index's thread stays here until the merge pauses or ends.
    private void Serve()
    {
        _back.Wait();
        while (_change is { } change)
        {
            _change = null;
            try
            {
                change();
            }
            catch (Exception exception)
            {
                _failure = exception; // thrown on the thread that asked for the change
            }

            _go.Release();
            _back.Wait();
        }
    }

    private void Merge()
    {
        Current = this;
        _lease = PageLease.Begin(_transaction);
        try
        {
            writer.Merge(merge);
        }
        catch (Exception exception)
        {
            _failure = exception;
        }
        finally
        {
            _lease.Dispose();
            Current = null;
            IsEnded = true;
            _back.Release();
        }
    }
}
