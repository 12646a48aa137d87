using System.Linq.Expressions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;

namespace Jackdaw.Client.DocumentQueries;

/// <summary>A query that is built call by call, for conditions that a program knows only when it runs.</summary>
/// <remarks>
/// Each call changes the query and returns it; <see cref="DocumentQueryConversions"/> converts it to LINQ queries and back. Consecutive conditions
/// must all hold, unless <see cref="OrElse"/> is between them; <c>and</c> binds tighter than <c>or</c>. Fields are named by expressions, or by
/// paths such as
/// <c>Address.City</c>, <c>Lines[].Product</c>, <c>id()</c>; in queries of an index, texts are the names of its fields. Values are always
/// parameters. A condition that cannot be asked throws a <see cref="QueryTranslationException"/> when the query runs. The query is not safe for
/// concurrent use.
/// </remarks>
/// <typeparam name="T">What rows become.</typeparam>
/// <typeparam name="TSelf">The query itself.</typeparam>
public interface IDocumentQueryBase<T, TSelf>
{
    /// <summary>The next condition, or subclause, must not hold.</summary>
    TSelf Not { get; }

    /// <summary>The operator between conditions that have none. Default: and.</summary>
    /// <exception cref="InvalidOperationException">There are conditions already.</exception>
    TSelf UsingDefaultOperator(QueryOperator queryOperator);

    /// <summary>The field has the value. Texts are compared without casing.</summary>
    /// <param name="exact">With casing.</param>
    TSelf WhereEquals(string field, object? value, bool exact = false);

    /// <inheritdoc cref="WhereEquals(string, object, bool)"/>
    TSelf WhereEquals<TValue>(Expression<Func<T, TValue>> field, TValue? value, bool exact = false);

    /// <summary>The field does not have the value, or there is no such field.</summary>
    /// <param name="exact">With casing.</param>
    TSelf WhereNotEquals(string field, object? value, bool exact = false);

    /// <inheritdoc cref="WhereNotEquals(string, object, bool)"/>
    TSelf WhereNotEquals<TValue>(Expression<Func<T, TValue>> field, TValue? value, bool exact = false);

    /// <summary>The field is greater than the value. Nothing is greater than null.</summary>
    /// <param name="exact">With casing.</param>
    TSelf WhereGreaterThan(string field, object? value, bool exact = false);

    /// <inheritdoc cref="WhereGreaterThan(string, object, bool)"/>
    TSelf WhereGreaterThan<TValue>(Expression<Func<T, TValue>> field, TValue? value, bool exact = false);

    /// <summary>The field is the value or greater. Nothing is greater than null.</summary>
    /// <param name="exact">With casing.</param>
    TSelf WhereGreaterThanOrEqual(string field, object? value, bool exact = false);

    /// <inheritdoc cref="WhereGreaterThanOrEqual(string, object, bool)"/>
    TSelf WhereGreaterThanOrEqual<TValue>(Expression<Func<T, TValue>> field, TValue? value, bool exact = false);

    /// <summary>The field is less than the value. Nothing is less than null.</summary>
    /// <param name="exact">With casing.</param>
    TSelf WhereLessThan(string field, object? value, bool exact = false);

    /// <inheritdoc cref="WhereLessThan(string, object, bool)"/>
    TSelf WhereLessThan<TValue>(Expression<Func<T, TValue>> field, TValue? value, bool exact = false);

    /// <summary>The field is the value or less. Nothing is less than null.</summary>
    /// <param name="exact">With casing.</param>
    TSelf WhereLessThanOrEqual(string field, object? value, bool exact = false);

    /// <inheritdoc cref="WhereLessThanOrEqual(string, object, bool)"/>
    TSelf WhereLessThanOrEqual<TValue>(Expression<Func<T, TValue>> field, TValue? value, bool exact = false);

    /// <summary>The field lies between two values, or is one of them.</summary>
    /// <param name="start">Null: no lower end.</param>
    /// <param name="end">Null: no upper end.</param>
    /// <param name="exact">With casing.</param>
    TSelf WhereBetween(string field, object? start, object? end, bool exact = false);

    /// <inheritdoc cref="WhereBetween(string, object, object, bool)"/>
    TSelf WhereBetween<TValue>(Expression<Func<T, TValue>> field, TValue? start, TValue? end, bool exact = false);

    /// <summary>The field has one of the values.</summary>
    /// <param name="exact">With casing.</param>
    TSelf WhereIn<TValue>(string field, IEnumerable<TValue> values, bool exact = false);

    /// <inheritdoc cref="WhereIn{TValue}(string, IEnumerable{TValue}, bool)"/>
    TSelf WhereIn<TValue>(Expression<Func<T, TValue>> field, IEnumerable<TValue> values, bool exact = false);

    /// <summary>The list has at least one of the values.</summary>
    TSelf ContainsAny<TValue>(string field, IEnumerable<TValue> values);

    /// <inheritdoc cref="ContainsAny{TValue}(string, IEnumerable{TValue})"/>
    TSelf ContainsAny<TValue>(Expression<Func<T, IEnumerable<TValue>?>> field, IEnumerable<TValue> values);

    /// <summary>The list has all the values.</summary>
    TSelf ContainsAll<TValue>(string field, IEnumerable<TValue> values);

    /// <inheritdoc cref="ContainsAll{TValue}(string, IEnumerable{TValue})"/>
    TSelf ContainsAll<TValue>(Expression<Func<T, IEnumerable<TValue>?>> field, IEnumerable<TValue> values);

    /// <summary>The text begins with this.</summary>
    /// <param name="exact">With casing.</param>
    TSelf WhereStartsWith(string field, string value, bool exact = false);

    /// <inheritdoc cref="WhereStartsWith(string, string, bool)"/>
    TSelf WhereStartsWith(Expression<Func<T, object?>> field, string value, bool exact = false);

    /// <summary>The text ends with this.</summary>
    /// <param name="exact">With casing.</param>
    TSelf WhereEndsWith(string field, string value, bool exact = false);

    /// <inheritdoc cref="WhereEndsWith(string, string, bool)"/>
    TSelf WhereEndsWith(Expression<Func<T, object?>> field, string value, bool exact = false);

    /// <summary>There is such a field; null is a value, too.</summary>
    TSelf WhereExists(string field);

    /// <inheritdoc cref="WhereExists(string)"/>
    TSelf WhereExists(Expression<Func<T, object?>> field);

    /// <summary>The text matches a regular expression.</summary>
    TSelf WhereRegex(string field, string pattern);

    /// <inheritdoc cref="WhereRegex(string, string)"/>
    TSelf WhereRegex(Expression<Func<T, object?>> field, string pattern);

    /// <summary>A condition in the language of Lucene.</summary>
    /// <param name="exact">With casing.</param>
    TSelf WhereLucene(string field, string condition, bool exact = false);

    /// <summary>Full text: the field has the words.</summary>
    /// <param name="terms">Words, "phrases in quotes", words with stars.</param>
    /// <param name="operator">Whether all words are needed.</param>
    TSelf Search(string field, string terms, SearchOperator @operator = SearchOperator.Or);

    /// <inheritdoc cref="Search(string, string, SearchOperator)"/>
    TSelf Search(Expression<Func<T, object?>> field, string terms, SearchOperator @operator = SearchOperator.Or);

    /// <summary>The condition before it counts more, or less, for the score.</summary>
    /// <param name="factor">Above 0; 1 changes nothing.</param>
    TSelf Boost(decimal factor);

    /// <summary>The value of the <c>WhereEquals</c> before it may be mistyped.</summary>
    /// <param name="similarity">Above 0, up to 1.</param>
    TSelf Fuzzy(decimal similarity);

    /// <summary>The words of the <c>Search</c> before it must be near each other.</summary>
    /// <param name="distance">Largest number of words between them.</param>
    TSelf Proximity(int distance);

    /// <summary>The next condition, or subclause, must not hold.</summary>
    TSelf NegateNext();

    /// <summary>The conditions before and after it must both hold. That is the default, too.</summary>
    /// <param name="wrapPrevious">Whether everything before it becomes one condition: <c>(a or b) and c</c>.</param>
    TSelf AndAlso(bool wrapPrevious = false);

    /// <summary>The condition before it or the one after it must hold.</summary>
    TSelf OrElse();

    /// <summary>Begins a group of conditions: a parenthesis.</summary>
    TSelf OpenSubclause();

    /// <summary>Ends a group of conditions.</summary>
    TSelf CloseSubclause();

    /// <summary>The conditions before and after it must hold for entries of the same document in an index, but need not hold for the same
    /// entry.</summary>
    TSelf Intersect();

    /// <summary>A condition that the server checks on each document that the other conditions have found. It needs no index, but a scan.</summary>
    /// <param name="limit">Largest number of documents to check.</param>
    TSelf Filter(Expression<Func<T, bool>> predicate, int limit = int.MaxValue);

    /// <summary>A condition of shapes in a field of an index.</summary>
    TSelf Spatial(string field, Func<SpatialCriteriaFactory, SpatialCriteria> criteria);

    /// <inheritdoc cref="Spatial(string, Func{SpatialCriteriaFactory, SpatialCriteria})"/>
    TSelf Spatial(Expression<Func<T, object?>> field, Func<SpatialCriteriaFactory, SpatialCriteria> criteria);

    /// <summary>A condition of shapes that documents have: <c>Spatial(f => f.Point(x => x.Lat, x => x.Lng), c => c.WithinRadius(20, 48.4,
    /// 10))</c>.</summary>
    TSelf Spatial(Func<SpatialFieldFactory<T>, SpatialField> field, Func<SpatialCriteriaFactory, SpatialCriteria> criteria);

    /// <summary>The shape in a field of an index lies within a circle.</summary>
    /// <param name="units">Units of the radius. Null for the units of the field, which are kilometers by default.</param>
    /// <param name="errorPercent">How large the error of the server may be. Null for its default.</param>
    TSelf WithinRadiusOf(
        string field, double radius, double latitude, double longitude, SpatialUnits? units = null, double? errorPercent = null);

    /// <inheritdoc cref="WithinRadiusOf(string, double, double, double, SpatialUnits?, double?)"/>
    TSelf WithinRadiusOf(
        Expression<Func<T, object?>> field, double radius, double latitude, double longitude, SpatialUnits? units = null, double? errorPercent = null);

    /// <summary>The shape in a field of an index has a given relation to another shape.</summary>
    /// <param name="shape">The shape as WKT, in which the longitude comes first.</param>
    TSelf RelatesToShape(string field, string shape, SpatialRelation relation, SpatialUnits? units = null, double? errorPercent = null);

    /// <inheritdoc cref="RelatesToShape(string, string, SpatialRelation, SpatialUnits?, double?)"/>
    TSelf RelatesToShape(
        Expression<Func<T, object?>> field, string shape, SpatialRelation relation, SpatialUnits? units = null, double? errorPercent = null);

    /// <summary>The documents whose vectors are nearest to a vector, the nearest first unless the query has another order:
    /// <c>VectorSearch(f => f.WithEmbedding(x => x.Vector), v => v.ByEmbedding(vector)).Take(10)</c>.</summary>
    /// <param name="minimumSimilarity">The least cosine, from -1 to 1; null: all documents with a vector match.</param>
    /// <param name="numberOfCandidates">More find the nearest more surely, and take longer; null: as many as the index needs for its target.</param>
    /// <param name="isExact">The server compares with every vector instead of walking from neighbour to neighbour.</param>
    TSelf VectorSearch(
        Func<VectorFieldFactory<T>, VectorField> field, Func<VectorValueFactory, VectorValue> value,
        float? minimumSimilarity = null, int? numberOfCandidates = null, bool isExact = false);

    /// <inheritdoc cref="VectorSearch(Func{VectorFieldFactory{T}, VectorField}, Func{VectorValueFactory, VectorValue}, float?, int?, bool)"/>
    /// <param name="field">Vectors of numbers of 32 bits in documents, or a field of vectors of an index.</param>
    TSelf VectorSearch(
        string field, Func<VectorValueFactory, VectorValue> value, float? minimumSimilarity = null, int? numberOfCandidates = null, bool isExact = false);

    /// <inheritdoc cref="VectorSearch(string, Func{VectorValueFactory, VectorValue}, float?, int?, bool)"/>
    TSelf VectorSearch(
        Expression<Func<T, object?>> field, Func<VectorValueFactory, VectorValue> value, float? minimumSimilarity = null, int? numberOfCandidates = null,
        bool isExact = false);

    /// <summary>Documents that are similar to another one, the most similar first. Only for indexes that users define.</summary>
    TSelf MoreLikeThis(Action<MoreLikeThisBuilder<T>> document);

    /// <summary>An order. The next order applies among rows that are equal so far.</summary>
    TSelf OrderBy(string field, OrderingType ordering = OrderingType.String, NullsOrdering nulls = NullsOrdering.Default);

    /// <summary>An order by a sorter that users have defined on the server.</summary>
    TSelf OrderBy(string field, string sorterName);

    /// <summary>An order by values, compared according to their type. The next order applies among rows that are equal so far.</summary>
    TSelf OrderBy<TValue>(Expression<Func<T, TValue>> field);

    /// <inheritdoc cref="OrderBy(string, OrderingType, NullsOrdering)"/>
    TSelf OrderBy<TValue>(Expression<Func<T, TValue>> field, OrderingType ordering, NullsOrdering nulls = NullsOrdering.Default);

    /// <inheritdoc cref="OrderBy(string, OrderingType, NullsOrdering)"/>
    TSelf OrderByDescending(string field, OrderingType ordering = OrderingType.String, NullsOrdering nulls = NullsOrdering.Default);

    /// <inheritdoc cref="OrderBy(string, string)"/>
    TSelf OrderByDescending(string field, string sorterName);

    /// <inheritdoc cref="OrderBy{TValue}(Expression{Func{T, TValue}})"/>
    TSelf OrderByDescending<TValue>(Expression<Func<T, TValue>> field);

    /// <inheritdoc cref="OrderBy(string, OrderingType, NullsOrdering)"/>
    TSelf OrderByDescending<TValue>(Expression<Func<T, TValue>> field, OrderingType ordering, NullsOrdering nulls = NullsOrdering.Default);

    /// <summary>The best matches first.</summary>
    TSelf OrderByScore();

    /// <summary>The best matches last.</summary>
    TSelf OrderByScoreDescending();

    /// <summary>The nearest to a point first.</summary>
    /// <param name="round">Distances are rounded to multiples of it, so that a further order applies among them; 0: they are not.</param>
    TSelf OrderByDistance(string field, double latitude, double longitude, double round = 0);

    /// <inheritdoc cref="OrderByDistance(string, double, double, double)"/>
    TSelf OrderByDistance(Func<SpatialFieldFactory<T>, SpatialField> field, double latitude, double longitude, double round = 0);

    /// <summary>The nearest to a shape first.</summary>
    /// <param name="shape">The shape as WKT, in which the longitude comes first.</param>
    TSelf OrderByDistance(string field, string shape, double round = 0);

    /// <summary>The farthest from a point first.</summary>
    /// <param name="round">Distances are rounded to multiples of it, so that a further order applies among them; 0: they are not.</param>
    TSelf OrderByDistanceDescending(string field, double latitude, double longitude, double round = 0);

    /// <inheritdoc cref="OrderByDistanceDescending(string, double, double, double)"/>
    TSelf OrderByDistanceDescending(Func<SpatialFieldFactory<T>, SpatialField> field, double latitude, double longitude, double round = 0);

    /// <summary>Rows in a random order.</summary>
    /// <param name="seed">The same seed gives the same order; null: another one each time.</param>
    TSelf RandomOrdering(string? seed = null);

    /// <summary>Equal rows count once.</summary>
    TSelf Distinct();

    /// <summary>Largest number of rows.</summary>
    TSelf Take(int count);

    /// <summary>Number of rows that are left out at the beginning.</summary>
    TSelf Skip(int count);

    /// <summary>Groups by fields; each element of a list, as in <c>Lines[].Product</c>, is a key of its own.</summary>
    TSelf GroupBy(string field, params string[] others);

    /// <inheritdoc cref="GroupBy(string, string[])"/>
    TSelf GroupBy(params Expression<Func<T, object?>>[] fields);

    /// <summary>Groups by whole lists: documents with the same elements in the same order are one group.</summary>
    TSelf GroupByArrayContent(params string[] fields);

    /// <summary>Selects the key of a group.</summary>
    /// <param name="field">The key; null for the only key, or for all of them as an object.</param>
    /// <param name="projectedName">Null: as the field is called.</param>
    TSelf SelectKey(string? field = null, string? projectedName = null);

    /// <summary>Selects the sum of a field over each group.</summary>
    /// <param name="projectedName">Null: as the field is called.</param>
    TSelf SelectSum(string field, string? projectedName = null);

    /// <summary>Selects how many documents each group has.</summary>
    TSelf SelectCount(string projectedName = "Count");

    /// <summary>Includes the documents whose ids are in a field, so that loading them needs no request.</summary>
    TSelf Include(string path);

    /// <inheritdoc cref="Include(string)"/>
    TSelf Include(Expression<Func<T, object?>> path);

    /// <summary>Includes several things.</summary>
    TSelf Include(Action<QueryIncludeBuilder<T>> includes);

    /// <summary>The server says why each result has its score.</summary>
    TSelf IncludeExplanations(out QueryExplanations explanations);

    /// <summary>The server says how long each step took.</summary>
    TSelf Timings(out QueryTimings timings);

    /// <summary>Pieces of a text with the words that a search found marked.</summary>
    /// <param name="fragmentLength">Characters of a piece.</param>
    /// <param name="fragmentCount">Largest number of pieces of a document.</param>
    TSelf Highlight(string field, int fragmentLength, int fragmentCount, out Highlightings highlightings, HighlightingOptions? options = null);

    /// <inheritdoc cref="Highlight(string, int, int, out Highlightings, HighlightingOptions)"/>
    TSelf Highlight(
        Expression<Func<T, object?>> field, int fragmentLength, int fragmentCount, out Highlightings highlightings, HighlightingOptions? options = null);

    /// <summary>The answer waits until the index has read everything that was written before.</summary>
    /// <param name="timeout">Null: 15 seconds.</param>
    TSelf WaitForNonStaleResults(TimeSpan? timeout = null);

    /// <summary>The session does not track the results.</summary>
    TSelf NoTracking();

    /// <summary>No cache is used.</summary>
    TSelf NoCaching();

    /// <summary>Where the values of a projection come from.</summary>
    TSelf Projection(ProjectionBehavior behavior);

    /// <summary>What the server says about the query after it has run.</summary>
    TSelf Statistics(out QueryStatistics statistics);

    /// <summary>Called before each run, with the query as it will be sent.</summary>
    TSelf BeforeQueryExecuted(Action<IndexQuery> action);

    /// <summary>Counts the results by values of a field, or by ranges of them.</summary>
    FacetQuery<T> AggregateBy(Action<FacetBuilder<T>> facet);

    /// <summary>Counts the results by the facets of a stored setup.</summary>
    FacetQuery<T> AggregateUsing(string facetSetupDocumentId);

    /// <summary>Terms of a field that are similar to a text, for words that were mistyped.</summary>
    SuggestionQuery<T> SuggestUsing(Action<SuggestionBuilder<T>> suggestion);

    /// <summary>The same as a LINQ query, in its current state: later calls do not change it.</summary>
    IDocumentQueryable<T> ToQueryable();

    /// <summary>The RQL with its parameters. Nothing is sent.</summary>
    RqlText ToRql();
}
