using Jackdaw.Pal;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Storage.Compaction;

/// <summary>Rewrites a closed storage without its free space, tree by tree and table by table. One thread.</summary>
/// <remarks>
/// 1. The storage is opened, and stays open until the new one replaces it: its lock keeps other processes out.
/// 2. Its contents are copied to a new storage in a folder inside its own, which is closed cleanly and cut to its size.
/// 3. The new one is opened again, verified, read in full and compared with the old one.
/// 4. One rename decides (<see cref="CompactionSwap"/>); the open that follows installs the new storage.
/// The new storage has an id, a salt and transaction ids of its own, so that entries of the old one, in any copies of its
/// journals, can never be taken for entries of the new one.
/// </remarks>
public static class StorageCompaction
{
    /// <summary>Compacts.</summary>
    /// <param name="platform">The platform of the storage.</param>
    /// <param name="path">Folder of the storage.</param>
    /// <param name="schemas">Schemas of its tables.</param>
    /// <param name="options">The options for opening it; null for the usual ones. Background work is always off.</param>
    /// <param name="progress">Called from time to time with the number of copied entries and their total; may be null.</param>
    /// <param name="check">Called with the opened storage before anything is written; an exception from it ends the compaction. May be null.</param>
    /// <exception cref="PalException"><see cref="PalStatus.Locked"/> when another process has it open: nothing changed.</exception>
    /// <exception cref="CorruptionException">The storage is damaged, or the copy is not equal: nothing changed.</exception>
    /// <exception cref="NotSupportedException">It has trees that this version does not know: nothing changed.</exception>
    /// <exception cref="DiskFullException">The disk has no space for both: nothing changed.</exception>
    /// <exception cref="IOException">Any other failed call: the storage is as it was, or compacted.</exception>
    public static CompactionResult Run(
        IPlatform platform, string path, IReadOnlyCollection<TableSchema> schemas, StorageOptions? options = null,
        Action<long, long>? progress = null, Action<StorageEnvironment>? check = null)
    {
        StorageOptions own = (options ?? new StorageOptions()) with { BackgroundFlush = false };
        if (!StorageEnvironment.Exists(platform, path))
        {
            throw new ArgumentException($"There is no storage in '{path}'.", nameof(path));
        }

        CompactionResult result = CopyAndDecide(platform, path, schemas, own, progress, check);
        Install(platform, path, own);
        return result;
    }

    /// <summary>Opens and closes the storage: any opening installs the new one. The compaction is already decided, so a failure here changes nothing.</summary>
    private static void Install(IPlatform platform, string path, StorageOptions options)
    {
        try
        {
            StorageEnvironment.Open(platform, path, options).Dispose();
        }
        catch (PalException e) when (e.Status == PalStatus.Locked)
        {
            // Another process waited for the folder, such as a server that is restarted again and again: its opening
            // installs the new storage.
        }
        catch (IOException e)
        {
            throw new IOException($"The compacted copy is complete and replaces '{path}', but its installation could not be finished; " +
                $"the next opening continues it: {e.Message}", e);
        }
    }

    private static CompactionResult CopyAndDecide(
        IPlatform platform, string path, IReadOnlyCollection<TableSchema> schemas, StorageOptions options,
        Action<long, long>? progress, Action<StorageEnvironment>? check)
    {
        StorageEnvironment old = StorageEnvironment.Open(platform, path, options);
        try
        {
            check?.Invoke(old);
            string work = path + "/" + CompactionSwap.WorkFolder;
            (ulong sum, long entries) = Copy(platform, old, work, schemas, options, progress);
            long bytesAfter = Prove(platform, work, schemas, options, sum, entries);
            CompactionSwap.Decide(platform, path);
            return new CompactionResult(old.FileBytes, bytesAfter, entries);
        }
        catch
        {
            TryDropWork(platform, path);
            throw;
        }
        finally
        {
            // The new storage has replaced its files, or nothing was written: there is nothing to flush.
            old.Abandon();
        }
    }

    private static (ulong Sum, long Entries) Copy(
        IPlatform platform, StorageEnvironment old, string work, IReadOnlyCollection<TableSchema> schemas, StorageOptions options,
        Action<long, long>? progress)
    {
        using ReadTransaction read = old.BeginRead();
        long total = ContentsWalk.CountEntries(read, schemas);
        StorageEnvironment target = StorageEnvironment.Open(platform, work, options);
        try
        {
            using var copy = new ContentsCopy(target, done => progress?.Invoke(done, total));
            ContentsWalk.Run(read, schemas, copy);
            copy.Complete();
        }
        finally
        {
            target.Dispose();
        }

        if (target.Failure is { } failure)
        {
            throw new StoragePoisonedException(work, failure);
        }

        CutToSize(platform, work, target.Current.NextPage);
        return ContentsDigest.Compute(read, schemas);
    }

    /// <summary>Cuts off the space that the data file allocated ahead.</summary>
    private static void CutToSize(IPlatform platform, string work, PageNumber next)
    {
        using PalFile data = platform.OpenFile(work + "/" + DataFile.FileName, FileOpening.Existing, FileUse.Data);
        if (data.GetLength() > next.Offset)
        {
            data.SetLength(next.Offset);
            data.Sync(SyncKind.Full);
        }
    }

    /// <summary>Proves that the copy is sound and equal; returns its bytes.</summary>
    private static long Prove(
        IPlatform platform, string work, IReadOnlyCollection<TableSchema> schemas, StorageOptions options, ulong sum, long entries)
    {
        StorageEnvironment compacted = StorageEnvironment.Open(platform, work, options);
        long bytes = compacted.FileBytes;
        try
        {
            if (EnvironmentVerifier.Verify(compacted, schemas) is [VerificationProblem first, ..])
            {
                throw new CorruptionException($"The compacted copy in '{work}' is damaged and was discarded: page {first.Page}: {first.Reason}");
            }

            using ReadTransaction read = compacted.BeginRead();
            if (ContentsDigest.Compute(read, schemas) != (sum, entries))
            {
                throw new CorruptionException($"The compacted copy in '{work}' does not have the contents of the storage and was discarded.");
            }
        }
        finally
        {
            compacted.Abandon();
        }

        bool isClosed = StorageEnvironment.WasClosedInOrder(platform, work)
            && platform.ListDirectory(work + "/" + Journal.JournalFormat.FolderName).Count == 0;
        if (!isClosed)
        {
            // A failed call at the end of its closing loses nothing, but only data and headers are installed.
            throw new IOException($"The compacted copy in '{work}' could not be closed cleanly and was discarded; try again.");
        }

        return bytes;
    }

    private static void TryDropWork(IPlatform platform, string path)
    {
        try
        {
            CompactionSwap.DropWork(platform, path);
        }
        catch (PalException)
        {
            // The first failure is reported; the next open deletes the folder.
        }
    }
}
