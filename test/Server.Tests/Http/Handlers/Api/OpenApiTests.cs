using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Tests.Http.Routing;
using Jackdaw.Server.Tests.Security;
using Jackdaw.TestKit;
using Microsoft.OpenApi;
using Microsoft.OpenApi.Reader;

namespace Jackdaw.Server.Tests.Http.Handlers.Api;

/// <summary>/openapi.json and /routes have all routes with all that their registrations say.</summary>
public sealed class OpenApiTests : IAsyncLifetime
{
    private readonly TestCaller _caller = new();
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync(new ServerSetup { Caller = _caller });

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Document_ReadByALibrary_IsOpenApi31WithoutMistakes()
    {
        ReadResult read = OpenApiDocument.Parse((await GetAsync("/openapi.json")).Text, "json");
        Assert.Empty(read.Diagnostic!.Errors);
        Assert.Empty(read.Diagnostic.Warnings);
        Assert.Equal(OpenApiSpecVersion.OpenApi3_1, read.Diagnostic.SpecificationVersion);
        Assert.Equal(RouteListTests.All().Select(method => method.Route.Template).Distinct().Count(), read.Document!.Paths.Count);
        OpenApiOperation terms = read.Document.Paths["/databases/{database}/indexes/terms"].Operations![HttpMethod.Get];
        Assert.Equal(["name", "field", "fromValue", "startsWith", "withCounts", "pageSize"], terms.Parameters!.Select(parameter => parameter.Name));
        Assert.Equal([true, true, false, false, false, false], terms.Parameters!.Select(parameter => parameter.Required));
        Assert.Equal("Lists the terms of a field of an index, in order.", terms.Summary);
    }

    [Fact]
    public async Task Document_EachRoute_IsThereWithWhatItsRegistrationSays()
    {
        JsonElement paths = (await GetAsync("/openapi.json")).Json.GetProperty("paths");
        var names = new HashSet<string>();
        foreach (RouteMethod method in RouteListTests.All())
        {
            JsonElement operation = Find(paths, method);
            Assert.Equal(method.Description.Summary, operation.GetProperty("summary").GetString());
            Assert.Equal(method.Access.ToString(), operation.GetProperty("x-jackdaw-access").GetString());
            Assert.Equal(
                method.Description.Parameters.Select(parameter => (parameter.Name, parameter.IsRequired)),
                Elements(operation, "parameters").Select(one => (one.GetProperty("name").GetString()!, one.GetProperty("required").GetBoolean())));
            Assert.Equal(method.Description.Body is not null, operation.TryGetProperty("requestBody", out _));
            Assert.Equal(
                method.Description.Outcomes.Select(outcome => $"{outcome.Status}").Append("default"),
                operation.GetProperty("responses").EnumerateObject().Select(answer => answer.Name));
            Assert.True(names.Add(operation.GetProperty("operationId").GetString()!), method.Title);
        }
    }

    // Generators of clients fail on a method that OpenAPI does not know.
    [Fact]
    public async Task Document_MethodThatOpenApiDoesNotKnow_StandsInAnExtension()
    {
        JsonElement item = (await GetAsync("/openapi.json")).Json.GetProperty("paths").GetProperty("/databases/{database}/indexes");
        Assert.Equal(["parameters", "put", "get", "delete", "x-jackdaw-methods"], item.EnumerateObject().Select(member => member.Name));
        Assert.Equal("RESET", item.GetProperty("x-jackdaw-methods").EnumerateObject().Single().Name);
    }

    [Fact]
    public async Task Document_SecuredServer_SaysHowCallersSayWhoTheyAre()
    {
        await using SecuredFixture secured = await SecuredFixture.StartAsync();
        JsonElement document = (await secured.SendAsync("GET", "/openapi.json")).Json;
        Assert.Equal("""[{"certificate":[]},{"session":[]}]""", document.GetProperty("security").GetRawText());
        Assert.Equal("mutualTLS", document.GetProperty("components").GetProperty("securitySchemes").GetProperty("certificate").GetProperty("type").GetString());
        JsonElement paths = document.GetProperty("paths");
        Assert.Equal(0, paths.GetProperty("/health/live").GetProperty("get").GetProperty("security").GetArrayLength());
        Assert.False(paths.GetProperty("/databases").GetProperty("get").TryGetProperty("security", out _));

        JsonElement open = (await GetAsync("/openapi.json")).Json;
        Assert.False(open.TryGetProperty("security", out _));
    }

    [Theory]
    [InlineData("/openapi.json")]
    [InlineData("/routes")]
    public async Task Text_Known_IsNotSentAgainAndStrangersDoNotGetIt(string path)
    {
        string tag = (await GetAsync(path)).Header("ETag")!;
        Answer known = await _server.SendAsync("GET", path, null, ("If-None-Match", tag));
        Assert.Equal((304, ""), (known.Status, known.Text));
        Assert.Equal(200, (await _server.SendAsync("GET", path, null, ("If-None-Match", "\"other\""))).Status);

        _caller.Grant(Access.Anonymous);
        (await _server.SendAsync("GET", path)).AssertProblem(403, "InvalidAuth", "ValidUser");
    }

    [Fact]
    public async Task List_EachRoute_IsThereWithItsParametersAndAnExample()
    {
        JsonElement[] routes = [.. (await GetAsync("/routes")).Json.GetProperty("Routes").EnumerateArray()];
        Assert.Equal(RouteListTests.All().Count(), routes.Length);
        JsonElement terms = routes.Single(route => route.GetProperty("Path").GetString() == "/databases/{database}/indexes/terms");
        Assert.Equal("Read", terms.GetProperty("Access").GetString());
        JsonElement name = terms.GetProperty("Parameters")[0];
        Assert.Equal(
            """{"Name":"name","Kind":"Text","Meaning":"The name of the index.","Example":"Orders/ByCompany","IsRequired":true,"IsRepeated":false}""",
            name.GetRawText());
    }

    private static JsonElement Find(JsonElement paths, RouteMethod method)
    {
        JsonElement item = paths.GetProperty(method.Route.Template.Replace("*", "{file}", StringComparison.Ordinal));
        return item.TryGetProperty(method.Name.ToLowerInvariant(), out JsonElement known)
            ? known
            : item.GetProperty("x-jackdaw-methods").GetProperty(method.Name);
    }

    private static IEnumerable<JsonElement> Elements(JsonElement json, string member) =>
        json.TryGetProperty(member, out JsonElement found) ? found.EnumerateArray() : [];

    private async Task<Answer> GetAsync(string path)
    {
        Answer answer = await _server.SendAsync("GET", path);
        Assert.Equal(200, answer.Status);
        return answer;
    }
}
