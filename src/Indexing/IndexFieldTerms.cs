using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Building;
using Jackdaw.Search;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;

namespace Jackdaw.Indexing;

/// <summary>Lists the fields and terms of an index, for people who look into it.</summary>
internal static class IndexFieldTerms
{
    private const string NullTerm = "NULL_VALUE";
    private const string EmptyTerm = "EMPTY_STRING";

    /// <summary>The terms of a field in ordinal order, with the number of entries that have them. Null and the empty text have names.</summary>
    /// <param name="prefix">What the terms begin with; empty for all.</param>
    /// <param name="after">Terms up to this one are left out; null or empty for none.</param>
    public static IReadOnlyList<TermCount> List(IndexBuilder builder, string field, string prefix, string? after, int count)
    {
        using Searcher searcher = builder.Index.BeginSearch();
        bool isFromStart = string.IsNullOrEmpty(after);
        var terms = new List<TermCount>();
        foreach (TermCount named in ListNamed(searcher, field))
        {
            Add(named);
        }

        bool isFromPrefix = prefix.Length > 0 && (isFromStart || string.CompareOrdinal(prefix, after) > 0);
        string? start = isFromPrefix ? prefix : isFromStart ? null : after;
        foreach (TermCount term in searcher.ListTerms(field, start, (int)Math.Min(count + 1L, int.MaxValue), withFirst: isFromPrefix))
        {
            if (term.Term.Length > 0)
            {
                Add(term);
            }
        }

        terms.Sort((left, right) => string.CompareOrdinal(left.Term, right.Term));
        return terms.Count > count ? terms[..count] : terms;

        void Add(in TermCount term)
        {
            if (term.Entries > 0 && term.Term.StartsWith(prefix, StringComparison.Ordinal) && (isFromStart || string.CompareOrdinal(term.Term, after) > 0))
            {
                terms.Add(term);
            }
        }
    }

    private static IEnumerable<TermCount> ListNamed(Searcher searcher, string field)
    {
        yield return new TermCount(NullTerm, CountOf(searcher, field, new NullValue()));
        yield return new TermCount(EmptyTerm, CountOf(searcher, field, new TextValue("")));
    }

    private static long CountOf(Searcher searcher, string field, SearchValue value) =>
        searcher.Search(new SearchRequest(new TermNode(field, value), [], 0, 0), CancellationToken.None).Total;

    /// <summary>The names of the fields that the definition has, and of the fields that it computed.</summary>
    public static (IReadOnlyList<string> Fixed, IReadOnlyList<string> Computed) ListFields(IndexBuilder builder)
    {
        using Searcher searcher = builder.Index.BeginSearch();
        var known = builder.KnownFields.ToHashSet(StringComparer.Ordinal);
        return ([.. known.Order(StringComparer.Ordinal)],
            [.. searcher.ListFields().Where(name => name != AutoDefinition.DocumentId && !known.Contains(name))]);
    }
}
