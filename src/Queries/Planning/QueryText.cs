using Jackdaw.Indexing.Auto;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Searching.Translation;

namespace Jackdaw.Queries.Planning;

/// <summary>What the text of a query says, whatever its parameters are. Immutable, for any thread: queries of one text share it.</summary>
internal sealed class QueryText
{
    private static readonly QueryTexts s_known = new();

    private AutoDefinition? _needed;

    private QueryText(string text)
    {
        Syntax = QueryParser.Parse(text);
        NeedsBinding = QueryBinding.IsNeeded(Syntax);
        MakesRows = FacetSelect.IsFor(Syntax) || SuggestSelect.IsFor(Syntax);
        IsIndexed = Syntax.From.IsIndex || Syntax.GroupBy.Count > 0 || IdConditions.NeedsIndex(Syntax.Where)
            || (NeedsIndex(Syntax.OrderBy) && !IsListById(Syntax)) || MakesRows;
    }

    /// <summary>As it is written.</summary>
    public QuerySyntax Syntax { get; }

    /// <summary>Whether values must be put into its conditions: see <see cref="QueryBinding"/>.</summary>
    public bool NeedsBinding { get; }

    /// <summary>An index finds its documents.</summary>
    public bool IsIndexed { get; }

    /// <summary>The index makes the rows of the answer.</summary>
    public bool MakesRows { get; }

    /// <summary>The auto index that answers it, if it names none.</summary>
    /// <exception cref="InvalidQueryException">It names fields where none can be indexed.</exception>
    /// <exception cref="QueryNotSupportedException">It asks for what cannot be indexed yet.</exception>
    public AutoDefinition Needed => _needed ??= NeededIndex.Of(Syntax);

    /// <exception cref="InvalidQueryException">The text is no query.</exception>
    public static QueryText Of(string text) => s_known.GetOrAdd(text, static text => new QueryText(text));

    // Documents with certain ids, by id in either direction: they are read one by one, and sorted before.
    private static bool IsListById(QuerySyntax syntax) =>
        syntax.OrderBy is [{ Key: MethodExpression { IsDocumentId: true } }] && IdConditions.IsOfIds(syntax.Where);

    private static bool NeedsIndex(IReadOnlyList<OrderKey> keys) =>
        keys.Any(key => key.Key is FieldExpression || key.IsDescending || keys.Count > 1
            || (key.Key is MethodExpression method && !method.IsDocumentId && !method.Is("random")));
}
