using System.Diagnostics;
using System.Text.Json;
using Jackdaw.ProcessTests.Harness;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests;

/// <summary>Scripts of patches that never end, take all memory or reach for the host, one after the other against one process: each is
/// stopped with the error of a script and changes nothing, the process lives, and a write beside them is answered in time.</summary>
public sealed class HostilePatchTests(ITestOutputHelper output) : IDisposable
{
    /// <summary>Private memory of the process. Bytes: a script may allocate 32 MB and what one built-in function takes.</summary>
    private const long AnonymousBytesMax = 1L << 30;

    private const int Clients = 4;

    /// <summary>A write beside them. Far above what it takes on a busy machine, and far below what the longest of them may take.</summary>
    private static readonly TimeSpan s_writeTimeMax = TimeSpan.FromSeconds(5);

    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>What only patches can be made to do: documents without end, results that are too large, the host, other patches.</summary>
    private static IReadOnlyList<string> OfPatches { get; } =
    [
        "for (let i = 0; ; i++) put('many/' + i, { i });",
        "put('large/1', { text: 'x'.repeat(2e6), more: Array.from({ length: 90000 }, (_, i) => 'y' + i) });",
        "for (;;) del('orders/none');",
        "for (let i = 0; ; i++) load('orders/' + i);",
        "load(Array.from({ length: 90000 }, (_, i) => 'orders/' + i));",
        "for (;;) cmpxchg('none');",
        "const a = []; a[0] = a; this.a = a;",
        "let a = {}; for (let i = 0; i < 4000; i++) a = { a }; this.a = a;",
        "let a = []; for (let i = 0; i < 25; i++) a = [a, a]; this.a = a;",
        "let a = 'x'.repeat(1000); for (let i = 0; i < 9; i++) a = [a, a, a, a, a, a, a, a, a, a]; this.a = a;",
        "this.toJSON = () => { while (true) {} };",
        "Object.defineProperty(this, 'x', { get() { while (true) {} }, enumerable: true });",
        "this['@metadata'] = new Proxy({}, { get() { while (true) {} }, ownKeys() { while (true) {} } });",
        "this.x = new Proxy({}, { ownKeys: () => Array.from({ length: 90000 }, (_, i) => 'k' + i) });",
        "this.__proto__ = { get x() { while (true) {} } }; this.y = this.x;",
        "console.log('x'.repeat(2e6)); for (;;) console.log('y');",
        "getMetadata(this)['@id'] = 'other'; getMetadata(this)['@collection'] = 'x'.repeat(2e6);",
        "put('x'.repeat(2e6), {});",
        "put('\\u0000|', {}); put('a\\ud800', {});",
        "loadPath(this, 'Lines[].'.repeat(100000) + 'x');",
        "loadPath(this, '['.repeat(100000));",
    ];

    /// <summary>Ways to the host. Each must be an error, or find nothing.</summary>
    private static IReadOnlyList<string> ToTheHost { get; } =
    [
        "return this.constructor.constructor('return process')();",
        "return (() => {}).constructor('return 1')();",
        "return Function('return 1')();",
        "return eval('1 + 1');",
        "return new (Object.getPrototypeOf(async () => {}).constructor)('return 1')();",
        "return new (Object.getPrototypeOf(function* () {}).constructor)('return 1')();",
        "return load.constructor('return 1')();",
        "return System.IO.File.ReadAllText('/etc/passwd');",
        "return importNamespace('System').Environment;",
        "return clrHelper.typeOf(this);",
        "return load.GetType();",
        "return this.GetType().Assembly;",
        "return require('fs');",
        "return process.env;",
        "return globalThis.process.exit(1);",
    ];

    [Fact]
    public Task Patches_ThatAreHostile_AreRefusedOrStopped() => AttackAsync(OfPatches);

    /// <summary>What is hostile in any script: the quick tests try it in scripts of queries.</summary>
    [Fact]
    [Trait("Tier", "Full")]
    public Task Patches_WithEveryHostileScript_AreRefusedOrStopped() => AttackAsync(HostileScripts.Statements);

    private async Task AttackAsync(IReadOnlyList<string> scripts)
    {
        using RunningServer server = await StartAsync();
        await using (var bystander = new Bystander(server))
        {
            foreach (string statements in scripts)
            {
                string body = statements.Replace("this", "o", StringComparison.Ordinal);
                Answer answer = await PatchAsync(server, "orders/1", $"function f(o) {{ {body} }} f(this);");
                AssertEnded(statements, answer);
            }

            foreach (string statements in ToTheHost)
            {
                Answer answer = await PatchAsync(server, "orders/2", $"function f() {{ {statements} }} this.Got = f();");
                AssertEnded(statements, answer);
                Assert.True(answer.Status != 200 || answer.Text.Contains("NotModified", StringComparison.Ordinal), $"{statements}\n{answer.Text}");
            }

            Answer literal = await PatchAsync(server, "orders/2", $"this.Text = '{new string('x', 10 << 20)}';");
            Assert.True(literal.Status is 400 or 413, $"{literal.Status} {literal.Text[..Math.Min(300, literal.Text.Length)]}");
            Assert.Contains("characters", literal.Text, StringComparison.Ordinal);
            Assert.Equal(200, (await PatchAsync(server, "orders/2", "this.Same = [1, 2].map(n => n * 2); this.Own = {}.constructor === Object;")).Status);
            await bystander.StopAsync();
            output.WriteLine($"{bystander}; {ProcessFigures.Describe(server.Process.Id)}");
            Assert.InRange(bystander.Slowest, TimeSpan.Zero, s_writeTimeMax);
            Assert.InRange(bystander.AnonymousBytes, 0, AnonymousBytesMax);
        }

        Assert.False(server.Process.HasExited);
        using JsonDocument document = JsonDocument.Parse((await server.GetAsync("shop", "orders/2")).Text);
        string text = document.RootElement.GetProperty("Results")[0].GetRawText();
        Assert.Contains("\"Same\":[2,4],\"Own\":true", text, StringComparison.Ordinal);
        Assert.DoesNotContain("Got", text, StringComparison.Ordinal);
        await server.AssertServesAsync("shop");
        await server.StopAsync();
    }

    /// <summary>By turns in one process: scripts that run into their limits, and honest ones that need as much of the processors.</summary>
    [Fact]
    [Trait("Tier", "Full")]
    public async Task Writes_BesideHostilePatches_WaitNoLongerThanBesideHarmlessOnes()
    {
        using RunningServer server = await StartAsync();
        const string hostileScript = "while (true) { [1, 2, 3].map(x => x * 2).join(); }";
        const string harmlessScript = "let s = 0; for (let i = 0; i < 1200; i++) { s += [1, 2, 3].map(x => x * 2).join().length; } this.S = s;";
        var hostile = new List<double>();
        var harmless = new List<double>();
        for (int turn = 0; turn < 5; turn++)
        {
            hostile.AddRange(await WritesBesideAsync(server, hostileScript, isEnding: false));
            harmless.AddRange(await WritesBesideAsync(server, harmlessScript, isEnding: true));
        }

        (double bad, double good) = (Percentile(hostile, 0.95), Percentile(harmless, 0.95));
        output.WriteLine($"95 of 100 writes within {bad:0.0} ms beside hostile patches ({hostile.Count}), {good:0.0} ms beside harmless ones "
            + $"({harmless.Count})");
        Assert.InRange(bad, 0, (good * 1.5) + 5);
        await server.StopAsync();
    }

    private async Task<RunningServer> StartAsync()
    {
        RunningServer server = await RunningServer.StartAsync(_folder);
        await server.CreateDatabaseAsync("shop");
        foreach (string id in new[] { "orders/1", "orders/2" })
        {
            Assert.Equal(201, (await server.PutAsync("shop", id, HostileDefinitions.Document[..^1] + ""","@metadata":{"@collection":"Orders"}}""")).Status);
        }

        return server;
    }

    private static Task<Answer> PatchAsync(RunningServer server, string id, string script) => server.SendAsync(
        "PATCH", $"/databases/shop/docs?id={id}", JsonSerializer.Serialize(new { Patch = new { Script = script } }));

    private static void AssertEnded(string statements, Answer answer)
    {
        bool isEnded = answer.Status == 200 || (answer.Status is 400 or 500 && answer.Text.Contains(".JavaScript", StringComparison.Ordinal));
        Assert.True(isEnded, $"{statements}\n{answer.Status} {answer.Text}");
    }

    // Times of writes, in milliseconds.
    private static async Task<List<double>> WritesBesideAsync(RunningServer server, string script, bool isEnding)
    {
        using var stop = new CancellationTokenSource(TimeSpan.FromSeconds(3));
        Task[] patches = [.. Enumerable.Range(0, Clients).Select(async client =>
        {
            while (!stop.IsCancellationRequested)
            {
                Answer answer = await PatchAsync(server, "orders/1", script);
                Assert.Equal(isEnding ? 200 : 500, answer.Status);
            }
        })];
        var times = new List<double>();
        while (!stop.IsCancellationRequested)
        {
            long began = Stopwatch.GetTimestamp();
            Assert.Equal(201, (await server.PutAsync("shop", "others/1", """{"@metadata":{"@collection":"Others"}}""")).Status);
            times.Add(Stopwatch.GetElapsedTime(began).TotalMilliseconds);
        }

        await Task.WhenAll(patches);
        return times;
    }

    private static double Percentile(List<double> values, double part)
    {
        values.Sort();
        return values[(int)((values.Count - 1) * part)];
    }
}
