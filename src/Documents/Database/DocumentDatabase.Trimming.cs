using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Tombstones;
using Jackdaw.Storage;

namespace Jackdaw.Documents.Database;

/// <summary>Removes tombstones in the background when every holder has passed them.</summary>
public sealed partial class DocumentDatabase
{
    private readonly TombstoneTrimmer _trimmer;

    /// <summary>The holders that need tombstones, and the etag up to which these are removed.</summary>
    public TombstoneHolders TombstoneHolders { get; }

    /// <summary>Raised when tombstones could not be trimmed, which is tried again. The handler must be short.</summary>
    public event Action<DocumentDatabase, Exception>? TrimmingFailed;

    /// <summary>Removes as many tombstones as one command may; returns true when there may be more.</summary>
    internal async ValueTask<bool> TrimAsync(CancellationToken stop)
    {
        try
        {
            Etag upTo = FindTrimmable(out bool isMore);
            if (upTo == Etag.None || !TombstoneHolders.TryGiveUp(upTo))
            {
                return false;
            }

            var batch = new WriteBatch { Commands = new DocumentCommand[] { new TrimTombstonesCommand(upTo) } };
            WriteOutcome outcome = await WriteAsync(batch, stop).ConfigureAwait(false);
            return isMore && outcome.Status == WriteStatus.Applied;
        }
        catch (Exception e) when (e is not (ObjectDisposedException or StoragePoisonedException or OperationCanceledException))
        {
            TrimmingFailed?.Invoke(this, e);
            return false;
        }
    }

    /// <summary>The etag of the last tombstone that the next command removes; None when there is nothing to do.</summary>
    /// <param name="isMore">Whether the command is full.</param>
    private Etag FindTrimmable(out bool isMore)
    {
        isMore = false;
        using DocumentReadScope read = BeginRead();
        if (read.Counts.Tombstones == 0)
        {
            return Etag.None;
        }

        Etag? passed = TombstoneHolders.FindPassed();
        long now = _time.GetUtcNow().UtcTicks;
        Etag last = Etag.None;
        TombstoneCursor tombstones = read.OpenTombstones(default, Etag.None);
        for (int i = 0; i < TrimTombstonesCommand.TombstonesMax; i++)
        {
            if (!tombstones.MoveNext() || !IsTrimmable(tombstones, passed, now))
            {
                return last;
            }

            last = tombstones.CurrentEtag;
        }

        isMore = true;
        return last;
    }

    /// <summary>Without holders, the age of a tombstone decides. A tombstone with a future time was written before the clock was set back; without a special
    /// rule it would stay until the clock reaches that time.</summary>
    private static bool IsTrimmable(TombstoneCursor tombstones, Etag? passed, long now) => passed is { } etag
        ? tombstones.CurrentEtag.Value <= etag.Value
        : Math.Abs(now - tombstones.Current.LastModifiedTicks) >= TombstoneTrimmer.KeptWithoutHolder.Ticks;
}
