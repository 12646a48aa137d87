using Jackdaw.Indexing.Catalog;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Search.Queries;

namespace Jackdaw.Queries.Searching.Translation;

/// <summary>Turns the order of a query into the order of a search.</summary>
/// <param name="sorters">The sorters that the query can name; null in a database without indexes.</param>
internal sealed class SearchOrder(QuerySyntax query, ParameterValues parameters, SearchConditions conditions, SorterCatalog? sorters)
{
    private readonly List<long> _sorterVersions = [];

    /// <summary>Versions of the sorters that the order names. Another version may give another order.</summary>
    public IReadOnlyList<long> SorterVersions => _sorterVersions;

    /// <summary>The keys of the order. A query that boosts conditions and names no order gets the best hits first.</summary>
    /// <exception cref="InvalidQueryException">The order is not possible.</exception>
    public IReadOnlyList<SortKey> Translate() =>
        query.OrderBy.Count == 0 && (HasMethod(query.Where, "boost") || IsRanked(query.Where))
            ? [new SortKey(SortBy.Score)]
            : [.. query.OrderBy.Select(Translate)];

    /// <summary>Whether a condition finds by likeness, so that the best hits come first.</summary>
    public static bool IsRanked(Expression? condition) => HasMethod(condition, "moreLikeThis") || HasMethod(condition, "vector.search");

    /// <summary>Whether a condition has a method, at any depth.</summary>
    public static bool HasMethod(Expression? condition, string name) => condition switch
    {
        MethodExpression method => method.Is(name) || HasMethod(method.Arguments, name),
        LogicalExpression logical => HasMethod(logical.Operands, name),
        NotExpression not => HasMethod(not.Operand, name),
        _ => false,
    };

    private static bool HasMethod(IReadOnlyList<MethodArgument> arguments, string name)
    {
        for (int i = 0; i < arguments.Count; i++)
        {
            if (arguments[i].Value is MethodExpression or LogicalExpression && HasMethod(arguments[i].Value, name))
            {
                return true;
            }
        }

        return false;
    }

    private static bool HasMethod(IReadOnlyList<Expression> operands, string name)
    {
        for (int i = 0; i < operands.Count; i++)
        {
            if (HasMethod(operands[i], name))
            {
                return true;
            }
        }

        return false;
    }

    private SortKey Translate(OrderKey key)
    {
        NullOrder nulls = key.Nulls switch
        {
            NullPlacement.First => NullOrder.First,
            NullPlacement.Last => NullOrder.Last,
            _ => NullOrder.Smallest,
        };
        // Keys and aggregates of groups are columns of their rows, in whichever way they are written.
        bool isAggregate = conditions.IsAggregate(key.Key);
        if (key.Key is MethodExpression { IsDocumentId: false } method && !isAggregate && !method.Is("key"))
        {
            return ByMethod(key, method, nulls);
        }

        SortBy by = key.Key is MethodExpression { IsDocumentId: true } && !conditions.IsOfGroups ? SortBy.Id : key.Type switch
        {
            OrderType.Implicit when isAggregate => SortBy.Double,
            OrderType.Long => SortBy.Long,
            OrderType.Double => SortBy.Double,
            OrderType.AlphaNumeric => SortBy.AlphaNumeric,
            _ => SortBy.Text,
        };
        return new SortKey(by, by == SortBy.Id ? "" : conditions.FieldOf(key.Key), key.IsDescending, nulls);
    }

    private SortKey ByMethod(OrderKey key, MethodExpression method, NullOrder nulls)
    {
        switch (method.Name.ToLowerInvariant())
        {
            case "score":
                return new SortKey(SortBy.Score, IsDescending: key.IsDescending);
            case "random":
                return new SortKey(SortBy.Random, Seed: RandomSeed.Of(method, parameters).ForRun());
            case "spatial.distance":
                return conditions.Spatial.ToSort(key, method, key.Nulls == NullPlacement.Implicit ? NullOrder.Last : nulls);
            case "custom":
                return ByCustom(key, method, nulls);
            default:
                throw InvalidQueryException.At(query.Text, method.TextPosition, $"'{method.Name}' is not an order.");
        }
    }

    private SortKey ByCustom(OrderKey key, MethodExpression method, NullOrder nulls)
    {
        string name = parameters.Resolve(method.Arguments[1].Value).Text;
        SorterCatalog known = sorters ?? throw new QueryNotSupportedException("Sorters of this database are not supported yet by this version of Jackdaw.");
        IComparer<SortValue> comparer = known.Find(name, out long version);
        _sorterVersions.Add(version);
        return new SortKey(SortBy.Custom, conditions.FieldOf(method.Arguments[0].Value), key.IsDescending, nulls) { Comparer = comparer };
    }
}
