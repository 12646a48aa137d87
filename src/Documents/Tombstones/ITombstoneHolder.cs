using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Tombstones;

/// <summary>A consumer that reads tombstones by etag and still needs those that it has not read: an index, a
/// replication.</summary>
public interface ITombstoneHolder
{
    /// <summary>Name for messages that say what keeps tombstones from being trimmed.</summary>
    string Name { get; }

    /// <summary>Tombstones up to this etag are not needed any more; never goes back. What the holder made of them must
    /// be durable, because they do not come back after a crash. Any thread; must be short, and must not
    /// throw.</summary>
    Etag PassedEtag { get; }
}
