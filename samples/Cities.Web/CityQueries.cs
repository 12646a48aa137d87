using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;

namespace Jackdaw.Cities.Web;

/// <summary>The two ways to find cities.</summary>
internal static class CityQueries
{
    /// <summary>By the beginning of their names, in their order.</summary>
    public static IQueryable<City> ByPrefix(this IAsyncDocumentSession session, string prefix) => session.Query<City>()
        .Where(city => city.Name.StartsWith(prefix, StringComparison.OrdinalIgnoreCase))
        .OrderBy(city => city.Name);

    /// <summary>Near a place, the nearest first.</summary>
    public static IQueryable<City> Near(this IAsyncDocumentSession session, double lat, double lng, double km) => session.Query<City>()
        .Spatial(field => field.Point(city => city.Lat, city => city.Lng), shape => shape.WithinRadius(km, lat, lng))
        .OrderByDistance(field => field.Point(city => city.Lat, city => city.Lng), lat, lng);
}
