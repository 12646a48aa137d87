using Jackdaw.Documents.Identity;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;

namespace Jackdaw.Queries.Planning;

/// <summary>How a query finds the documents or rows that it looks at.</summary>
internal enum CandidateOrder
{
    /// <summary>All of a collection, or of the database, oldest first.</summary>
    ByEtag,

    /// <summary>Those whose ids begin with a text, by id.</summary>
    ByIdPrefix,

    /// <summary>Those of a list, in its order.</summary>
    ByIdList,

    /// <summary>Rows of a reduce, in the order of the index.</summary>
    ByRow,

    /// <summary>All of a collection, or those whose ids begin with a text, page by page in a random order.</summary>
    Random,
}

/// <summary>The documents that a query without an index looks at, and their order. Immutable.</summary>
internal sealed record Candidates
{
    /// <summary>The documents of the collection in the order of their etags; also of a query whose documents an index finds.</summary>
    public static Candidates All { get; } = new();

    /// <summary>Where the documents come from, before they are put into a random order.</summary>
    public CandidateOrder Order { get; private init; }

    /// <summary>The key with which ids begin, for <see cref="CandidateOrder.ByIdPrefix"/>.</summary>
    public byte[] Prefix { get; private init; } = [];

    /// <summary>The keys of <see cref="CandidateOrder.ByIdList"/>, each once.</summary>
    public IReadOnlyList<byte[]> Keys { get; private init; } = [];

    /// <summary>The order is random; null when it is not.</summary>
    public RandomSeed? Seed { get; private init; }

    /// <summary>The candidates of a query that needs no index.</summary>
    /// <exception cref="InvalidQueryException">A condition is not written as it must be.</exception>
    /// <exception cref="QueryNotSupportedException">The condition or the order needs an index.</exception>
    public static Candidates Of(QuerySyntax syntax, ParameterValues parameters) =>
        InOrder(ThatMeet(syntax, syntax.Where, parameters), syntax.OrderBy, parameters);

    private static Candidates ThatMeet(QuerySyntax syntax, Expression? where, ParameterValues parameters)
    {
        while (where is MethodExpression exact && exact.Is("exact"))
        {
            where = exact.Arguments[0].Value; // Ids have no casing.
        }

        ConditionCompiler Values() => new(syntax, parameters);
        return where switch
        {
            null or LiteralExpression { Kind: LiteralKind.True } => All,
            LiteralExpression => new Candidates { Order = CandidateOrder.ByIdList },
            ComparisonExpression { Left: MethodExpression { IsDocumentId: true }, Operator: ComparisonOperator.Equal } equal
                when IsValue(equal.Right) => WithIds([Values().ValueOf(equal.Right)]),
            InExpression { Left: MethodExpression { IsDocumentId: true }, IsAll: false } list =>
                WithIds(Values().ValuesOf(list)),
            MethodExpression { Arguments: [{ Value: MethodExpression { IsDocumentId: true } }, _] } prefix
                when prefix.Is("startsWith") && IsValue(prefix.Arguments[1].Value) => new Candidates
                {
                    Order = CandidateOrder.ByIdPrefix,
                    Prefix = DocumentKey.Make(Values().TextOf(prefix.Arguments[1].Value).Text),
                },
            _ => throw LaterFeatures.RefuseCondition(where),
        };
    }

    private static bool IsValue(Expression expression) => expression is LiteralExpression or ParameterExpression;

    private static Candidates WithIds(IReadOnlyList<QueryValue> values) =>
        new() { Order = CandidateOrder.ByIdList, Keys = IdConditions.KeysOf(values) };

    private static Candidates InOrder(Candidates candidates, IReadOnlyList<OrderKey> keys, ParameterValues parameters)
    {
        if (keys.Count == 0)
        {
            return candidates;
        }

        if (keys is [{ Key: MethodExpression random, IsDescending: false }] && random.Is("random"))
        {
            return candidates with { Seed = RandomSeed.Of(random, parameters) };
        }

        bool isById = keys is [{ Key: MethodExpression { IsDocumentId: true } }];
        if (isById && candidates.Order == CandidateOrder.ByIdList)
        {
            return candidates with { Keys = IdConditions.Sort(candidates.Keys, keys[0].IsDescending) };
        }

        if (!isById || keys[0].IsDescending)
        {
            throw keys[0].Key is MethodExpression { IsDocumentId: false } method
                ? LaterFeatures.Refuse(method, "Order by other fields than id() is not supported yet by this version of Jackdaw.")
                : new QueryNotSupportedException(
                    "Order by other fields than id(), and descending order, are not supported yet by this version of Jackdaw.");
        }

        return candidates with { Order = CandidateOrder.ByIdPrefix };
    }
}
