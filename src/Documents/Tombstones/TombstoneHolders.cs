using System.Diagnostics;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Tombstones;

/// <summary>The holders of tombstones of one database, and the etag up to which tombstones are given up. Any thread.</summary>
/// <param name="trimmed">Tombstones up to this etag may be gone already.</param>
public sealed class TombstoneHolders(Etag trimmed)
{
    private readonly Lock _lock = new(); // guards everything below
    private readonly List<ITombstoneHolder> _holders = [];
    private Etag _trimmed = trimmed;

    /// <summary>The holder that keeps the most tombstones, which shows why they are kept; null when there is no holder.</summary>
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

    /// <summary>Adds a holder. From now on tombstones are kept until the holder has passed them.</summary>
    /// <param name="holder">The holder, whose etag is read repeatedly until it is removed.</param>
    /// <returns>Tombstones up to this etag may be gone. A holder that has not passed it starts from the beginning, because a deletion that it has not read may
    /// have left no trace.</returns>
    public Etag Add(ITombstoneHolder holder)
    {
        lock (_lock)
        {
            Debug.Assert(!_holders.Contains(holder));
            _holders.Add(holder);
            return _trimmed;
        }
    }

    /// <summary>Removes a holder, which needs no tombstones any more.</summary>
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

    /// <summary>Marks tombstones up to an etag as given up, before they are trimmed, so that holders that register later know it.</summary>
    /// <returns>False, without any change, when a holder that needs some of them has registered in the meantime.</returns>
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
