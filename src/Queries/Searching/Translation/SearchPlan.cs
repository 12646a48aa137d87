using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Store;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;
using Jackdaw.Search.Queries;

namespace Jackdaw.Queries.Searching.Translation;

/// <summary>A query in the terms of the search engine: all that its text, its parameters and the documents that it names decide, before any
/// index is opened.</summary>
internal sealed class SearchPlan
{
    private SearchPlan(CollectionQuery query, StoredDatabase database, bool isAuto)
    {
        QuerySyntax syntax = query.Syntax;
        IsAuto = isAuto;
        var documents = new NamedDocuments(database);
        var conditions = new SearchConditions(syntax, query.Parameters, isAuto) { Documents = documents.Load };
        SearchNode condition = conditions.Translate(syntax.Where);
        IReadOnlyList<SortKey> order = new SearchOrder(syntax, query.Parameters, conditions).Translate();
        Request = new SearchRequest(condition, order, SkipOf(query), TakeOf(query)) { WithPlan = query.Trace is not null };
        Facets = FacetSelect.IsFor(syntax) ? new FacetSelect(syntax, query.Parameters, conditions).Read() : null;
        Suggestions = SuggestSelect.IsFor(syntax) ? new SuggestSelect(syntax, query.Parameters, conditions).Read() : null;
        Highlights = HighlightIncludes.Read(syntax, query.Parameters, conditions, isAuto);
        Fields = conditions.Fields;
        DocumentEtags = documents.Etags;
    }

    /// <summary>It is for an index that was made by a query.</summary>
    public bool IsAuto { get; }

    /// <summary>Conditions, orders and the page.</summary>
    public SearchRequest Request { get; }

    /// <summary>Fields that it names, but for the id.</summary>
    public IReadOnlyCollection<string> Fields { get; }

    /// <summary>Null: none are selected.</summary>
    public IReadOnlyList<Facet>? Facets { get; }

    /// <summary>Null: none are selected.</summary>
    public IReadOnlyList<Suggestion>? Suggestions { get; }

    /// <summary>Null: nothing is highlighted.</summary>
    public HighlightIncludes? Highlights { get; }

    /// <summary>Of the documents that it was made from.</summary>
    public IReadOnlyList<Etag> DocumentEtags { get; }

    /// <summary>Translates a query.</summary>
    /// <exception cref="InvalidQueryException">It cannot be run as it is written.</exception>
    /// <exception cref="QueryNotSupportedException">It asks for what this version cannot do.</exception>
    public static SearchPlan Make(CollectionQuery query, StoredDatabase database, bool isAuto) => new(query, database, isAuto);

    /// <summary>Whether all that the index finds is walked over: a page of the index is a page of the answer only when no row is left out
    /// later.</summary>
    public static bool IsWhole(QuerySyntax syntax) => syntax.Filter is not null || syntax.Select is { IsDistinct: true };

    private static int SkipOf(CollectionQuery query) => IsWhole(query.Syntax) ? 0 : (int)Math.Min(query.Wanted.Skip, int.MaxValue);

    private static int TakeOf(CollectionQuery query) => IsWhole(query.Syntax) ? int.MaxValue : (int)Math.Min(query.Wanted.Take, int.MaxValue);
}
