using Jackdaw.Search.Entries;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Search;

/// <summary>A search engine: opens and verifies indexes that lie in storages. Any thread.</summary>
public abstract class SearchEngine
{
    /// <summary>The name of the engine. It is written into each index that the engine makes, so it never changes. Settings and statistics show it
    /// too.</summary>
    public abstract string Name { get; }

    /// <summary>Opens the index in a storage; a storage without one has an empty index.</summary>
    /// <param name="storage">A root or a branch. It belongs to the caller, who closes it after the index.</param>
    /// <param name="fields">How values are indexed and searched.</param>
    /// <exception cref="Jackdaw.Storage.CorruptionException">The stored index is damaged: delete it and index again.</exception>
    public abstract SearchIndex Open(StorageEnvironment storage, IndexFields fields);

    /// <summary>Checks everything that the engine has written into a storage. The storage itself checks its pages.</summary>
    /// <returns>The problems, as texts for people; empty when there are none, and for a storage without an index.</returns>
    public abstract IReadOnlyList<string> Verify(StorageEnvironment storage);
}
