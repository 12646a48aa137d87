using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Spatial;
using CultureInfo = System.Globalization.CultureInfo;
using NumberStyles = System.Globalization.NumberStyles;

namespace Jackdaw.Queries.Searching.Translation;

/// <summary>Turns the spatial conditions and orders of a query into those of a search.</summary>
internal sealed class SpatialConditions(QuerySyntax query, ParameterValues parameters, bool isAuto, SearchConditions conditions)
{
    /// <summary>The search of a condition; null when the condition is not spatial.</summary>
    /// <exception cref="InvalidQueryException">The query cannot be run as it is written.</exception>
    public SearchNode? TryTranslate(MethodExpression method)
    {
        SpatialRelation? relation = method.Name.ToLowerInvariant() switch
        {
            "spatial.within" => SpatialRelation.Within,
            "spatial.contains" => SpatialRelation.Contains,
            "spatial.intersects" => SpatialRelation.Intersects,
            "spatial.disjoint" => SpatialRelation.Disjoint,
            _ => null,
        };
        if (relation is not { } asked)
        {
            return null;
        }

        var node = new SpatialNode(FieldOf(method.Arguments[0].Value), asked, ShapeOf(method.Arguments[1].Value));
        return method.Arguments.Count == 3 ? node with { ErrorPercentage = NumberOf(method.Arguments[2].Value) } : node;
    }

    /// <summary>The key of an order by distance.</summary>
    /// <exception cref="InvalidQueryException">The order is not possible as it is written.</exception>
    public SortKey ToSort(OrderKey key, MethodExpression method, NullOrder nulls)
    {
        (double y, double x) = CentreOf(method.Arguments[1].Value);
        double roundTo = method.Arguments.Count == 3 ? RoundingOf(method.Arguments[2].Value) : 0;
        return new SortKey(SortBy.Distance, FieldOf(method.Arguments[0].Value), key.IsDescending, nulls) { Y = y, X = x, RoundTo = roundTo };
    }

    private string FieldOf(Expression field) => isAuto && field is not FieldExpression
        ? conditions.NoteField(DynamicSpatialField.Read(query, field).Name)
        : conditions.FieldOf(field);

    private SearchShape ShapeOf(Expression shape)
    {
        if (shape is MethodExpression method)
        {
            switch (method.Name.ToLowerInvariant())
            {
                case "spatial.circle":
                    return new CircleShape(
                        NumberOf(method.Arguments[0].Value), NumberOf(method.Arguments[1].Value), NumberOf(method.Arguments[2].Value), UnitOf(method, 3));
                case "spatial.wkt":
                    return new TextShape(parameters.Resolve(method.Arguments[0].Value).Text, UnitOf(method, 1));
                case "spatial.point":
                    return new TextShape(ShapeReader.ToText(NumberOf(method.Arguments[0].Value), NumberOf(method.Arguments[1].Value)));
            }
        }

        throw InvalidQueryException.At(query.Text, shape.TextPosition,
            "a shape is expected here: spatial.circle(<radius>, <latitude>, <longitude>), spatial.wkt(<text>) or spatial.point(<latitude>, <longitude>).");
    }

    private (double Y, double X) CentreOf(Expression shape)
    {
        try
        {
            return ShapeOf(shape) switch
            {
                CircleShape circle => (circle.Y, circle.X),
                TextShape text when ShapeReader.Read(text.WellKnownText, new SpatialSettings(IsGeography: false)) is PointShape point => (point.Y, point.X),
                _ => throw InvalidQueryException.At(query.Text, shape.TextPosition, "distances are measured from a point."),
            };
        }
        catch (FormatException e)
        {
            throw InvalidQueryException.At(query.Text, shape.TextPosition, e.Message);
        }
    }

    private double NumberOf(Expression expression) => parameters.Resolve(expression) is { IsNumber: true } number
        ? number.Double
        : throw InvalidQueryException.At(query.Text, expression.TextPosition, "a number is expected here.");

    // Some clients send null for no rounding, and the number as a text.
    private double RoundingOf(Expression expression) => parameters.Resolve(expression) switch
    {
        { Kind: QueryValueKind.Null } => 0,
        { IsNumber: true, Double: >= 0 } number => number.Double,
        { Kind: QueryValueKind.String } text when double.TryParse(text.Text, NumberStyles.Float, CultureInfo.InvariantCulture, out double rounding)
            && rounding >= 0 && double.IsFinite(rounding) => rounding,
        _ => throw InvalidQueryException.At(query.Text, expression.TextPosition, "distances are rounded to a number of 0 or more, or not at all with null."),
    };

    private DistanceUnit? UnitOf(MethodExpression method, int argument)
    {
        if (method.Arguments.Count <= argument)
        {
            return null;
        }

        Expression expression = method.Arguments[argument].Value;
        return parameters.Resolve(expression).Text.ToLowerInvariant() switch
        {
            "kilometers" => DistanceUnit.Kilometers,
            "miles" => DistanceUnit.Miles,
            _ => throw InvalidQueryException.At(query.Text, expression.TextPosition, "the unit of a distance is 'Kilometers' or 'Miles'."),
        };
    }
}
