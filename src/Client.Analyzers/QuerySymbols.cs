using Microsoft.CodeAnalysis;

namespace Jackdaw.Client.Analyzers;

/// <summary>The types that queries are made of, as a compilation knows them.</summary>
internal sealed class QuerySymbols
{
    private readonly INamedTypeSymbol _query;
    private readonly INamedTypeSymbol _ownOperators;
    private readonly INamedTypeSymbol _operators;
    private readonly INamedTypeSymbol _enumerable;

    private QuerySymbols(INamedTypeSymbol query, INamedTypeSymbol ownOperators, INamedTypeSymbol operators, INamedTypeSymbol enumerable)
    {
        _query = query;
        _ownOperators = ownOperators;
        _operators = operators;
        _enumerable = enumerable;
    }

    /// <summary>Null if the compilation has no queries.</summary>
    public static QuerySymbols? TryFind(Compilation compilation) =>
        compilation.GetTypeByMetadataName("Jackdaw.Client.Linq.IDocumentQueryable`1") is { } query
        && compilation.GetTypeByMetadataName("Jackdaw.Client.Linq.DocumentQueryable") is { } own
        && compilation.GetTypeByMetadataName("System.Linq.Queryable") is { } operators
        && compilation.GetTypeByMetadataName("System.Linq.Enumerable") is { } enumerable
            ? new QuerySymbols(query, own, operators, enumerable)
            : null;

    /// <summary>An operator of LINQ on a query, or on its result so far.</summary>
    public bool IsOfLinq(IMethodSymbol method) => SymbolEqualityComparer.Default.Equals(method.ContainingType, _operators);

    /// <summary>An operator that this client adds.</summary>
    public bool IsOwn(IMethodSymbol method) => SymbolEqualityComparer.Default.Equals(method.ContainingType, _ownOperators);

    /// <summary>A method that says where vectors are.</summary>
    public bool IsOfVectors(IMethodSymbol method) => method.ContainingType is { Name: "VectorFieldFactory" } type
        && SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, _query.ContainingAssembly);

    /// <summary>A method on lists in memory, or in documents.</summary>
    public bool IsOfLists(IMethodSymbol method) => SymbolEqualityComparer.Default.Equals(method.ContainingType, _enumerable);

    /// <summary>Whether the type itself says that a value is a query of a session.</summary>
    public bool IsQuery(ITypeSymbol? type) => type is INamedTypeSymbol named
        && (SymbolEqualityComparer.Default.Equals(named.OriginalDefinition, _query)
            || named.AllInterfaces.Any(one => SymbolEqualityComparer.Default.Equals(one.OriginalDefinition, _query)));
}
