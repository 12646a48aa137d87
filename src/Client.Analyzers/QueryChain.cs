using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Jackdaw.Client.Analyzers;

/// <summary>The operators before a given one, as far as they can be seen in one expression and in a local variable that is set once.</summary>
internal sealed class QueryChain
{
    // After these operators, rows are still the documents.
    private static readonly HashSet<string> s_keeping = new(StringComparer.Ordinal)
    {
        "Where", "OrderBy", "OrderByDescending", "ThenBy", "ThenByDescending", "Skip", "Take", "Search", "Filter", "Statistics", "Customize", "Include",
        "VectorSearch", "Spatial",
        "OrderByScore", "OrderByScoreDescending", "ThenByScore", "ThenByScoreDescending",
    };

    private QueryChain(bool isPaged, bool isOfDocuments, bool isOfGroups, bool isDistinct)
    {
        IsPaged = isPaged;
        IsOfDocuments = isOfDocuments;
        IsOfGroups = isOfGroups;
        IsDistinct = isDistinct;
    }

    /// <summary>Whether rows are certainly groups of documents.</summary>
    public bool IsOfGroups { get; }

    /// <summary>Whether equal rows are left out by the operator just before.</summary>
    public bool IsDistinct { get; }

    /// <summary>Whether Skip or Take comes before.</summary>
    public bool IsPaged { get; }

    /// <summary>Whether a row is certainly a document as it is stored.</summary>
    public bool IsOfDocuments { get; }

    /// <summary>Null if it is not certain that this is a query of a session.</summary>
    public static QueryChain? TryRead(IOperation source, QuerySymbols symbols)
    {
        bool isPaged = false;
        bool isOfDocuments = true;
        bool isDistinct = false;
        bool isGrouped = false;
        string? later = null;
        for (IOperation rest = Shapes.Strip(source); ; rest = Shapes.Strip(Shapes.Argument((IInvocationOperation)rest, 0)!))
        {
            if (rest is IInvocationOperation { TargetMethod: var method } && (symbols.IsOfLinq(method) || symbols.IsOwn(method))
                && Shapes.Argument((IInvocationOperation)rest, 0) is not null)
            {
                isPaged |= symbols.IsOfLinq(method) && method.Name is "Skip" or "Take";
                isDistinct |= later is null && symbols.IsOfLinq(method) && method.Name == "Distinct";
                isGrouped |= isOfDocuments && IsGrouping(method, symbols);
                isOfDocuments &= s_keeping.Contains(method.Name);
                later = method.Name;
                continue;
            }

            if (!symbols.IsQuery(rest.Type))
            {
                return null;
            }

            if (rest is ILocalReferenceOperation local)
            {
                return Shapes.TryFindOnlyValue(local) is { } value && TryRead(value, symbols) is { } before
                    ? new QueryChain(isPaged | before.IsPaged, isOfDocuments & before.IsOfDocuments, isGrouped, isDistinct)
                    : new QueryChain(isPaged, isOfDocuments: false, isGrouped, isDistinct);
            }

            return new QueryChain(isPaged, isOfDocuments && IsBeginning(rest), isGrouped, isDistinct);
        }
    }

    // GroupBy(key): the other forms make rows, too.
    private static bool IsGrouping(IMethodSymbol method, QuerySymbols symbols) =>
        symbols.IsOfLinq(method) && method.Name == "GroupBy" && method.Parameters.Length == 2;

    // session.Query<T>()
    private static bool IsBeginning(IOperation root) => root is IInvocationOperation { TargetMethod: { Name: "Query" } method }
        && method.ContainingNamespace.ToDisplayString() == "Jackdaw.Client.Sessions";
}
