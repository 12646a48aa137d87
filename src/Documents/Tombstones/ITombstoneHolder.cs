using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Tombstones;

/// <summary>A consumer that reads tombstones by etag and still needs those that it has not read: an index, a
/// replication.</summary>
public interface ITombstoneHolder
{
    /// <summary>The name for messages that say why tombstones are not trimmed.</summary>
    string Name { get; }

    /// <summary>The holder does not need tombstones up to this etag any more; the etag never decreases. The holder's results from them must be durable, because
    /// the tombstones do not come back after a crash. Called on any thread; it must be short, and must not throw.</summary>
    Etag PassedEtag { get; }
}
