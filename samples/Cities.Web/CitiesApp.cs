using Jackdaw.Client.AspNetCore;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;

namespace Jackdaw.Cities.Web;

/// <summary>The web application: a page that finds cities, and edits one.</summary>
public static class CitiesApp
{
    private const int PageSize = 20;

    /// <summary>Makes the application.</summary>
    /// <param name="args">Settings, as <c>--Jackdaw:Urls=http://127.0.0.1:8080</c>.</param>
    public static WebApplication Build(string[] args)
    {
        // The page is beside the program, wherever that is started.
        WebApplicationBuilder builder = WebApplication.CreateBuilder(new WebApplicationOptions { Args = args, ContentRootPath = AppContext.BaseDirectory });
        builder.Services.AddJackdaw(builder.Configuration.GetSection("Jackdaw"));
        builder.Services.AddHealthChecks().AddJackdaw();
        builder.Services.AddHostedService<FirstCities>();
        WebApplication app = builder.Build();
        app.UseDefaultFiles();
        app.UseStaticFiles();
        app.MapHealthChecks("/health");
        var reads = new CachedReads(app.Configuration.GetValue("Cities:AggressiveCache", true));
        RouteGroupBuilder api = app.MapGroup("/api").AddEndpointFilter(reads);
        api.MapGet("/cities", FindAsync);
        api.MapGet("/cities/near", NearAsync);
        api.MapGet("/city", GetAsync);
        api.MapPut("/city", PutAsync);
        app.MapGet("/api/traffic", () => reads.Traffic);
        return app;
    }

    private static Task<List<City>> FindAsync(IAsyncDocumentSession session, string prefix = "", int skip = 0) =>
        session.ByPrefix(prefix).Skip(skip).Take(PageSize).ToListAsync();

    private static Task<List<City>> NearAsync(IAsyncDocumentSession session, double lat, double lng, double km = 100) =>
        session.Near(lat, lng, km).Take(PageSize).ToListAsync();

    private static async Task<IResult> GetAsync(IAsyncDocumentSession session, string id) => await session.LoadAsync<City>(id) is { } city
        ? Results.Ok(new CityPage(city, session.Advanced.GetChangeVectorFor(city)))
        : Results.NotFound();

    // Who saves a form that was filled from an older version is told, and nothing is lost.
    private static async Task<IResult> PutAsync(IAsyncDocumentSession session, string id, CityChange change)
    {
        if (string.IsNullOrWhiteSpace(change.Name))
        {
            return Results.BadRequest("A city has a name.");
        }

        if (string.IsNullOrEmpty(change.Version))
        {
            return Results.BadRequest("Say which version of the city was changed.");
        }

        if (await session.LoadAsync<City>(id) is not { } city)
        {
            return Results.NotFound();
        }

        (city.Name, city.Note) = (change.Name.Trim(), change.Note);
        await session.StoreAsync(city, change.Version, id);
        session.Advanced.WaitForIndexesAfterSaveChanges(); // the next search finds the new name
        try
        {
            await session.SaveChangesAsync();
        }
        catch (ConcurrencyException)
        {
            return Results.Conflict("Somebody else has changed this city. Load it again.");
        }

        return Results.Ok(new CityPage(city, session.Advanced.GetChangeVectorFor(city)));
    }
}
