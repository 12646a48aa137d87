namespace Jackdaw.Indexing;

/// <summary>What happens to an index, for <see cref="DatabaseIndex.Happened"/>.</summary>
internal enum IndexEvent
{
    BatchWritten,

    /// <summary>There was nothing to read: it is up to date.</summary>
    Passed,

    /// <summary>An administrator paused it.</summary>
    Paused,

    /// <summary>Its storage is damaged, so it has to be built again.</summary>
    Damaged,

    /// <summary>It missed deletions while it was idle or disabled, so it has to be built again.</summary>
    Outdated,

    /// <summary>Its entries were made by rules of an older version of the server, or by analyzers that have changed since, so another index is built in its
    /// place.</summary>
    Outgrown,

    /// <summary>A run failed and will be repeated, or the definition does not compile.</summary>
    Failed,

    /// <summary>Too many documents failed, so it stopped. Its state is not written yet.</summary>
    Stopped,
}
