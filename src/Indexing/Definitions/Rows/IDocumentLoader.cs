using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Rows;

/// <summary>Reads the documents that LoadDocument names.</summary>
internal interface IDocumentLoader
{
    /// <summary>Reads a document.</summary>
    /// <param name="id">The id in the definition; letter case does not matter.</param>
    /// <param name="collection">The collection that the definition names; null when it names none.</param>
    /// <param name="destination">Where to read it to: <see cref="DocumentText.Read"/>.</param>
    /// <returns>False when the collection has no such document.</returns>
    bool TryLoad(string id, string? collection, DocumentText destination);

    /// <summary>Reads the compare exchange value that LoadCompareExchangeValue names, as <c>{"Object":...}</c>.</summary>
    /// <param name="key">The key in the definition; letter case does not matter.</param>
    /// <param name="destination">Where to read it to.</param>
    /// <returns>False when there is no such value.</returns>
    bool TryLoadValue(string key, DocumentText destination) => false;

    /// <summary>Reads the content of an attachment as text in UTF-8.</summary>
    /// <param name="hash">The hash in <c>@attachments</c>.</param>
    /// <param name="bytesMax">Largest content.</param>
    /// <param name="bytes">The size of the content; 0 if there is none.</param>
    /// <returns>The content; null if there is none, or if it is larger.</returns>
    string? LoadContent(string hash, int bytesMax, out long bytes)
    {
        bytes = 0;
        return null;
    }
}

/// <summary>A document, or a compare exchange value, that a row depends on.</summary>
/// <param name="Id">The id of the document or the key of the value, as in the definition.</param>
/// <param name="Collection">The collection that the definition names; null when it names none.</param>
/// <param name="IsFound">False when there is no such document now. When it is stored, the row becomes stale.</param>
internal readonly record struct DocumentReference(string Id, string? Collection, bool IsFound)
{
    /// <summary>Whether it is a compare exchange value.</summary>
    public bool IsValue { get; init; }
}
