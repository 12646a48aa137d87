using System.Diagnostics;
using System.Runtime.ExceptionServices;
using Jackdaw.Pal;

namespace Jackdaw.Storage.Paging;

/// <summary>Direct runs: overflow runs that the writer writes itself, before its transaction is ordered (decision 0079). Writer thread.</summary>
/// <remarks>They go through another opening of the file. The kernel reports a failed write-back once for each of them, so that the flusher still
/// hears of its own pages.</remarks>
public sealed unsafe partial class DataFile
{
    private PalFile? _direct;
    private volatile PalException? _directFailure; // the storage is about to stop: nothing may count as synced any more

    /// <summary>Opens the file once more, under its current name. Null: this storage has no direct runs.</summary>
    internal Func<PalFile>? OpenAgain { get; init; }

    /// <summary>Gives a run the checksum that it has in the file.</summary>
    internal void Seal(Page run) => run.Header.Checksum = PageChecksum.Compute(run.Address, run.Number, run.PageCount, _salt);

    /// <summary>Writes sealed runs to pages that nobody reads; sorted by position.</summary>
    /// <exception cref="DiskFullException">The disk has no room: free pages have other contents now.</exception>
    /// <exception cref="ResourceShortageException">There is no file descriptor for it; nothing changed.</exception>
    /// <exception cref="PalException">The write failed: the storage must stop.</exception>
    internal void WriteDirect(ReadOnlySpan<PalPageWrite> writes)
    {
        Debug.Assert(AreWhole(writes), "a run is written that would not verify when it is read");
        PalFile file = _direct ??= OpenForDirect();
        try
        {
            try
            {
                file.WritePages(writes);
            }
            catch (PalException e) when (e.IsDiskFull && MakeRoom())
            {
                file.WritePages(writes);
            }
        }
        catch (PalException e) when (e.IsDiskFull)
        {
            throw new DiskFullException(StoragePath, e);
        }
        catch (PalException e)
        {
            _directFailure = e;
            throw;
        }

        foreach (ref readonly PalPageWrite write in writes)
        {
            _verified.Add(new PageNumber(write.Offset / Page.Size));
        }
    }

    /// <summary>Makes the written runs durable.</summary>
    internal void SyncDirect()
    {
        try
        {
            _direct!.Sync(SyncKind.Data);
        }
        catch (PalException e)
        {
            _directFailure = e;
            throw;
        }
    }

    /// <summary>Why a run that the journal names is not in the file; null when it is, and then it counts as verified.</summary>
    /// <param name="expected">The page header that the run was written with.</param>
    /// <param name="next">First page number that is not in use.</param>
    internal string? FindDirectDamage(in PageHeader expected, PageNumber next)
    {
        PageNumber first = expected.PageNumber;
        Invariant.Check((first + Page.CountPages(expected.OverflowBytes)).Offset <= AllocatedBytes, "a recovered run has no place in the data file");
        PageHeader found = new Page(_base + first.Offset).Header;
        if (!PageHeader.AreSame(found, expected))
        {
            return $"there is page {found.PageNumber} of transaction {found.LastTransactionId}, type {found.Type}, checksum {found.Checksum:x16}, " +
                $"instead of a run of transaction {expected.LastTransactionId} with checksum {expected.Checksum:x16}";
        }

        string? damage = FindDamage(first, next);
        if (damage is null)
        {
            _verified.Add(first);
        }

        return damage;
    }

    private PalFile OpenForDirect()
    {
        PalFile file;
        try
        {
            file = OpenAgain!();
        }
        catch (PalException e) when (e.IsShortage)
        {
            throw new ResourceShortageException(StoragePath, e);
        }

        if (file.Identity == _file.Identity)
        {
            return file;
        }

        file.Dispose();
        throw new CorruptionException($"'{file.Path}' is another file than the one that was opened under this name: the folder was moved or replaced.");
    }

    /// <summary>The writer's failure is the storage's, in the moment before it has stopped, too.</summary>
    private void ThrowIfDirectFailed()
    {
        if (_directFailure is { } failure)
        {
            ExceptionDispatchInfo.Throw(failure);
        }
    }
}
