using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Tombstones;
using Jackdaw.Storage;

namespace Jackdaw.Documents.Database;

/// <summary>Tombstones are removed in the background when every holder has passed them.</summary>
public sealed partial class DocumentDatabase
{
    private readonly TombstoneTrimmer _trimmer;

    /// <summary>Who needs tombstones, and up to which etag they are removed.</summary>
    public TombstoneHolders TombstoneHolders { get; }

    /// <summary>Raised when tombstones could not be trimmed; they are tried again. The handler must be short.</summary>
    public event Action<DocumentDatabase, Exception>? TrimmingFailed;

    /// <summary>One command's worth of trimming; true: there may be more.</summary>
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

    /// <summary>Etag of the last tombstone that the next command removes; None: there is nothing to do.</summary>
    /// <param name="isMore">The command is full.</param>
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

    /// <summary>Without holders, by age. One dated in the future was written before the clock was set back; it would
    /// otherwise stay until the clock gets there.</summary>
    private static bool IsTrimmable(TombstoneCursor tombstones, Etag? passed, long now) => passed is { } etag
        ? tombstones.CurrentEtag.Value <= etag.Value
        : Math.Abs(now - tombstones.Current.LastModifiedTicks) >= TombstoneTrimmer.KeptWithoutHolder.Ticks;
}
