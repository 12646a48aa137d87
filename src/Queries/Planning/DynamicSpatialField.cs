using Jackdaw.Indexing.Auto;
using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Planning;

/// <summary>Spatial fields that a query names by the paths they are made of: <c>spatial.point(Lat, Lng)</c>, <c>spatial.wkt(Area)</c>, or
/// the same in quotes.</summary>
internal static class DynamicSpatialField
{
    /// <summary>Reads a spatial field.</summary>
    /// <returns>The name of the field in the index, and what it is made of.</returns>
    /// <exception cref="InvalidQueryException">The expression is not a spatial field.</exception>
    public static (string Name, AutoSpatial Spatial) Read(QuerySyntax query, Expression field)
    {
        Expression expression = field is LiteralExpression { Kind: LiteralKind.String } quoted ? ParseQuoted(query, quoted) : field;
        if (expression is MethodExpression method)
        {
            string[] paths = [.. method.Arguments.Select(argument => argument.Value).Select(path => query.PathOf(path)?.Text).OfType<string>()];
            if (method.Is("spatial.point") && paths.Length == 2)
            {
                return ($"spatial.point({paths[0]}, {paths[1]})", new AutoSpatial(paths[0], paths[1], null));
            }

            if (method.Is("spatial.wkt") && paths.Length == 1)
            {
                return ($"spatial.wkt({paths[0]})", new AutoSpatial(null, null, paths[0]));
            }
        }

        throw InvalidQueryException.At(query.Text, field.TextPosition,
            "a spatial field of a collection is spatial.point(<path of the latitude>, <path of the longitude>) or spatial.wkt(<path>).");
    }

    // Clients put the expression into quotes when they order by it.
    private static Expression ParseQuoted(QuerySyntax query, LiteralExpression quoted)
    {
        try
        {
            return QueryParser.Parse($"from x order by {quoted.Text}").OrderBy[0].Key;
        }
        catch (InvalidQueryException)
        {
            throw InvalidQueryException.At(query.Text, quoted.TextPosition, $"'{quoted.Text}' is not a spatial field.");
        }
    }
}
