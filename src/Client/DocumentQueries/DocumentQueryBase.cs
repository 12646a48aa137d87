using System.Linq.Expressions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Linq.Conditions;
using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.DocumentQueries;

/// <summary>The common part of both kinds of document queries: calls become steps of a LINQ query.</summary>
internal abstract partial class DocumentQueryBase<T, TSelf>(DocumentQueryState state)
{
    protected DocumentQueryState State => state;

    protected abstract TSelf Self { get; }

    public TSelf Filter(Expression<Func<T, bool>> predicate, int limit = int.MaxValue)
    {
        ArgumentNullException.ThrowIfNull(predicate);
        return With(new FilterStep(predicate, limit));
    }

    public TSelf OrderBy(string field, OrderingType ordering = OrderingType.String, NullsOrdering nulls = NullsOrdering.Default) =>
        Order(QueryField.Of(field), ordering, nulls, isDescending: false);

    public TSelf OrderBy(string field, string sorterName) => Order(field, sorterName, isDescending: false);

    public TSelf OrderBy<TValue>(Expression<Func<T, TValue>> field) => With(new OrderStep(QueryField.Of(field), null, null, false, IsThen: true));

    public TSelf OrderBy<TValue>(Expression<Func<T, TValue>> field, OrderingType ordering, NullsOrdering nulls = NullsOrdering.Default) =>
        Order(QueryField.Of(field), ordering, nulls, isDescending: false);

    public TSelf OrderByDescending(string field, OrderingType ordering = OrderingType.String, NullsOrdering nulls = NullsOrdering.Default) =>
        Order(QueryField.Of(field), ordering, nulls, isDescending: true);

    public TSelf OrderByDescending(string field, string sorterName) => Order(field, sorterName, isDescending: true);

    public TSelf OrderByDescending<TValue>(Expression<Func<T, TValue>> field) => With(new OrderStep(QueryField.Of(field), null, null, true, IsThen: true));

    public TSelf OrderByDescending<TValue>(Expression<Func<T, TValue>> field, OrderingType ordering, NullsOrdering nulls = NullsOrdering.Default) =>
        Order(QueryField.Of(field), ordering, nulls, isDescending: true);

    public TSelf OrderByScore() => With(new ScoreStep(IsDescending: false, IsThen: true));

    public TSelf OrderByScoreDescending() => With(new ScoreStep(IsDescending: true, IsThen: true));

    public TSelf OrderByDistance(string field, double latitude, double longitude, double round = 0) =>
        ByDistance(DocumentQueryable.Named(field), DocumentQueryable.Point(latitude, longitude), round, isDescending: false);

    public TSelf OrderByDistance(Func<SpatialFieldFactory<T>, SpatialField> field, double latitude, double longitude, double round = 0) =>
        ByDistance(PlaceOf(field), DocumentQueryable.Point(latitude, longitude), round, isDescending: false);

    public TSelf OrderByDistance(string field, string shape, double round = 0) =>
        ByDistance(DocumentQueryable.Named(field), DocumentQueryable.Shape(shape), round, isDescending: false);

    public TSelf OrderByDistanceDescending(string field, double latitude, double longitude, double round = 0) =>
        ByDistance(DocumentQueryable.Named(field), DocumentQueryable.Point(latitude, longitude), round, isDescending: true);

    public TSelf OrderByDistanceDescending(Func<SpatialFieldFactory<T>, SpatialField> field, double latitude, double longitude, double round = 0) =>
        ByDistance(PlaceOf(field), DocumentQueryable.Point(latitude, longitude), round, isDescending: true);

    public TSelf RandomOrdering(string? seed = null)
    {
        State.Add(new RandomStep(seed, IsThen: true));
        return NoCaching();
    }

    public TSelf Distinct()
    {
        State.IsDistinct = true;
        return Self;
    }

    public TSelf Take(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        State.Take = count;
        return Self;
    }

    public TSelf Skip(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        State.Skip = count;
        return Self;
    }

    public TSelf GroupBy(string field, params string[] others) => Group([.. others.Prepend(field).Select(QueryField.Of)], isWhole: false);

    public TSelf GroupBy(params Expression<Func<T, object?>>[] fields) => Group([.. fields.Select(QueryField.Of)], isWhole: false);

    public TSelf GroupByArrayContent(params string[] fields) => Group([.. fields.Select(QueryField.Of)], isWhole: true);

    public TSelf SelectKey(string? field = null, string? projectedName = null) =>
        OfGroups(new GroupItemStep(field is null ? "key" : null, field is null ? null : QueryField.Of(field), projectedName));

    public TSelf SelectSum(string field, string? projectedName = null) => OfGroups(new GroupItemStep("sum", QueryField.Of(field), projectedName));

    public TSelf SelectCount(string projectedName = "Count") => OfGroups(new GroupItemStep("count", null, projectedName));

    public FacetQuery<T> AggregateBy(Action<FacetBuilder<T>> facet) => Build().AggregateBy(facet);

    public FacetQuery<T> AggregateUsing(string facetSetupDocumentId) => Build().AggregateUsing(facetSetupDocumentId);

    public SuggestionQuery<T> SuggestUsing(Action<SuggestionBuilder<T>> suggestion) => Build().SuggestUsing(suggestion);

    public IDocumentQueryable<T> ToQueryable() => Build();

    public RqlText ToRql() => Build().ToRql();

    /// <summary>The RQL.</summary>
    public override string ToString() => ToRql().Query;

    protected LinqQuery<T> Build() => State.Build<T>();

    protected TSelf With(QueryStep step)
    {
        State.Add(step);
        return Self;
    }

    /// <summary>A query that continues from here with one more step.</summary>
    protected DocumentQueryState Next(QueryStep? step)
    {
        DocumentQueryState next = State.Copy();
        if (step is not null)
        {
            next.Add(step);
        }

        return next;
    }

    /// <summary>The selection of fields by their names.</summary>
    protected static SelectFieldsStep FieldsOf<TProjection>(string[] fields)
    {
        ArgumentNullException.ThrowIfNull(fields);
        return fields.Length == 0
            ? throw new ArgumentException("It selects nothing: name the fields that you want.", nameof(fields))
            : new SelectFieldsStep([.. fields.Select(field => QueryField.Of(field).Path!)], fields.Length == 1 && Expressions.IsLeaf(typeof(TProjection)));
    }

    private static SpatialPlace PlaceOf(Func<SpatialFieldFactory<T>, SpatialField> field)
    {
        ArgumentNullException.ThrowIfNull(field);
        return field(new SpatialFieldFactory<T>()).Place;
    }

    private TSelf Order(QueryField field, OrderingType ordering, NullsOrdering nulls, bool isDescending) => With(
        new OrderStep(field, DocumentQueryable.NameOf(ordering), DocumentQueryable.NameOf(nulls), isDescending, IsThen: true));

    private TSelf Order(string field, string sorterName, bool isDescending)
    {
        ArgumentException.ThrowIfNullOrEmpty(sorterName);
        return With(new OrderStep(QueryField.Of(field), null, null, isDescending, IsThen: true, sorterName));
    }

    private TSelf ByDistance(SpatialPlace place, SpatialShape from, double round, bool isDescending) =>
        With(new DistanceStep(place, from, round, isDescending, IsThen: true));

    private TSelf Group(QueryField[] keys, bool isWhole) => keys.Length == 0
        ? throw new ArgumentException("Groups have a key: name a field.", nameof(keys))
        : With(new GroupKeysStep(keys, isWhole));

    private TSelf OfGroups(GroupItemStep item) => State.IsGrouped
        ? With(item)
        : throw new InvalidOperationException("Keys, counts and sums belong to groups: call GroupBy first.");
}
