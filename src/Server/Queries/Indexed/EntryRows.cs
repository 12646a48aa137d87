using System.Text.Encodings.Web;
using System.Text.Json;
using Jackdaw.Search;
using Jackdaw.Search.Results;
using Jackdaw.Server.Indexing.Auto;

namespace Jackdaw.Server.Queries.Indexed;

/// <summary>Entries as the index has them, for people who want to know why a query finds them or not.</summary>
internal static class EntryRows
{
    /// <summary>Most entries of one answer: all terms of the index are looked at for them.</summary>
    public const int EntriesMax = 1024;

    private static readonly JsonWriterOptions s_plain = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <returns>A JSON object for each hit: its id, and for each field its term, null, or a list of several.</returns>
    public static List<byte[]> Write(Searcher searcher, IReadOnlyList<SearchHit> hits, CancellationToken cancellation)
    {
        IReadOnlyList<IReadOnlyList<EntryTerm>> terms = searcher.ReadTerms([.. hits.Select(hit => hit.Ordinal)], cancellation);
        return [.. hits.Select((hit, i) => Write(hit.Id, terms[i]))];
    }

    private static byte[] Write(string id, IReadOnlyList<EntryTerm> terms)
    {
        var bytes = new MemoryStream();
        using (var json = new Utf8JsonWriter(bytes, s_plain))
        {
            json.WriteStartObject();
            json.WriteString(AutoDefinition.DocumentId, id); // as it is written; its term is in lower case
            foreach (IGrouping<string, EntryTerm> field in terms
                .Where(term => term.Field != AutoDefinition.DocumentId).GroupBy(term => term.Field).OrderBy(field => field.Key, StringComparer.Ordinal))
            {
                json.WritePropertyName(field.Key);
                WriteTerms(json, [.. field]);
            }

            json.WriteEndObject();
        }

        return bytes.ToArray();
    }

    private static void WriteTerms(Utf8JsonWriter json, EntryTerm[] terms)
    {
        if (terms.Length == 1)
        {
            json.WriteStringValue(terms[0].Term);
            return;
        }

        json.WriteStartArray();
        foreach (EntryTerm term in terms)
        {
            json.WriteStringValue(term.Term);
        }

        json.WriteEndArray();
    }
}
