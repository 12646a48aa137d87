using System.Linq.Expressions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Linq.Conditions;
using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.DocumentQueries;

/// <summary>Conditions.</summary>
internal abstract partial class DocumentQueryBase<T, TSelf>
{
    public TSelf Not => NegateNext();

    public TSelf WhereEquals(string field, object? value, bool exact = false) => Compare(QueryField.Of(field), "=", value, exact);

    public TSelf WhereEquals<TValue>(Expression<Func<T, TValue>> field, TValue? value, bool exact = false) =>
        Compare(QueryField.Of(field), "=", value, exact);

    public TSelf WhereNotEquals(string field, object? value, bool exact = false) => Compare(QueryField.Of(field), "!=", value, exact);

    public TSelf WhereNotEquals<TValue>(Expression<Func<T, TValue>> field, TValue? value, bool exact = false) =>
        Compare(QueryField.Of(field), "!=", value, exact);

    public TSelf WhereGreaterThan(string field, object? value, bool exact = false) => Compare(QueryField.Of(field), ">", value, exact);

    public TSelf WhereGreaterThan<TValue>(Expression<Func<T, TValue>> field, TValue? value, bool exact = false) =>
        Compare(QueryField.Of(field), ">", value, exact);

    public TSelf WhereGreaterThanOrEqual(string field, object? value, bool exact = false) => Compare(QueryField.Of(field), ">=", value, exact);

    public TSelf WhereGreaterThanOrEqual<TValue>(Expression<Func<T, TValue>> field, TValue? value, bool exact = false) =>
        Compare(QueryField.Of(field), ">=", value, exact);

    public TSelf WhereLessThan(string field, object? value, bool exact = false) => Compare(QueryField.Of(field), "<", value, exact);

    public TSelf WhereLessThan<TValue>(Expression<Func<T, TValue>> field, TValue? value, bool exact = false) =>
        Compare(QueryField.Of(field), "<", value, exact);

    public TSelf WhereLessThanOrEqual(string field, object? value, bool exact = false) => Compare(QueryField.Of(field), "<=", value, exact);

    public TSelf WhereLessThanOrEqual<TValue>(Expression<Func<T, TValue>> field, TValue? value, bool exact = false) =>
        Compare(QueryField.Of(field), "<=", value, exact);

    public TSelf WhereBetween(string field, object? start, object? end, bool exact = false) =>
        Add(new FieldRange(QueryField.Of(field), start, end), exact);

    public TSelf WhereBetween<TValue>(Expression<Func<T, TValue>> field, TValue? start, TValue? end, bool exact = false) =>
        Add(new FieldRange(QueryField.Of(field), start, end), exact);

    public TSelf WhereIn<TValue>(string field, IEnumerable<TValue> values, bool exact = false) =>
        AddList(QueryField.Of(field), values, isAll: false, exact);

    public TSelf WhereIn<TValue>(Expression<Func<T, TValue>> field, IEnumerable<TValue> values, bool exact = false) =>
        AddList(QueryField.Of(field), values, isAll: false, exact);

    public TSelf ContainsAny<TValue>(string field, IEnumerable<TValue> values) => AddList(QueryField.Of(field), values, isAll: false);

    public TSelf ContainsAny<TValue>(Expression<Func<T, IEnumerable<TValue>?>> field, IEnumerable<TValue> values) =>
        AddList(QueryField.Of(field), values, isAll: false);

    public TSelf ContainsAll<TValue>(string field, IEnumerable<TValue> values) => AddList(QueryField.Of(field), values, isAll: true);

    public TSelf ContainsAll<TValue>(Expression<Func<T, IEnumerable<TValue>?>> field, IEnumerable<TValue> values) =>
        AddList(QueryField.Of(field), values, isAll: true);

    public TSelf WhereStartsWith(string field, string value, bool exact = false) => AddCall("startsWith", QueryField.Of(field), value, exact);

    public TSelf WhereStartsWith(Expression<Func<T, object?>> field, string value, bool exact = false) =>
        AddCall("startsWith", QueryField.Of(field), value, exact);

    public TSelf WhereEndsWith(string field, string value, bool exact = false) => AddCall("endsWith", QueryField.Of(field), value, exact);

    public TSelf WhereEndsWith(Expression<Func<T, object?>> field, string value, bool exact = false) =>
        AddCall("endsWith", QueryField.Of(field), value, exact);

    public TSelf WhereExists(string field) => Add(new FieldCall("exists", QueryField.Of(field), []));

    public TSelf WhereExists(Expression<Func<T, object?>> field) => Add(new FieldCall("exists", QueryField.Of(field), []));

    public TSelf WhereRegex(string field, string pattern) => AddCall("regex", QueryField.Of(field), pattern);

    public TSelf WhereRegex(Expression<Func<T, object?>> field, string pattern) => AddCall("regex", QueryField.Of(field), pattern);

    public TSelf WhereLucene(string field, string condition, bool exact = false) => AddCall("lucene", QueryField.Of(field), condition, exact);

    public TSelf Search(string field, string terms, SearchOperator @operator = SearchOperator.Or) => AddSearch(QueryField.Of(field), terms, @operator);

    public TSelf Search(Expression<Func<T, object?>> field, string terms, SearchOperator @operator = SearchOperator.Or) =>
        AddSearch(QueryField.Of(field), terms, @operator);

    public TSelf Spatial(string field, Func<SpatialCriteriaFactory, SpatialCriteria> criteria) => AddShape(DocumentQueryable.Named(field), criteria);

    public TSelf Spatial(Expression<Func<T, object?>> field, Func<SpatialCriteriaFactory, SpatialCriteria> criteria) =>
        AddShape(DocumentQueryable.InField(field), criteria);

    public TSelf Spatial(Func<SpatialFieldFactory<T>, SpatialField> field, Func<SpatialCriteriaFactory, SpatialCriteria> criteria) =>
        AddShape(PlaceOf(field), criteria);

    public TSelf WithinRadiusOf(
        string field, double radius, double latitude, double longitude, SpatialUnits? units = null, double? errorPercent = null) =>
        Spatial(field, shape => shape.WithinRadius(radius, latitude, longitude, units, errorPercent));

    public TSelf WithinRadiusOf(
        Expression<Func<T, object?>> field, double radius, double latitude, double longitude, SpatialUnits? units = null, double? errorPercent = null) =>
        Spatial(field, shape => shape.WithinRadius(radius, latitude, longitude, units, errorPercent));

    public TSelf RelatesToShape(string field, string shape, SpatialRelation relation, SpatialUnits? units = null, double? errorPercent = null) =>
        Spatial(field, factory => factory.RelatesToShape(shape, relation, units, errorPercent));

    public TSelf RelatesToShape(
        Expression<Func<T, object?>> field, string shape, SpatialRelation relation, SpatialUnits? units = null, double? errorPercent = null) =>
        Spatial(field, factory => factory.RelatesToShape(shape, relation, units, errorPercent));

    public TSelf VectorSearch(
        Func<VectorFieldFactory<T>, VectorField> field, Func<VectorValueFactory, VectorValue> value,
        float? minimumSimilarity = null, int? numberOfCandidates = null, bool isExact = false) =>
        Add(new StepCondition(DocumentQueryable.StepOf(field, value, minimumSimilarity, numberOfCandidates, isExact)));

    public TSelf VectorSearch(
        string field, Func<VectorValueFactory, VectorValue> value, float? minimumSimilarity = null, int? numberOfCandidates = null, bool isExact = false) =>
        VectorSearch(vectors => vectors.WithField(field), value, minimumSimilarity, numberOfCandidates, isExact);

    public TSelf VectorSearch(
        Expression<Func<T, object?>> field, Func<VectorValueFactory, VectorValue> value, float? minimumSimilarity = null, int? numberOfCandidates = null,
        bool isExact = false) =>
        VectorSearch(vectors => vectors.WithField(field), value, minimumSimilarity, numberOfCandidates, isExact);

    public TSelf MoreLikeThis(Action<MoreLikeThisBuilder<T>> document) => Add(new StepCondition(DocumentQueryable.StepOf(document)));

    public TSelf Boost(decimal factor)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(factor);
        State.Conditions.Score("boost", factor, static _ => true, "a condition");
        return Self;
    }

    public TSelf Fuzzy(decimal similarity)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(similarity);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(similarity, 1);
        State.Conditions.Score("fuzzy", similarity, static condition => condition is FieldComparison { Operator: "=" }, "WhereEquals");
        return Self;
    }

    public TSelf Proximity(int distance)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(distance);
        State.Conditions.Score("proximity", distance, static condition => condition is FieldCall { Name: "search" }, "Search");
        return Self;
    }

    public TSelf UsingDefaultOperator(QueryOperator queryOperator)
    {
        State.Conditions.SetDefault(queryOperator == QueryOperator.Or);
        return Self;
    }

    public TSelf NegateNext()
    {
        State.Conditions.Negate();
        return Self;
    }

    public TSelf AndAlso(bool wrapPrevious = false)
    {
        State.Conditions.Connect(isOr: false, wrapPrevious);
        return Self;
    }

    public TSelf OrElse()
    {
        State.Conditions.Connect(isOr: true, wraps: false);
        return Self;
    }

    public TSelf OpenSubclause()
    {
        State.Conditions.Open();
        return Self;
    }

    public TSelf CloseSubclause()
    {
        State.Conditions.Close();
        return Self;
    }

    public TSelf Intersect()
    {
        State.Conditions.Intersect();
        return Self;
    }

    private TSelf Compare(QueryField field, string sign, object? value, bool exact) => Add(new FieldComparison(field, sign, value), exact);

    private TSelf AddList<TValue>(QueryField field, IEnumerable<TValue> values, bool isAll, bool exact = false)
    {
        ArgumentNullException.ThrowIfNull(values);
        return Add(new FieldList(field, isAll, [.. values.Select(value => (object?)value)]), exact);
    }

    private TSelf AddCall(string name, QueryField field, string value, bool exact = false)
    {
        ArgumentNullException.ThrowIfNull(value);
        return Add(new FieldCall(name, field, [value]), exact);
    }

    private TSelf AddSearch(QueryField field, string terms, SearchOperator between)
    {
        ArgumentNullException.ThrowIfNull(terms);
        return Add(new FieldCall("search", field, [terms], between == SearchOperator.And ? "and" : null));
    }

    private TSelf AddShape(SpatialPlace place, Func<SpatialCriteriaFactory, SpatialCriteria> criteria) =>
        Add(new StepCondition(DocumentQueryable.StepOf(place, criteria)));

    private TSelf Add(DocumentCondition condition, bool exact = false)
    {
        State.Conditions.Add(exact ? new ExactCondition(condition) : condition);
        return Self;
    }
}
