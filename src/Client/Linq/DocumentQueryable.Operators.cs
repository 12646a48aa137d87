using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;
using Jackdaw.Client.Linq.Conditions;
using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.Linq;

/// <summary>Conditions, orders, projections and groups.</summary>
public static partial class DocumentQueryable
{
    /// <summary>A condition in which texts are compared with regard to case.</summary>
    /// <param name="exact">False: without regard to case, as in <c>Where</c> of LINQ.</param>
    public static IDocumentQueryable<T> Where<T>(this IQueryable<T> source, Expression<Func<T, bool>> predicate, bool exact) =>
        exact ? Of(source).With(new WhereStep(predicate, IsExact: true)) : Of(Queryable.Where(source, predicate));

    /// <summary>Full text: documents whose field has the words.</summary>
    /// <param name="terms">Words, "phrases in quotes", words with stars.</param>
    /// <param name="boost">Above 1: such documents come first in an order by score.</param>
    /// <param name="operator">Whether all words are needed.</param>
    public static IDocumentQueryable<T> Search<T>(
        this IQueryable<T> source, Expression<Func<T, object?>> field, string terms, decimal boost = 1, SearchOptions options = SearchOptions.Guess,
        SearchOperator @operator = SearchOperator.Or)
    {
        ArgumentNullException.ThrowIfNull(terms);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(boost);
        SearchJoin join = options.HasFlag(SearchOptions.And) ? SearchJoin.And : options.HasFlag(SearchOptions.Or) ? SearchJoin.Or : SearchJoin.Guess;
        string? word = @operator == SearchOperator.And ? "and" : null;
        return Of(source).With(new SearchStep(QueryField.Of(field), terms, boost, join, options.HasFlag(SearchOptions.Not), word));
    }

    /// <summary>Full text: documents whose field has one of the texts.</summary>
    public static IDocumentQueryable<T> Search<T>(
        this IQueryable<T> source, Expression<Func<T, object?>> field, IEnumerable<string> terms, decimal boost = 1,
        SearchOptions options = SearchOptions.Guess, SearchOperator @operator = SearchOperator.Or) =>
        source.Search(field, string.Join(' ', terms), boost, options, @operator);

    /// <summary>A condition that the server checks on each document that the conditions before it have found. It needs no index, but a
    /// scan.</summary>
    /// <param name="limit">Largest number of documents to check.</param>
    public static IDocumentQueryable<T> Filter<T>(this IQueryable<T> source, Expression<Func<T, bool>> predicate, int limit = int.MaxValue) =>
        Of(source).With(new FilterStep(predicate, limit));

    /// <summary>An order by values that are compared in a given way.</summary>
    public static IDocumentQueryable<T> OrderBy<T>(
        this IQueryable<T> source, Expression<Func<T, object?>> key, OrderingType type, NullsOrdering nulls = NullsOrdering.Default) =>
        Ordered(source, key, type, nulls, isDescending: false, isThen: false);

    /// <inheritdoc cref="OrderBy{T}"/>
    public static IDocumentQueryable<T> OrderByDescending<T>(
        this IQueryable<T> source, Expression<Func<T, object?>> key, OrderingType type, NullsOrdering nulls = NullsOrdering.Default) =>
        Ordered(source, key, type, nulls, isDescending: true, isThen: false);

    /// <summary>The order of rows that are equal so far.</summary>
    public static IDocumentQueryable<T> ThenBy<T>(
        this IQueryable<T> source, Expression<Func<T, object?>> key, OrderingType type, NullsOrdering nulls = NullsOrdering.Default) =>
        Ordered(source, key, type, nulls, isDescending: false, isThen: true);

    /// <inheritdoc cref="ThenBy{T}"/>
    public static IDocumentQueryable<T> ThenByDescending<T>(
        this IQueryable<T> source, Expression<Func<T, object?>> key, OrderingType type, NullsOrdering nulls = NullsOrdering.Default) =>
        Ordered(source, key, type, nulls, isDescending: true, isThen: true);

    /// <summary>The best matches first.</summary>
    public static IDocumentQueryable<T> OrderByScore<T>(this IQueryable<T> source) => Of(source).With(new ScoreStep(IsDescending: false, IsThen: false));

    /// <summary>The best matches last.</summary>
    public static IDocumentQueryable<T> OrderByScoreDescending<T>(this IQueryable<T> source) =>
        Of(source).With(new ScoreStep(IsDescending: true, IsThen: false));

    /// <summary>The best matches first, among rows that are equal so far.</summary>
    public static IDocumentQueryable<T> ThenByScore<T>(this IQueryable<T> source) => Of(source).With(new ScoreStep(IsDescending: false, IsThen: true));

    /// <summary>The best matches last, among rows that are equal so far.</summary>
    public static IDocumentQueryable<T> ThenByScoreDescending<T>(this IQueryable<T> source) =>
        Of(source).With(new ScoreStep(IsDescending: true, IsThen: true));

    /// <summary>Rows of another type. They are made from the properties of documents that have the same names as the members of this
    /// type.</summary>
    public static IDocumentQueryable<TResult> ProjectInto<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties | DynamicallyAccessedMemberTypes.PublicFields)] TResult>(
        this IQueryable source)
    {
        ProjectStep step = MembersOf<TResult>();
        return source is ILinqQuery query
            ? new LinqQuery<TResult>(query.DocumentProvider, new StepExpression(source.Expression, step, typeof(IDocumentQueryable<TResult>)))
            : throw NoQuery(nameof(source));
    }

    /// <summary>Groups by the elements of a list: a document is in the group of each of its elements.</summary>
    public static IDocumentQueryable<IGrouping<TItem, T>> GroupByArrayValues<T, TItem>(
        this IQueryable<T> source, Expression<Func<T, IEnumerable<TItem>>> list) =>
        Of(source).With<IGrouping<TItem, T>>(new GroupArrayStep(list, typeof(TItem), IsWhole: false));

    /// <summary>Groups by whole lists: documents with the same elements in the same order are one group.</summary>
    public static IDocumentQueryable<IGrouping<IEnumerable<TItem>, T>> GroupByArrayContent<T, TItem>(
        this IQueryable<T> source, Expression<Func<T, IEnumerable<TItem>>> list) =>
        Of(source).With<IGrouping<IEnumerable<TItem>, T>>(new GroupArrayStep(list, typeof(TItem), IsWhole: true));

    private static LinqQuery<T> Ordered<T>(
        IQueryable<T> source, LambdaExpression key, OrderingType type, NullsOrdering nulls, bool isDescending, bool isThen)
    {
        string name = NameOf(type);
        return Of(source).With(new OrderStep(QueryField.Of(key), name, NameOf(nulls), isDescending, isThen));
    }

    /// <summary>The name in RQL.</summary>
    internal static string NameOf(OrderingType type) => type switch
    {
        OrderingType.Long => "long",
        OrderingType.Double => "double",
        OrderingType.AlphaNumeric => "alphaNumeric",
        _ => "string",
    };

    /// <inheritdoc cref="NameOf(OrderingType)"/>
    internal static string? NameOf(NullsOrdering nulls) => nulls == NullsOrdering.Default ? null : nulls == NullsOrdering.First ? "first" : "last";

    /// <summary>All members of a type that can be set.</summary>
    internal static ProjectStep MembersOf<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties | DynamicallyAccessedMemberTypes.PublicFields)] TResult>()
    {
        IEnumerable<MemberInfo> properties = typeof(TResult).GetProperties(BindingFlags.Public | BindingFlags.Instance)
            .Where(property => property.SetMethod is { IsPublic: true } && property.GetIndexParameters().Length == 0);
        return new ProjectStep([.. properties, .. typeof(TResult).GetFields(BindingFlags.Public | BindingFlags.Instance)]);
    }

    private static ArgumentException NoQuery(string name) => new("It is not a query of a session: begin with session.Query<T>().", name);
}
