using System.Text.Json;
using Jackdaw.Client.Caching;
using Jackdaw.Client.Http;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>Finds out what the answer to a query depends on. In doubt it names too much rather than too little.</summary>
internal static class QueryTags
{
    private const string CollectionQuery = "collection/";

    /// <summary>Texts in a query that let its rows contain parts of documents that the answer does not name.</summary>
    private static readonly string[] s_readsOthers = ["load", "counter", "revision", "facet", "morelikethis", "timeseries"];

    public static void Collect(IndexQuery query, RequestAnswer answer, AnswerTags tags)
    {
        if (query.Query.Contains("cmpxchg", StringComparison.OrdinalIgnoreCase))
        {
            tags.AddAnything();
            return;
        }

        if (s_readsOthers.Any(word => query.Query.Contains(word, StringComparison.OrdinalIgnoreCase)))
        {
            tags.AddAllDocuments();
        }

        if (QueriedDocuments.TryOf(answer) is { } documents)
        {
            CollectSource(query, documents.Rest.Text("IndexName"u8), tags);
            documents.Documents.ForEach(document => tags.AddDocument(document.Id));
            CollectIncludes(documents.Rest, tags);
            return;
        }

        using JsonDocument json = AnswerJson.Parse(answer.Body);
        JsonElement root = json.RootElement;
        CollectSource(query, root.Text("IndexName"u8), tags);
        foreach (JsonElement result in root.RequiredList("Results"u8).EnumerateArray())
        {
            if (result.TryFind("@metadata"u8, JsonValueKind.Object, out JsonElement metadata) && metadata.Text("@id"u8) is { } id)
            {
                tags.AddDocument(id);
            }
        }

        CollectIncludes(root, tags);
    }

    /// <summary>Documents that an answer includes. A missing document leaves no trace in the answer, because the reference to it is in another
    /// document. A session that needs it asks the server.</summary>
    public static void CollectIncludes(JsonElement answer, AnswerTags tags)
    {
        foreach ((string id, JsonElement _) in answer.Members("Includes"u8))
        {
            tags.AddDocument(id);
        }
    }

    private static void CollectSource(IndexQuery query, string? answeredBy, AnswerTags tags)
    {
        switch (answeredBy)
        {
            case null:
                tags.AddAnything();
                break;
            case "AllDocs":
                tags.AddAllDocuments();
                break;
            case var name when name.StartsWith(CollectionQuery, StringComparison.Ordinal):
                tags.AddCollection(name.AsSpan(CollectionQuery.Length));
                break;
            default:
                tags.AddIndex(answeredBy);
                break;
        }

        // This is also done when an index answers: after a write to its collection, the next read shows whether the index contains the write
        // already.
        if (query.Collection is "@all_docs")
        {
            tags.AddAllDocuments();
        }
        else if (query.Collection is { } collection)
        {
            tags.AddCollection(collection);
        }
    }
}
