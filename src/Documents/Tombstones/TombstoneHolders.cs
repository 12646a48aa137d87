using System.Diagnostics;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Tombstones;

/// <summary>Who holds tombstones of one database, and up to which etag they are given up. Any thread.</summary>
/// <param name="trimmed">Tombstones up to this etag may be gone already.</param>
public sealed class TombstoneHolders(Etag trimmed)
{
    private readonly Lock _lock = new(); // guards everything below
    private readonly List<ITombstoneHolder> _holders = [];
    private Etag _trimmed = trimmed;

    /// <summary>The holder that keeps most; null when there is none. Shows why tombstones are kept.</summary>
    public ITombstoneHolder? Slowest
    {
        get
        {
            lock (_lock)
            {
                return _holders.MinBy(holder => holder.PassedEtag);
            }
        }
    }

    /// <summary>From now on tombstones are kept until the holder has passed them.</summary>
    /// <param name="holder">Asked for its etag repeatedly, until it is removed.</param>
    /// <returns>Tombstones up to this etag may be gone. A holder that has not passed it starts from the beginning: a
    /// deletion that it has not read may have left no trace.</returns>
    public Etag Add(ITombstoneHolder holder)
    {
        lock (_lock)
        {
            Debug.Assert(!_holders.Contains(holder));
            _holders.Add(holder);
            return _trimmed;
        }
    }

    /// <summary>Removes a holder, which then needs no tombstones any more.</summary>
    public void Remove(ITombstoneHolder holder)
    {
        lock (_lock)
        {
            _holders.Remove(holder);
        }
    }

    /// <summary>The etag that every holder has passed; null when there is no holder.</summary>
    public Etag? FindPassed()
    {
        lock (_lock)
        {
            return _holders.Count == 0 ? null : _holders.Min(holder => holder.PassedEtag);
        }
    }

    /// <summary>Marks tombstones up to an etag as given up, before they are trimmed: holders that register later are
    /// told.</summary>
    /// <returns>False, and nothing changed: a holder that needs some of them registered meanwhile.</returns>
    internal bool TryGiveUp(Etag upTo)
    {
        lock (_lock)
        {
            if (_holders.Exists(holder => holder.PassedEtag.Value < upTo.Value))
            {
                return false;
            }

            _trimmed = new Etag(Math.Max(_trimmed.Value, upTo.Value));
            return true;
        }
    }
}
