using System.Text.Json;
using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Mapping;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Searching.Translation;
using Jackdaw.Search;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Queries.Searching;

/// <summary>Finds suggestions and writes them as clients read them.</summary>
internal static class SuggestionAnswers
{
    /// <summary>Finds suggestions.</summary>
    /// <param name="auto">The definition of an index that a query made; null for an index that a user defined.</param>
    /// <returns>A JSON object for each item.</returns>
    public static List<byte[]> Find(Searcher searcher, IEnumerable<Suggestion> items, AutoDefinition? auto, CancellationToken cancellation) =>
        [.. items.Select(item => JsonSerializer.SerializeToUtf8Bytes(new { item.Name, Suggestions = Find(searcher, item.Request, auto, cancellation) }))];

    /// <summary>Checks that an index of a user suggests terms of the fields.</summary>
    /// <exception cref="InvalidQueryException">The index does not suggest terms of a field.</exception>
    public static void Check(IEnumerable<Suggestion> items, string index, IndexFields fields)
    {
        if (items.FirstOrDefault(item => !fields.Find(item.Request.Field).HasSuggestions) is { } refused)
        {
            throw new InvalidQueryException(
                $"Index '{index}' does not suggest terms of the field '{refused.Request.Field}': set Suggestions to true for it in the definition.");
        }
    }

    // Whole values come first. A field that is also searched as full text suggests words, because people seldom type its whole values.
    private static IReadOnlyList<string> Find(Searcher searcher, SuggestionRequest request, AutoDefinition? auto, CancellationToken cancellation)
    {
        IReadOnlyList<string> values = searcher.Suggest(request, cancellation);
        bool hasWords = auto?.Fields.Any(field => field.Name == request.Field && field.Search.HasFlag(AutoFieldSearch.Search)) == true;
        return values.Count == 0 && hasWords
            ? searcher.Suggest(request with { Field = AutoFieldNames.Search(request.Field) }, cancellation)
            : values;
    }
}
