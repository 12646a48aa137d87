using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Building;
using Jackdaw.Search;
using Jackdaw.Search.Queries;

namespace Jackdaw.Indexing;

/// <summary>Lists the fields and terms of an index, for people who look into it.</summary>
internal static class IndexFieldTerms
{
    private const string NullTerm = "NULL_VALUE";
    private const string EmptyTerm = "EMPTY_STRING";

    /// <summary>The terms of a field in ordinal order. Null and the empty text have names.</summary>
    /// <param name="after">Terms up to this one are left out; null or empty for none.</param>
    public static IReadOnlyList<string> List(IndexBuilder builder, string field, string? after, int count)
    {
        using Searcher searcher = builder.Index.BeginSearch();
        bool isFromStart = string.IsNullOrEmpty(after);
        var named = new List<string>();
        if (searcher.Search(new SearchRequest(new TermNode(field, new NullValue()), [], 0, 0), CancellationToken.None).Total > 0)
        {
            named.Add(NullTerm);
        }

        var terms = new List<string>();
        foreach (Jackdaw.Search.Results.TermCount term in searcher.ListTerms(field, isFromStart ? null : after, (int)Math.Min(count + 1L, int.MaxValue)))
        {
            (term.Term.Length == 0 ? named : terms).Add(term.Term.Length == 0 ? EmptyTerm : term.Term);
        }

        terms.AddRange(named.Where(name => isFromStart || string.CompareOrdinal(name, after) > 0));
        terms.Sort(string.CompareOrdinal);
        return terms.Count > count ? terms[..count] : terms;
    }

    /// <summary>The names of the fields that the definition has, and of the fields that it computed.</summary>
    public static (IReadOnlyList<string> Fixed, IReadOnlyList<string> Computed) ListFields(IndexBuilder builder)
    {
        using Searcher searcher = builder.Index.BeginSearch();
        var known = builder.KnownFields.ToHashSet(StringComparer.Ordinal);
        return ([.. known.Order(StringComparer.Ordinal)],
            [.. searcher.ListFields().Where(name => name != AutoDefinition.DocumentId && !known.Contains(name))]);
    }
}
