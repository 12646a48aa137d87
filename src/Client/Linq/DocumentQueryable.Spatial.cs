using System.Linq.Expressions;
using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.Linq;

/// <summary>Shapes and distances.</summary>
public static partial class DocumentQueryable
{
    /// <summary>A condition of shapes that documents have: <c>Spatial(f => f.Point(x => x.Lat, x => x.Lng), c => c.WithinRadius(20, 48.4,
    /// 10))</c>.</summary>
    public static IDocumentQueryable<T> Spatial<T>(
        this IQueryable<T> source, Func<SpatialFieldFactory<T>, SpatialField> field, Func<SpatialCriteriaFactory, SpatialCriteria> criteria) =>
        ByShape(source, field(new SpatialFieldFactory<T>()).Place, criteria);

    /// <summary>A condition of shapes in a field of an index.</summary>
    public static IDocumentQueryable<T> Spatial<T>(
        this IQueryable<T> source, Expression<Func<T, object?>> field, Func<SpatialCriteriaFactory, SpatialCriteria> criteria) =>
        ByShape(source, InField(field), criteria);

    /// <inheritdoc cref="Spatial{T}(IQueryable{T}, Expression{Func{T, object}}, Func{SpatialCriteriaFactory, SpatialCriteria})"/>
    public static IDocumentQueryable<T> Spatial<T>(this IQueryable<T> source, string field, Func<SpatialCriteriaFactory, SpatialCriteria> criteria) =>
        ByShape(source, Named(field), criteria);

    /// <summary>The nearest to a point first.</summary>
    /// <param name="round">Distances are rounded to multiples of it, so that a further order applies among them; 0: they are not.</param>
    public static IDocumentQueryable<T> OrderByDistance<T>(
        this IQueryable<T> source, Func<SpatialFieldFactory<T>, SpatialField> field, double latitude, double longitude, double round = 0) =>
        ByDistance(source, field(new SpatialFieldFactory<T>()).Place, Point(latitude, longitude), round);

    /// <inheritdoc cref="OrderByDistance{T}(IQueryable{T}, Func{SpatialFieldFactory{T}, SpatialField}, double, double, double)"/>
    public static IDocumentQueryable<T> OrderByDistance<T>(
        this IQueryable<T> source, Expression<Func<T, object?>> field, double latitude, double longitude, double round = 0) =>
        ByDistance(source, InField(field), Point(latitude, longitude), round);

    /// <inheritdoc cref="OrderByDistance{T}(IQueryable{T}, Func{SpatialFieldFactory{T}, SpatialField}, double, double, double)"/>
    public static IDocumentQueryable<T> OrderByDistance<T>(this IQueryable<T> source, string field, double latitude, double longitude, double round = 0) =>
        ByDistance(source, Named(field), Point(latitude, longitude), round);

    /// <summary>The nearest to a shape first.</summary>
    /// <param name="shape">The shape as WKT, in which the longitude comes first.</param>
    public static IDocumentQueryable<T> OrderByDistance<T>(
        this IQueryable<T> source, Func<SpatialFieldFactory<T>, SpatialField> field, string shape, double round = 0) =>
        ByDistance(source, field(new SpatialFieldFactory<T>()).Place, Shape(shape), round);

    /// <inheritdoc cref="OrderByDistance{T}(IQueryable{T}, Func{SpatialFieldFactory{T}, SpatialField}, string, double)"/>
    public static IDocumentQueryable<T> OrderByDistance<T>(this IQueryable<T> source, string field, string shape, double round = 0) =>
        ByDistance(source, Named(field), Shape(shape), round);

    /// <summary>The farthest from a point first.</summary>
    /// <param name="round">Distances are rounded to multiples of it, so that a further order applies among them; 0: they are not.</param>
    public static IDocumentQueryable<T> OrderByDistanceDescending<T>(
        this IQueryable<T> source, Func<SpatialFieldFactory<T>, SpatialField> field, double latitude, double longitude, double round = 0) =>
        ByDistance(source, field(new SpatialFieldFactory<T>()).Place, Point(latitude, longitude), round, isDescending: true);

    /// <inheritdoc cref="OrderByDistanceDescending{T}(IQueryable{T}, Func{SpatialFieldFactory{T}, SpatialField}, double, double, double)"/>
    public static IDocumentQueryable<T> OrderByDistanceDescending<T>(
        this IQueryable<T> source, string field, double latitude, double longitude, double round = 0) =>
        ByDistance(source, Named(field), Point(latitude, longitude), round, isDescending: true);

    private static LinqQuery<T> ByShape<T>(IQueryable<T> source, SpatialPlace place, Func<SpatialCriteriaFactory, SpatialCriteria> criteria) =>
        Of(source).With(StepOf(place, criteria));

    private static LinqQuery<T> ByDistance<T>(IQueryable<T> source, SpatialPlace place, SpatialShape from, double round, bool isDescending = false) =>
        Of(source).With(new DistanceStep(place, from, round, isDescending));

    internal static SpatialStep StepOf(SpatialPlace place, Func<SpatialCriteriaFactory, SpatialCriteria> criteria)
    {
        ArgumentNullException.ThrowIfNull(criteria);
        SpatialCriteria wanted = criteria(new SpatialCriteriaFactory());
        return new SpatialStep(place, wanted.Relation.ToString().ToLowerInvariant(), wanted.Shape, wanted.ErrorPercent);
    }

    internal static SpatialPlace InField(LambdaExpression field) => new(null, null, null, field, null);

    internal static SpatialPlace Named(string field)
    {
        ArgumentException.ThrowIfNullOrEmpty(field);
        return new SpatialPlace(null, null, null, null, field);
    }

    internal static SpatialShape Point(double latitude, double longitude) => new(null, latitude, longitude, null, null);

    internal static SpatialShape Shape(string text)
    {
        ArgumentException.ThrowIfNullOrEmpty(text);
        return new SpatialShape(null, 0, 0, text, null);
    }
}
