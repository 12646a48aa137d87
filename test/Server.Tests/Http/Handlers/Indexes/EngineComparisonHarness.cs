using System.Text.Json;
using Jackdaw.Server.Tests.Additions;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>A server with two engines and documents, for tests of comparisons.</summary>
public abstract class EngineComparisonHarness : IAsyncLifetime
{
    protected const string Path = "/admin/indexes/compare-engines";
    protected const string Map = "from o in docs.Orders select new { o.Company, o.Total }";
    protected const int Orders = 60;

    private ServerFixture? _server;

    private protected StandInEngine Own { get; } = new();

    private protected ServerFixture Server => _server!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync(new ServerSetup { Engines = StandInEngine.Both(Own) });
        for (int i = 0; i < Orders; i++)
        {
            await Server.PutAsync(
                $"Orders/{i}", "Orders", $$"""{"Company":"companies/{{i % 3}}","Total":{{i}},"Lines":[{"Item":"tea"},{"Item":"milk and tea"}]}""");
        }

        await Server.PutAsync("companies/1", "Companies", """{"Name":"Acme"}""");
    }

    public async Task DisposeAsync() => await Server.DisposeAsync();

    protected Task<JsonElement> CompareAsync(object definition, params string[] queries) => CompareAsync(definition, null, queries);

    protected async Task<JsonElement> CompareAsync(object definition, int? size, params string[] queries)
    {
        Answer answer = await Server.DbAsync("POST", Path, BodyOf(definition, size, queries));
        Assert.True(answer.Status == 200, answer.Text);
        return answer.Json;
    }

    protected async Task AssertNothingStaysAsync()
    {
        Assert.Equal(0, (await Server.DbAsync("GET", "/indexes")).Json.GetProperty("Results").GetArrayLength());
        Assert.Empty(Server.Setup.Platform.ListDirectory("/data/Databases/db1/Indexes"));
    }

    protected static string BodyOf(object definition, int? size, params string[] queries) =>
        JsonSerializer.Serialize(new { Definition = definition, SampleSize = size, Queries = queries });

    protected static int IntOf(JsonElement parent, string member) => parent.GetProperty(member).GetInt32();

    protected static string[] TextsOf(JsonElement parent, string member) => [.. parent.GetProperty(member).EnumerateArray().Select(text => text.GetString()!)];
}
