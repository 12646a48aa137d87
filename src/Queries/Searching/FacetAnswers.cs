using System.Globalization;
using System.Text.Json;
using Jackdaw.Json.Paths;
using Jackdaw.Queries.Searching.Translation;
using Jackdaw.Search;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;

namespace Jackdaw.Queries.Searching;

/// <summary>Counts facets and writes them as clients read them.</summary>
internal static class FacetAnswers
{
    /// <summary>The most different terms of all facets of a query together: some 250 MB while they are counted.</summary>
    public const int TermsMax = 1_000_000;

    private const string NullTerm = "NULL_VALUE";
    private const string EmptyTerm = "EMPTY_STRING";

    /// <param name="total">The number of entries that match the query.</param>
    /// <param name="named">Receives the terms in the answer with their fields; null when nobody wants them.</param>
    /// <param name="termsMax">Replaces <see cref="TermsMax"/>.</param>
    /// <returns>A JSON object for each facet.</returns>
    /// <exception cref="InvalidSearchException">The facets have too many terms.</exception>
    public static List<byte[]> Count(
        Searcher searcher, SearchNode node, IReadOnlyList<Facet> facets, out long total, CancellationToken cancellation, int termsMax = TermsMax,
        List<(DocumentPath Path, string Value)>? named = null)
    {
        List<byte[]> rows = [];
        total = 0;
        int left = termsMax;
        foreach (Facet facet in facets)
        {
            var request = new FacetRequest(
                facet.Field, [.. facet.Ranges.Select(range => range.Node)],
                [.. facet.Numbers.Select(number => new FacetAggregation(number.Function, number.Field))])
            { TermsMax = left };
            IReadOnlyList<FacetBucket> buckets = searcher.CountFacets(node, request, out total, cancellation);
            left -= facet.Field is null ? 0 : Math.Min(left, buckets.Count);
            rows.Add(Write(facet, buckets, named));
        }

        return rows;
    }

    private static byte[] Write(Facet facet, IReadOnlyList<FacetBucket> buckets, List<(DocumentPath Path, string Value)>? named)
    {
        List<(string Range, FacetBucket Bucket)> all = [.. buckets.Select((bucket, i) => (RangeOf(facet, bucket, i), bucket))];
        int start = 0;
        int count = all.Count;
        if (facet.Field is not null)
        {
            all = Order(all, facet.Options.Choice("TermSortMode", FacetTermOrder.ValueAsc));
            start = Math.Clamp(facet.Options.Int("Start", 0), 0, all.Count);
            count = Math.Clamp(facet.Options.Int("PageSize", int.MaxValue), 0, all.Count - start);
        }

        using var stream = new MemoryStream();
        using (var json = new Utf8JsonWriter(stream))
        {
            json.WriteStartObject();
            json.WriteString("Name", facet.Name);
            json.WriteStartArray("Values");
            foreach ((string range, FacetBucket bucket) in all.Skip(start).Take(count))
            {
                WriteValues(json, facet, range, bucket);
                if (facet.Path is { } path && bucket.Term is { Length: > 0 } term)
                {
                    named?.Add((path, term));
                }
            }

            json.WriteEndArray();
            WriteRemaining(json, facet, [.. all.Skip(start + count)]);
            json.WriteEndObject();
        }

        return stream.ToArray();
    }

    private static string RangeOf(Facet facet, FacetBucket bucket, int i) =>
        facet.Ranges.Count > 0 ? facet.Ranges[i].Text
        : facet.Field is null ? facet.Name
        : bucket.Term is null ? NullTerm
        : bucket.Term.Length == 0 ? EmptyTerm : bucket.Term;

    private static List<(string Range, FacetBucket Bucket)> Order(List<(string Range, FacetBucket Bucket)> all, FacetTermOrder order)
    {
        IOrderedEnumerable<(string Range, FacetBucket Bucket)> sorted = order switch
        {
            FacetTermOrder.CountAsc => all.OrderBy(one => one.Bucket.Count),
            FacetTermOrder.CountDesc => all.OrderByDescending(one => one.Bucket.Count),
            FacetTermOrder.ValueDesc => all.OrderByDescending(one => one.Range, StringComparer.Ordinal),
            _ => all.OrderBy(one => 0),
        };
        return [.. sorted.ThenBy(one => one.Range, StringComparer.Ordinal)];
    }

    // One element for each aggregated field, or one for the bucket when no field is aggregated.
    private static void WriteValues(Utf8JsonWriter json, Facet facet, string range, FacetBucket bucket)
    {
        if (facet.Numbers.Count == 0)
        {
            WriteStart(json, null, range, bucket);
            json.WriteEndObject();
        }

        foreach (IGrouping<string, int> name in Enumerable.Range(0, facet.Numbers.Count).GroupBy(i => facet.Numbers[i].Name))
        {
            WriteStart(json, name.Key, range, bucket);
            foreach (int i in name)
            {
                json.WritePropertyName(facet.Numbers[i].Function.ToString());
                if (bucket.Values[i] is { } value && double.IsFinite(value))
                {
                    json.WriteRawValue(value.ToString("R", CultureInfo.InvariantCulture));
                }
                else
                {
                    json.WriteNullValue();
                }
            }

            json.WriteEndObject();
        }
    }

    private static void WriteStart(Utf8JsonWriter json, string? name, string range, FacetBucket bucket)
    {
        json.WriteStartObject();
        json.WriteString("Name", name);
        json.WriteNumber("Count", bucket.Count);
        json.WriteString("Range", range);
    }

    private static void WriteRemaining(Utf8JsonWriter json, Facet facet, List<(string Range, FacetBucket Bucket)> rest)
    {
        json.WriteNumber("RemainingHits", rest.Sum(one => one.Bucket.Count));
        json.WriteNumber("RemainingTermsCount", rest.Count);
        json.WriteStartArray("RemainingTerms");
        foreach ((string range, _) in facet.Options.Bool("IncludeRemainingTerms") ? rest : [])
        {
            json.WriteStringValue(range);
        }

        json.WriteEndArray();
    }
}
