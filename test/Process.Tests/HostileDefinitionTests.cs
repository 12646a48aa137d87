using System.Text.Json;
using Jackdaw.ProcessTests.Harness;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests;

/// <summary>Definitions and scripts that reach for what they must not have, or never end, one after the other against one process: each is
/// refused or stopped, the process lives, its memory stays bounded, and a write beside them is answered in time.</summary>
public sealed class HostileDefinitionTests(ITestOutputHelper output) : IDisposable
{
    /// <summary>Private memory of the process. Bytes: it came to 330 MB; a definition may allocate 64 MB, a script 32 MB and what one built-in function takes,
    /// and compilers keep what they know.</summary>
    private const long AnonymousBytesMax = 1L << 30;

    /// <summary>A write beside them. Far above what it takes on a busy machine, and far below what the longest of them may take.</summary>
    private static readonly TimeSpan s_writeTimeMax = TimeSpan.FromSeconds(5);

    /// <summary>The tests of the server run each of them within their own process: of so many one is enough here, and all of them at night.</summary>
    private const int OneOf = 12;

    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public Task Definitions_InCSharp_AreRefusedOrStopped() => DefineInCSharpAsync(OneOf);

    [Fact]
    public Task Definitions_InJavaScript_AreRefusedOrStopped() => DefineInJavaScriptAsync(OneOf);

    [Fact]
    public Task Queries_WithScripts_AreRefusedOrStopped() => QueryAsync(OneOf);

    [Fact]
    [Trait("Tier", "Full")]
    public Task DefinitionsAll_InCSharp_AreRefusedOrStopped() => DefineInCSharpAsync(1);

    [Fact]
    [Trait("Tier", "Full")]
    public Task DefinitionsAll_InJavaScript_AreRefusedOrStopped() => DefineInJavaScriptAsync(1);

    [Fact]
    [Trait("Tier", "Full")]
    public Task QueriesAll_WithScripts_AreRefusedOrStopped() => QueryAsync(1);

    private static IEnumerable<T> Some<T>(IEnumerable<T> all, int oneOf) => all.Where((_, i) => i % oneOf == 0);

    private Task DefineInCSharpAsync(int oneOf) => BesideWritesAsync(async server =>
    {
        foreach (string map in Some(HostileDefinitions.Expressions.Select(HostileDefinitions.Map).Concat(HostileDefinitions.Shapes), oneOf))
        {
            await RefusedAsync(server, map, source: null);
        }

        IEnumerable<string> made = HostileDefinitions.Statements.Select(statements => HostileDefinitions.Source(statements));
        foreach (string source in Some(made.Concat(HostileDefinitions.Sources), oneOf))
        {
            await RefusedAsync(server, HostileDefinitions.Map("X.F()"), source);
        }

        foreach (string map in Some(HostileDefinitions.EndlessMaps, oneOf))
        {
            await StoppedAsync(server, map, source: null);
        }

        foreach ((string statements, string members) in Some(HostileDefinitions.Endless, oneOf))
        {
            await StoppedAsync(server, HostileDefinitions.Map("X.F()"), HostileDefinitions.Source(statements, members));
        }
    });

    private Task DefineInJavaScriptAsync(int oneOf) => BesideWritesAsync(async server =>
    {
        foreach (string statements in Some(HostileScripts.Statements, oneOf))
        {
            Answer put = await PutAsync(server, $"map('Orders', o => {{ {statements} }})", source: null);
            Assert.True(put.Status is 201 or 400 or 500, $"{statements}\n{put.Text}");
            if (put.Status == 201)
            {
                await AskAsync(server, statements);
            }
        }
    });

    private Task QueryAsync(int oneOf) => BesideWritesAsync(async server =>
    {
        foreach (string statements in Some(HostileScripts.Statements, oneOf))
        {
            string query = $"declare function f(o) {{ {statements} }} from Orders as o select {{ v: f(o) }}";
            Answer answer = await server.SendAsync("POST", "/databases/shop/queries", JsonSerializer.Serialize(new { Query = query }));
            bool isAnswered = answer.Status == 200 || (answer.Status is 400 or 500 && answer.Text.Contains(".JavaScript", StringComparison.Ordinal))
                || (answer.Status == 400 && answer.Text.Contains(".InvalidQueryException", StringComparison.Ordinal));
            Assert.True(isAnswered, $"{statements}\n{answer.Status} {answer.Text}");
        }
    });

    private async Task BesideWritesAsync(Func<RunningServer, Task> attack)
    {
        using RunningServer server = await RunningServer.StartAsync(_folder);
        await server.CreateDatabaseAsync("shop");
        string order = HostileDefinitions.Document[..^1] + ""","@metadata":{"@collection":"Orders"}}""";
        Assert.Equal(201, (await server.PutAsync("shop", "orders/1", order)).Status);
        await using (var bystander = new Bystander(server))
        {
            await attack(server);
            await bystander.StopAsync();
            output.WriteLine($"{bystander}; {ProcessFigures.Describe(server.Process.Id)}");
            Assert.InRange(bystander.Slowest, TimeSpan.Zero, s_writeTimeMax);
            Assert.InRange(bystander.AnonymousBytes, 0, AnonymousBytesMax);
        }

        Assert.False(server.Process.HasExited);
        await server.AssertServesAsync("shop");
        await server.StopAsync();
    }

    private static Task<Answer> PutAsync(RunningServer server, string map, string? source)
    {
        var sources = new Dictionary<string, string>();
        if (source is not null)
        {
            sources["X.cs"] = source;
        }

        return server.SendAsync("PUT", "/databases/shop/admin/indexes", JsonSerializer.Serialize(new
        {
            Indexes = new[] { new { Name = "Hostile", Maps = new[] { map }, AdditionalSources = sources } },
        }));
    }

    private static async Task RefusedAsync(RunningServer server, string map, string? source)
    {
        Answer put = await PutAsync(server, map, source);
        Assert.True(put.Status == 500 && put.Text.Contains("IndexCompilationException", StringComparison.Ordinal), $"{map}\n{source}\n{put.Status} {put.Text}");
    }

    private static async Task StoppedAsync(RunningServer server, string map, string? source)
    {
        Answer put = await PutAsync(server, map, source);
        Assert.True(put.Status == 201, $"{map}\n{source}\n{put.Text}");
        string answer = await AskAsync(server, map + source);
        Assert.Contains("\"TotalResults\":0", answer, StringComparison.Ordinal);
    }

    // Waits until the index has tried the document; then it goes.
    private static async Task<string> AskAsync(RunningServer server, string text)
    {
        string query = JsonSerializer.Serialize(new { Query = "from index 'Hostile'", WaitForNonStaleResults = true });
        Answer answer = await server.SendAsync("POST", "/databases/shop/queries", query);
        Assert.True(answer.Status == 200 && answer.Text.Contains("\"IsStale\":false", StringComparison.Ordinal), $"{text}\n{answer.Status} {answer.Text}");
        await server.ExpectAsync(204, "DELETE", "/databases/shop/indexes?name=Hostile");
        return answer.Text;
    }
}
