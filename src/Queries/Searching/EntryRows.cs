using System.Text.Encodings.Web;
using System.Text.Json;
using Jackdaw.Indexing.Auto;
using Jackdaw.Search;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;

namespace Jackdaw.Queries.Searching;

/// <summary>Entries as the index has them, for people who want to know why a query finds them or not.</summary>
internal static class EntryRows
{
    /// <summary>The most entries of one answer: all terms of the index are looked at for them.</summary>
    public const int EntriesMax = 1024;

    /// <summary>The most hits that one search skips: they are in memory with their sort keys, some 10 MB.</summary>
    public const int SkipMax = 64 * 1024;

    private static readonly JsonWriterOptions s_plain = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>Finds the page of entries that a query wants. Skipped entries are passed over in parts.</summary>
    /// <param name="skipMax">Replaces <see cref="SkipMax"/>.</param>
    public static SearchResults Find(Searcher searcher, SearchRequest request, CancellationToken cancellation, int skipMax = SkipMax)
    {
        SearchRequest page = request with { Take = Math.Min(request.Take, EntriesMax) };
        long? total = null;
        while (page.Skip > skipMax && page.Take > 0)
        {
            SearchResults passed = searcher.Search(page with { Skip = skipMax - 1, Take = 1, WithPosition = true }, cancellation);
            total ??= passed.Total;
            if (passed.Hits.Count == 0)
            {
                return passed with { Total = total.Value };
            }

            page = page with { Skip = page.Skip - skipMax, After = passed.Last };
        }

        SearchResults found = searcher.Search(page, cancellation);
        return found with { Total = total ?? found.Total };
    }

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
            json.WriteString(AutoDefinition.DocumentId, id); // As it is written, while its term is in lower case.
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
