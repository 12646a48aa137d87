using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Search.Queries;

namespace Jackdaw.Queries.Searching.Translation;

/// <summary>A plan in the terms of the search engine. It is complete before any index is opened. Immutable.</summary>
internal sealed class SearchPlan
{
    private SearchPlan(QueryPlan plan, ParameterValues parameters, DocumentDatabase database, bool isAuto, bool isTraced)
    {
        QuerySyntax syntax = plan.Syntax;
        IsAuto = isAuto;
        var documents = new NamedDocuments(database);
        var conditions = new SearchConditions(syntax, parameters, isAuto) { Documents = documents.Load };
        SearchNode condition = conditions.Translate(syntax.Where);
        var order = new SearchOrder(syntax, parameters, conditions, database.FindPart<DatabaseIndexes>()?.Sorters);
        Request = new SearchRequest(condition, order.Translate(), SkipOf(plan), TakeOf(plan)) { WithPlan = isTraced };
        Facets = IndexSelections.AreFacets(syntax) ? new FacetSelect(syntax, parameters, conditions).Read() : null;
        Suggestions = IndexSelections.AreSuggestions(syntax) ? new SuggestSelect(syntax, parameters, conditions).Read() : null;
        Highlights = HighlightIncludes.Read(syntax, parameters, conditions, isAuto);
        Fields = conditions.Fields;
        AsksForVectors = conditions.AsksForVectors;
        DocumentEtags = documents.Etags;
        SorterVersions = order.SorterVersions;
    }

    /// <summary>Whether the plan is for an index that a query made.</summary>
    public bool IsAuto { get; }

    /// <summary>Conditions, orders and the page.</summary>
    public SearchRequest Request { get; }

    /// <summary>Whether conditions on vectors wait for the open index, as <see cref="AskedVectorNode"/>s.</summary>
    public bool AsksForVectors { get; }

    /// <summary>The fields that the query names, without the id.</summary>
    public IReadOnlyCollection<string> Fields { get; }

    /// <summary>Null: the query selects no facets.</summary>
    public IReadOnlyList<Facet>? Facets { get; }

    /// <summary>Null: the query selects no suggestions.</summary>
    public IReadOnlyList<Suggestion>? Suggestions { get; }

    /// <summary>Null: nothing is highlighted.</summary>
    public HighlightIncludes? Highlights { get; }

    /// <summary>The etags of the documents from which the plan was made.</summary>
    public IReadOnlyList<Etag> DocumentEtags { get; }

    /// <summary>Versions of the sorters by which it orders.</summary>
    public IReadOnlyList<long> SorterVersions { get; }

    /// <summary>Translates the plan of a query.</summary>
    /// <param name="parameters">The parameters of the request; the plan does not keep them.</param>
    /// <param name="isAuto">The index was made by a query.</param>
    /// <param name="isTraced">The engine describes what it does.</param>
    /// <exception cref="InvalidQueryException">The query cannot be run as it is written.</exception>
    /// <exception cref="QueryNotSupportedException">The query asks for what this version cannot do.</exception>
    public static SearchPlan Make(QueryPlan plan, ParameterValues parameters, DocumentDatabase database, bool isAuto, bool isTraced) =>
        new(plan, parameters, database, isAuto, isTraced);

    /// <summary>The definition of an index that answers the query: it also has the fields that documents with setups of facets name.</summary>
    /// <param name="named">What the text of the query names.</param>
    public AutoDefinition Complete(AutoDefinition named)
    {
        string[] missing = Facets is null ? [] : [.. Fields.Except(named.Fields.Select(field => field.Name))];
        return missing.Length == 0 ? named : named.Merge(new AutoDefinition(named.Collection, missing.Select(field => new AutoField(field))));
    }

    private static int SkipOf(QueryPlan plan) => plan.LeavesOutRows ? 0 : (int)Math.Min(plan.Skip, int.MaxValue);

    private static int TakeOf(QueryPlan plan) => plan.LeavesOutRows ? int.MaxValue : (int)Math.Min(plan.Take, int.MaxValue);
}
