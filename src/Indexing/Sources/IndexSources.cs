using Jackdaw.Documents;

namespace Jackdaw.Indexing.Sources;

/// <summary>All that one index reads. Immutable.</summary>
internal sealed class IndexSources
{
    private readonly CollectionSource[] _documents;
    private readonly IndexSource[] _mapped;
    private readonly IndexSource[] _loaded;

    /// <param name="documents">The documents that are mapped.</param>
    /// <param name="items">What is mapped of each document; null for the document itself.</param>
    /// <param name="loaded">What maps load something from.</param>
    public IndexSources(IEnumerable<CollectionSource> documents, ItemSource? items, IEnumerable<IndexSource> loaded)
    {
        _documents = [.. documents];
        Items = items;
        _mapped = items is null ? _documents : [.. _documents, items];
        _loaded = [.. loaded];
    }

    /// <summary>The sources of an index that maps documents and loads nothing.</summary>
    /// <param name="collection">A name in any casing; null for all documents.</param>
    public static IndexSources OfDocuments(string? collection) => new(CollectionSource.Of(collection is null ? [] : [collection]), null, []);

    /// <summary>The sources of an index that reads nothing.</summary>
    public static IndexSources None { get; } = new([], null, []);

    /// <summary>The sources that are mapped: after each change a document is mapped again.</summary>
    public IReadOnlyList<IndexSource> Mapped => _mapped;

    /// <summary>What is mapped of each document; null for the document itself.</summary>
    public ItemSource? Items { get; }

    /// <summary>The sources from which maps load something: after each change the documents that loaded it are mapped again.</summary>
    public IReadOnlyList<IndexSource> Loaded => _loaded;

    /// <summary>The documents that are mapped, or whose items are.</summary>
    public IReadOnlyList<CollectionSource> Documents => _documents;

    /// <summary>Whether documents of all collections are mapped.</summary>
    public bool MapAllDocuments => Array.Exists(_documents, static source => source.Collection.Length == 0);

    /// <summary>Whether a document is one of those that are mapped.</summary>
    public bool Have(in StoredDocument document)
    {
        foreach (CollectionSource source in _documents)
        {
            if (source.Has(document.Collection))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether documents of a collection are mapped or may be loaded.</summary>
    public bool MayRead(string collection) =>
        _documents.Concat(Loaded.OfType<CollectionSource>()).Any(source => source.Has(collection));

    /// <summary>Whether a write wakes the index.</summary>
    public bool AreConcernedBy(SourceChange change) => AnyConcerned(_mapped, change) || AnyConcerned(_loaded, change);

    // Without an allocation: each index is asked for each change of a commit.
    private static bool AnyConcerned(IndexSource[] sources, SourceChange change)
    {
        foreach (IndexSource source in sources)
        {
            if (source.IsConcernedBy(change))
            {
                return true;
            }
        }

        return false;
    }
}
