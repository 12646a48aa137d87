using System.Diagnostics.Metrics;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Server.Http.Handlers;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Notices;

namespace Jackdaw.Server.Tests.Http.Routing;

/// <summary>Routes with the access they need are committed text, so that each change of it is seen.</summary>
public sealed class RouteListTests
{
    private const string GoldenFile = "routes.golden.txt";

    [Fact]
    public async Task Routes_AccessAndTraits_AreThoseOfTheGoldenFile()
    {
        string[] golden = await File.ReadAllLinesAsync(Path.Combine(AppContext.BaseDirectory, "Http", "Routing", GoldenFile));
        string[] routes = [.. All().Select(Describe).Order(StringComparer.Ordinal)];
        string[] changes = [.. golden.Except(routes).Select(line => $"- {line}"), .. routes.Except(golden).Select(line => $"+ {line}")];
        Assert.True(
            changes.Length == 0,
            $"The routes are not those of {GoldenFile}. If that is meant, change the file:{Environment.NewLine}{string.Join(Environment.NewLine, changes)}");
        Assert.Equal(routes, golden); // sorted, each once
    }

    [Fact]
    public void Routes_InMultiGet_AreReadsOfADatabaseThatEnd()
    {
        foreach (RouteMethod method in All().Where(method => method.Has(RouteTraits.InMultiGet)))
        {
            Assert.True(method.Route.IsOfDatabase, Describe(method));
            Assert.True(method.Name is "GET" or "POST", Describe(method));
            Assert.False(method.Has(RouteTraits.Streams), Describe(method));
        }
    }

    [Fact]
    public void Routes_OfADatabase_NeedAnAccessToIt() => Assert.All(
        All().Where(method => method.Route.IsOfDatabase), method => Assert.InRange(method.Access, Access.Read, Access.Admin));

    [Fact]
    public void Routes_OfAdministrators_NeedMoreThanWritingDocuments() => Assert.All(
        All().Where(method => method.Route.Pattern.StartsWith("/admin/", StringComparison.Ordinal) && method.Route.Pattern != "/admin/databases"),
        method => Assert.InRange(method.Access, Access.Admin, Access.Node));

    // A route that asks its parts lets in everybody who may send one of them, and nobody else.
    [Fact]
    public void Routes_WithParts_NeedWhatTheirLeastDemandingPartNeeds()
    {
        Assert.Equal(Least(TestCommands.Kinds.OfBatch), Find("POST", "/bulk_docs").Access);
        Assert.Equal(Least(TestCommands.Kinds.OfBulkInsert), Find("POST", "/bulk_insert").Access);
        Assert.Equal(new WatchKinds(StandardExtensions.All).All.Min(kind => kind.Access), Find("GET", "/changes").Access);
        Assert.Equal(All().Where(method => method.Has(RouteTraits.InMultiGet)).Min(method => method.Access), Find("POST", "/multi_get").Access);
    }

    /// <summary>The methods of all routes.</summary>
    internal static IEnumerable<RouteMethod> All() => Routes.Build(new Meter("test"), hasStudio: true).All.SelectMany(route => route.Methods);

    private static RouteMethod Find(string method, string pattern) =>
        All().Single(found => found.Name == method && found.Route.IsOfDatabase && found.Route.Pattern == pattern);

    private static Access Least(CommandKinds kinds) => kinds.All.Min(kind => kind.Access);

    private static string Describe(RouteMethod method) => $"{method.Route.Template} {method.Name} {method.Access} {method.Traits}";
}
