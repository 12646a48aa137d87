using Jackdaw.Documents;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Definitions.Model;

namespace Jackdaw.Indexing.Sources;

/// <summary>Items of documents, such as counters, that an index maps instead of the documents' texts.</summary>
/// <remarks>
/// The entries belong to the document. It is mapped, with all of its items, when it changes itself and when one of its items does. So a deleted
/// item is either a change of its document, or a change of the source.
/// </remarks>
internal abstract class ItemSource : IndexSource
{
    /// <summary>Its name in definitions and statistics.</summary>
    public abstract IndexSourceType Type { get; }

    /// <summary>Opens the items of a document as they are mapped.</summary>
    public abstract ItemCursor OpenItems(DocumentReadScope read, in StoredDocument document);
}

/// <summary>Walks the items of one document. One thread; lives within the snapshot.</summary>
internal abstract class ItemCursor : IDisposable
{
    /// <summary>The name of the item: a map can ask for the items with one name.</summary>
    public abstract string Name { get; }

    /// <summary>A JSON object that is given to the map. Valid until the next item.</summary>
    public abstract ReadOnlySpan<byte> Json { get; }

    public abstract bool MoveNext();

    public virtual void Dispose()
    {
    }
}
