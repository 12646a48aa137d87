using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Queries.Searching.Translation;

/// <summary>Documents that are part of a query by their names: setups of facets and lists of stop words.</summary>
internal sealed class NamedDocuments(DocumentDatabase database)
{
    private readonly List<Etag> _etags = [];

    /// <summary>The etags of the documents that were read, in the order of the text: the answer depends on these documents too.</summary>
    public IReadOnlyList<Etag> Etags => _etags;

    /// <summary>Reads a document; the caller disposes it.</summary>
    /// <returns>Null when the document does not exist.</returns>
    public JsonDocument? Load(string id)
    {
        using DocumentReadScope read = database.BeginRead();
        if (!read.TryGet(DocumentKey.Make(id), out StoredDocument document))
        {
            return null;
        }

        _etags.Add(document.Etag);
        return JsonDocument.Parse(document.Body.ToArray());
    }
}
