using System.Linq.Expressions;
using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.Linq;

/// <summary>Units of distances.</summary>
public enum SpatialUnits
{
    Kilometers,
    Miles,
}

/// <summary>The relation of a shape to another one.</summary>
public enum SpatialRelation
{
    Within,
    Contains,
    Disjoint,
    Intersects,
}

/// <summary>Where shapes are in documents.</summary>
public sealed class SpatialField
{
    internal SpatialField(SpatialPlace place) => Place = place;

    internal SpatialPlace Place { get; }
}

/// <summary>Says where shapes are in documents.</summary>
public sealed class SpatialFieldFactory<T>
{
    internal SpatialFieldFactory()
    {
    }

    /// <summary>A point, by two numbers.</summary>
    public SpatialField Point(Expression<Func<T, object?>> latitude, Expression<Func<T, object?>> longitude) =>
        new(new SpatialPlace(latitude, longitude, null, null, null));

    /// <summary>A shape, by a text in WKT.</summary>
    public SpatialField Wkt(Expression<Func<T, object?>> text) => new(new SpatialPlace(null, null, text, null, null));
}

/// <summary>A condition of shapes.</summary>
public sealed class SpatialCriteria
{
    internal SpatialCriteria(SpatialRelation relation, SpatialShape shape, double? error) => (Relation, Shape, ErrorPercent) = (relation, shape, error);

    internal SpatialRelation Relation { get; }

    internal SpatialShape Shape { get; }

    internal double? ErrorPercent { get; }
}

/// <summary>Conditions of shapes.</summary>
[System.Diagnostics.CodeAnalysis.SuppressMessage("Performance", "CA1822", Justification = "Users call them on the parameter of their lambda.")]
public sealed class SpatialCriteriaFactory
{
    internal SpatialCriteriaFactory()
    {
    }

    /// <summary>Within a circle.</summary>
    /// <param name="units">Units of the radius. Null for the units of the field, which are kilometers by default.</param>
    /// <param name="errorPercent">How large the error of the server may be. Null for its default.</param>
    public SpatialCriteria WithinRadius(double radius, double latitude, double longitude, SpatialUnits? units = null, double? errorPercent = null) =>
        new(SpatialRelation.Within, new SpatialShape(radius, latitude, longitude, null, units?.ToString()), errorPercent);

    /// <summary>Has a given relation to a shape.</summary>
    /// <param name="shape">The shape as WKT, in which the longitude comes first.</param>
    public SpatialCriteria RelatesToShape(string shape, SpatialRelation relation, SpatialUnits? units = null, double? errorPercent = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(shape);
        return new SpatialCriteria(relation, new SpatialShape(null, 0, 0, shape, units?.ToString()), errorPercent);
    }

    /// <summary>Lies within a shape.</summary>
    public SpatialCriteria Within(string shape) => RelatesToShape(shape, SpatialRelation.Within);

    /// <summary>Contains a shape.</summary>
    public SpatialCriteria Contains(string shape) => RelatesToShape(shape, SpatialRelation.Contains);

    /// <summary>Has points in common with a shape.</summary>
    public SpatialCriteria Intersects(string shape) => RelatesToShape(shape, SpatialRelation.Intersects);

    /// <summary>Has no points in common with a shape.</summary>
    public SpatialCriteria Disjoint(string shape) => RelatesToShape(shape, SpatialRelation.Disjoint);
}
