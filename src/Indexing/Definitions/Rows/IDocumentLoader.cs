using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Rows;

/// <summary>Reads the documents that LoadDocument names.</summary>
internal interface IDocumentLoader
{
    /// <param name="id">As the definition gives it; letter case does not count.</param>
    /// <param name="collection">The collection that the definition names; null when it names none.</param>
    /// <param name="destination">Where to read it to: <see cref="DocumentText.Read"/>.</param>
    /// <returns>False when there is no such document; of another collection counts as none.</returns>
    bool TryLoad(string id, string? collection, DocumentText destination);

    /// <summary>Reads the compare exchange value that LoadCompareExchangeValue names, as <c>{"Object":...}</c>.</summary>
    /// <param name="key">As the definition gives it; letter case does not count.</param>
    /// <param name="destination">Where to read it to.</param>
    /// <returns>False when there is none.</returns>
    bool TryLoadValue(string key, DocumentText destination) => false;

    /// <summary>Reads the content of an attachment as text in UTF-8.</summary>
    /// <param name="hash">As <c>@attachments</c> shows it.</param>
    /// <param name="bytesMax">Largest content.</param>
    /// <param name="bytes">Its size; 0 when there is none.</param>
    /// <returns>Null: there is none, or it is larger.</returns>
    string? LoadContent(string hash, int bytesMax, out long bytes)
    {
        bytes = 0;
        return null;
    }
}

/// <summary>A document, or a compare exchange value, that a row depends on.</summary>
/// <param name="Id">As the definition gives it: an id, or the key of a value.</param>
/// <param name="Collection">The collection that the definition names; null when it names none.</param>
/// <param name="IsFound">False when there is no such document now: the row is stale when it is stored.</param>
internal readonly record struct DocumentReference(string Id, string? Collection, bool IsFound)
{
    /// <summary>Whether it is a compare exchange value.</summary>
    public bool IsValue { get; init; }
}
