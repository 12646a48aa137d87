using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Tombstones;

namespace Jackdaw.Server.Notices;

/// <summary>Notices of what is written.</summary>
internal sealed partial class DatabaseNotices
{
    /// <summary>The most bytes of a batch: its array stays out of the heap of large objects.</summary>
    private const int BatchBytesMax = 64 * 1024;

    /// <summary>The most changes that are read from the storage in one snapshot.</summary>
    private const int ReadChangesMax = 1000;

    /// <summary>The time between batches for each reader. Handing out a frame takes some 30 microseconds of a processor, so that up to a hundred readers take a
    /// sixteenth of it. A change after a quiet time is reported at once.</summary>
    private static readonly TimeSpan s_pausePerReader = TimeSpan.FromMicroseconds(500);

    private static readonly TimeSpan s_pauseMax = TimeSpan.FromMilliseconds(50);

    /// <summary>How long the feed is followed after the last reader has gone. Clients connect again after seconds, and a new consumer of a feed would find a
    /// gap in it.</summary>
    private static readonly TimeSpan s_followedWithoutReaders = TimeSpan.FromMinutes(1);

    private bool _isClosing; // under _lock, as the next two
    private bool _isFollowing;
    private long _unreadSince;

    private async Task FollowAsync(ChangeSubscription changes)
    {
        using NoticeBatchBuilder builder = new(_database.Replica, _database.Extensions);
        Etag told = changes.Start;
        try
        {
            while (!IsUnread())
            {
                FeedItem item = await changes.ReadAsync().ConfigureAwait(false);
                long began = _time.GetTimestamp();
                bool isRead = true;
                while (isRead && item.Kind == FeedItemKind.Changes)
                {
                    told = Add(builder, item);
                    isRead = builder.Size < BatchBytesMax && changes.TryRead(out item);
                }

                if (!builder.IsEmpty)
                {
                    Publish(builder, told);
                }

                if (isRead && item.Kind == FeedItemKind.End)
                {
                    EndAll(new NoticeEnd(NoticeEndKind.Away, Describe(item.Reason)), mayComeAgain: false);
                    return;
                }

                if (isRead && item.Kind == FeedItemKind.Gap)
                {
                    await FillGapAsync(builder, item.After, told = item.Last).ConfigureAwait(false);
                }

                await PaceAsync(began).ConfigureAwait(false);
            }
        }
        catch (Exception failure)
        {
            _logger.LogError(failure, "The change notices of database {Database} ended", _database.Name);
            EndAll(new NoticeEnd(NoticeEndKind.Away, "The notices of the database ended after a failure; connect again."), mayComeAgain: true);
        }
        finally
        {
            changes.Dispose();
        }
    }

    // Stops following the feed, under the lock under which readers come.
    private bool IsUnread()
    {
        lock (_lock)
        {
            bool isUnread = _readers.Length == 0 && _time.GetElapsedTime(_unreadSince) > s_followedWithoutReaders;
            _isFollowing = !isUnread;
            return isUnread;
        }
    }

    private string Describe(FeedEndReason reason) => reason switch
    {
        FeedEndReason.DatabaseDeleted => $"Database '{_database.Name}' was deleted.",
        FeedEndReason.StorageFailed => $"Database '{_database.Name}' is opened again after a failure.",
        _ => $"Database '{_database.Name}' was closed.",
    };

    private Etag Add(NoticeBatchBuilder builder, in FeedItem item)
    {
        (bool documents, bool extensions, bool caches) = FindWanted();
        if (documents || extensions || caches)
        {
            foreach (Change change in item)
            {
                if (caches || (change.IsOfExtension ? extensions : documents))
                {
                    builder.Add(change);
                }
            }
        }

        return item.Last;
    }

    private (bool Documents, bool Extensions, bool Caches) FindWanted()
    {
        (bool Documents, bool Extensions, bool Caches) all = default;
        foreach (NoticeReader reader in Volatile.Read(ref _readers))
        {
            (bool documents, bool extensions, bool caches) = reader.Wants;
            all = (all.Documents || documents, all.Extensions || extensions, all.Caches || caches);
        }

        return all;
    }

    /// <summary>Reports the changes of documents that the feed has lost, by reading them from the storage. Changes of extensions cannot be found
    /// there.</summary>
    private async Task FillGapAsync(NoticeBatchBuilder builder, Etag after, Etag last)
    {
        if (FindWanted() == default)
        {
            return; // A client that begins to watch now wants changes that are written from now on.
        }

        var holder = new GapHolder(after);
        try
        {
            bool isWhole = _database.TombstoneHolders.Add(holder).Value <= after.Value;
            builder.AddGap(isWhole ? NoticeKind.ExtensionGap : NoticeKind.ChangeGap, after, last);
            for (Etag read = after; read.Value < last.Value && isWhole;)
            {
                long began = _time.GetTimestamp();
                read = ReadStorage(builder, read, last);
                Publish(builder, read);
                await PaceAsync(began).ConfigureAwait(false);
            }

            if (!isWhole)
            {
                Publish(builder, last);
            }
        }
        catch (ObjectDisposedException)
        {
            // The database is being closed. The end follows, and clients load again when they are connected again.
        }
        finally
        {
            _database.TombstoneHolders.Remove(holder);
        }
    }

    /// <returns>The etag up to which changes are reported.</returns>
    private Etag ReadStorage(NoticeBatchBuilder builder, Etag after, Etag last)
    {
        using DocumentReadScope read = _database.BeginRead();
        ChangeCursor changes = read.OpenEveryChange(after);
        for (int i = 0; i < ReadChangesMax && builder.Size < BatchBytesMax; i++)
        {
            if (!changes.MoveNext() || changes.Etag.Value > last.Value)
            {
                return last;
            }

            builder.Add(changes.Current);
            after = changes.Etag;
        }

        return after;
    }

    /// <summary>Keeps the tombstones of a gap from being trimmed until it is read.</summary>
    private sealed class GapHolder(Etag passed) : ITombstoneHolder
    {
        public string Name => "change notices";

        public Etag PassedEtag => passed;
    }
}
