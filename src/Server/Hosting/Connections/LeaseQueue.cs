using System.Diagnostics;

namespace Jackdaw.Server.Hosting.Connections;

/// <summary>Connections of one kind, the oldest first: more than may be open at once end the oldest one, of the sender that has too many or of all.</summary>
/// <remarks>The oldest, because a client needs its handshake for a moment only, and whoever wants to keep others out must hold connections open. The caller
/// guards it.</remarks>
internal sealed class LeaseQueue(int leasesMax, int leasesOfSenderMax)
{
    private readonly LinkedList<HandshakeLease> _all = [];

    public int Count => _all.Count;

    /// <summary>Adds a connection.</summary>
    /// <param name="ofSender">Those of its sender.</param>
    /// <returns>The connection that must end, and has been removed; null when there is room.</returns>
    public HandshakeLease? Add(HandshakeLease lease, LinkedList<HandshakeLease> ofSender)
    {
        Debug.Assert(lease.Queue is null);
        HandshakeLease? oldest = ofSender.Count >= leasesOfSenderMax ? ofSender.First!.Value : _all.Count >= leasesMax ? _all.First!.Value : null;
        if (oldest is not null)
        {
            Remove(oldest);
        }

        lease.Queue = this;
        lease.InAll = _all.AddLast(lease);
        lease.InSender = ofSender.AddLast(lease);
        return oldest;
    }

    public void Remove(HandshakeLease lease)
    {
        Debug.Assert(lease.Queue == this);
        _all.Remove(lease.InAll!);
        lease.InSender!.List!.Remove(lease.InSender);
        lease.Queue = null;
    }
}
