using Jackdaw.Documents;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Definitions.Model;

namespace Jackdaw.Indexing.Sources;

/// <summary>Items that documents have, such as counters: an index maps them instead of the documents' texts.</summary>
/// <remarks>
/// The entries belong to the document. It is mapped, with all of its items, when it changes itself and when one of its items does. So an item that is
/// gone is either a change of its document, or a change of the source.
/// </remarks>
internal abstract class ItemSource : IndexSource
{
    /// <summary>What definitions and their statistics call it.</summary>
    public abstract IndexSourceType Type { get; }

    /// <summary>Opens the items of a document as they are mapped.</summary>
    public abstract ItemCursor OpenItems(DocumentReadScope read, in StoredDocument document);
}

/// <summary>Walks the items of one document. One thread; lives within the snapshot.</summary>
internal abstract class ItemCursor : IDisposable
{
    /// <summary>Name of the item: maps may ask for those of one name.</summary>
    public abstract string Name { get; }

    /// <summary>A JSON object: what the map gets. Valid until the next item.</summary>
    public abstract ReadOnlySpan<byte> Json { get; }

    public abstract bool MoveNext();

    public virtual void Dispose()
    {
    }
}
