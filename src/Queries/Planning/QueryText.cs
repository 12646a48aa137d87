using Jackdaw.Indexing.Auto;
using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Planning;

/// <summary>What the text of a query says, independent of its parameters. Immutable, for any thread; all queries with one text share
/// it.</summary>
internal sealed class QueryText
{
    private static readonly QueryTexts s_cached = new();

    private AutoDefinition? _needed;

    private QueryText(QuerySyntax syntax)
    {
        Syntax = CheckedConditions.Split(syntax);
        NeedsBinding = QueryBinding.IsNeeded(Syntax);
        MakesRows = IndexSelections.AreFacets(Syntax) || IndexSelections.AreSuggestions(Syntax);
        IsIndexed = Syntax.From.IsIndex || Syntax.GroupBy.Count > 0 || IdConditions.NeedsIndex(Syntax.Where)
            || (NeedsIndex(Syntax.OrderBy) && !IsListById(Syntax)) || MakesRows;
    }

    /// <summary>The tree of the text as it is written.</summary>
    public QuerySyntax Syntax { get; }

    /// <summary>Whether <see cref="QueryBinding"/> has to put values into the conditions.</summary>
    public bool NeedsBinding { get; }

    /// <summary>Whether an index finds the documents.</summary>
    public bool IsIndexed { get; }

    /// <summary>Whether the index makes the rows of the answer.</summary>
    public bool MakesRows { get; }

    /// <summary>The auto index that answers the query if the text names no index.</summary>
    /// <exception cref="InvalidQueryException">The query names fields where none can be indexed.</exception>
    /// <exception cref="QueryNotSupportedException">The query needs what cannot be indexed yet.</exception>
    public AutoDefinition Needed => _needed ??= NeededIndex.Of(Syntax);

    /// <summary>Reads a text, or finds it among the texts that were read lately.</summary>
    /// <exception cref="InvalidQueryException">The text is not a query.</exception>
    public static QueryText Of(string text) => s_cached.GetOrAdd(text, static text => new QueryText(QueryParser.Parse(text)));

    /// <summary>Looks for mistakes that can be found without running the query. The query is not cached: people write many that are never run.</summary>
    /// <exception cref="InvalidQueryException">The query names fields where none can be indexed.</exception>
    /// <exception cref="QueryNotSupportedException">The query needs what cannot be indexed yet.</exception>
    public static void Check(QuerySyntax syntax)
    {
        var query = new QueryText(syntax);
        if (query.IsIndexed && !query.Syntax.From.IsIndex)
        {
            _ = query.Needed;
        }
    }

    /// <summary>Whether the query can show the entries of its index instead of its rows.</summary>
    /// <param name="isIndexed">An index finds the documents.</param>
    /// <exception cref="InvalidQueryException">The query cannot show entries.</exception>
    public void CheckShowsEntries(bool isIndexed)
    {
        if (!isIndexed)
        {
            throw NeedsNoIndex("no entry to show");
        }

        if (Syntax.Filter is not null)
        {
            throw new InvalidQueryException("Entries of an index are shown as they are, without 'filter'; leave it out.");
        }
    }

    /// <summary>The refusal of a query that asks something of an index and is answered without one.</summary>
    /// <param name="what">What cannot be done: "no entry to show".</param>
    public static InvalidQueryException NeedsNoIndex(string what) =>
        new($"This query is answered without an index, so that there is {what}; give it a condition on a field, or an index: from index '...'.");

    // Documents with certain ids in the order of their ids, in either direction: the ids are sorted, then the documents are read one by
    // one.
    private static bool IsListById(QuerySyntax syntax) =>
        syntax.OrderBy is [{ Key: MethodExpression { IsDocumentId: true } }] && IdConditions.IsOfIds(syntax.Where);

    private static bool NeedsIndex(IReadOnlyList<OrderKey> keys) =>
        keys.Any(key => key.Key is FieldExpression || key.IsDescending || keys.Count > 1
            || (key.Key is MethodExpression method && !method.IsDocumentId && !method.Is("random")));
}
