using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Text.Json;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.Linq;

/// <summary>A query, no matter which elements it has.</summary>
internal interface ILinqQuery
{
    DocumentQueryProvider DocumentProvider { get; }
}

/// <summary>A query: its tree, and the object that runs it.</summary>
internal sealed class LinqQuery<T>(DocumentQueryProvider provider, Expression expression) : IDocumentQueryable<T>, ILinqQuery
{
    public Type ElementType => typeof(T);

    public Expression Expression => expression;

    public IQueryProvider Provider => provider;

    public DocumentQueryProvider DocumentProvider => provider;

    public IEnumerator<T> GetEnumerator() =>
        Completed.Result(provider.RunRowsAsync<T>(expression, isAsync: false, default)).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>The RQL.</summary>
    public override string ToString() => provider.Translate(expression).Text;

    /// <summary>The query with one more step.</summary>
    public LinqQuery<T> With(QueryStep step) => With<T>(step);

    /// <summary>The query with one more step that changes what its elements are.</summary>
    public LinqQuery<TResult> With<TResult>(QueryStep step) =>
        new(provider, new StepExpression(expression, step, typeof(IDocumentQueryable<TResult>)));

    /// <summary>Runs the query and returns its rows as they came.</summary>
    public async ValueTask<List<JsonElement>> RunPartsAsync(bool isAsync, CancellationToken token) =>
        await provider.RunRowsAsync<JsonElement>(expression, isAsync, token).ConfigureAwait(false);

    public LinqQuery<T> With(QuerySettings settings) => new(provider.With(settings), expression);
}

/// <summary>Begins queries.</summary>
internal static class LinqQuery
{
    /// <summary>A query of all documents of a collection or entries of an index.</summary>
    /// <param name="indexName">Null: of a collection.</param>
    /// <param name="collectionName">Null: the collection of the type; all documents when it has none.</param>
    // An expression that compares decimals finds their operators by name.
    [DynamicDependency(DynamicallyAccessedMemberTypes.PublicMethods, typeof(decimal))]
    public static IDocumentQueryable<T> Create<T>(IQueryRunner runner, string? indexName = null, string? collectionName = null) =>
        new LinqQuery<T>(
            new DocumentQueryProvider(runner, QuerySettings.Default),
            new SourceExpression(SourceOf(runner.Conventions, typeof(T), indexName, collectionName), typeof(IDocumentQueryable<T>)));

    /// <summary>What a query of a type asks.</summary>
    /// <inheritdoc cref="Create{T}"/>
    /// <exception cref="InvalidOperationException">No document can be in the collection of the type.</exception>
    public static QuerySource SourceOf(DocumentConventions conventions, Type type, string? indexName, string? collectionName)
    {
        if (indexName is null && collectionName is null && !conventions.MayHaveDocuments(type))
        {
            throw new InvalidOperationException(
                $"{type.Name} is {(type.IsInterface ? "an interface" : "an abstract class")}, and no document is in a collection of that name: "
                + $"each class has its own. List the classes on {type.Name} by [JsonDerivedType(typeof(...), \"...\")], give them one collection by "
                + "[Collection] or FindCollectionName, or name the collection or the index that is queried.");
        }

        return new(indexName ?? collectionName ?? conventions.GetCollectionName(type) ?? "@all_docs", indexName is not null, type);
    }

    /// <summary>The RQL of a query with one condition, which is not run.</summary>
    /// <exception cref="QueryTranslationException">The condition has no counterpart in RQL.</exception>
    public static RqlText Translate<T>(TranslationContext context, QuerySource source, Expression<Func<T, bool>> condition)
    {
        Type type = typeof(IDocumentQueryable<T>);
        var whole = new StepExpression(new SourceExpression(source, type), new WhereStep(condition, IsExact: false), type);
        TranslatedQuery query = LinqTranslator.Translate(whole, context, Terminal.Rows);
        return new RqlText(query.Text, query.Parameters);
    }
}
