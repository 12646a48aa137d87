using System.Text;
using Jackdaw.Json;
using Jackdaw.Scripting.Projections;

namespace Jackdaw.Scripting.Tests;

/// <summary>Runs scripts as a query does, for tests.</summary>
internal sealed class ScriptHarness : IScriptHost, IDisposable
{
    private readonly ScriptEnginePool _pool;
    private readonly Dictionary<string, ScriptDocument> _stored = new(StringComparer.OrdinalIgnoreCase);

    public ScriptHarness(ScriptLimits? limits = null) => _pool = new ScriptEnginePool(limits ?? ScriptLimits.Default);

    public ScriptEnginePool Pool => _pool;

    public List<string> Lines { get; } = [];

    public List<string> Included { get; } = [];

    public Dictionary<string, string> CompareExchange { get; } = [];

    /// <summary>Values by <c>id name</c>.</summary>
    public Dictionary<string, string> Counters { get; } = [];

    public int Loads { get; private set; }

    public static ScriptDocument Document(string json, string? id = null) => new()
    {
        Id = id,
        Json = Encoding.UTF8.GetBytes(json),
        ChangeVector = id is null ? null : "A:1-x",
        LastModified = id is null ? null : new DateTime(2026, 1, 2, 3, 4, 5, 678, DateTimeKind.Utc),
    };

    public ScriptDocument Store(string id, string json) => _stored[id] = Document(json, id);

    /// <summary>Rows of one document <c>o</c>.</summary>
    public string[] Rows(string select, string json = "{}", string functions = "", string parameters = "")
        => Project(select, [Document(json, "orders/1")], ["o"], functions, parameters);

    /// <summary>The one row of one document <c>o</c>.</summary>
    public string Row(string select, string json = "{}", string functions = "", string parameters = "") =>
        Assert.Single(Rows(select, json, functions, parameters));

    /// <summary>The value of an expression over one document <c>o</c>.</summary>
    public string Value(string expression, string json = "{}", string functions = "") =>
        Row($"{{ v: {expression} }}", json, functions)[5..^1];

    public string[] Project(
        string select, ScriptDocument?[] documents, string[] aliases, string functions = "", string parameters = "",
        CancellationToken cancellation = default)
    {
        string[] names = parameters.Length == 0
            ? []
            : [.. System.Text.Json.JsonDocument.Parse(parameters).RootElement.EnumerateObject().Select(p => p.Name)];
        ScriptFragment[] declared = functions.Length == 0 ? [] : [new ScriptFragment(functions, "declare function")];
        var projection = new ScriptProjection(declared, new ScriptFragment(select, "select"), aliases, names);
        using var run = new ProjectionRun(_pool, projection, this, Encoding.UTF8.GetBytes(parameters));
        using var output = new PooledBuffer();
        var ends = new List<int>();
        run.Project(documents, output, ends, cancellation);
        return [.. ends.Select((end, i) => Encoding.UTF8.GetString(output.Written[(i == 0 ? 0 : ends[i - 1])..end]))];
    }

    /// <summary>The error of an expression over one document <c>o</c>.</summary>
    public JavaScriptException Fails(string expression, string json = "{}", string functions = "") =>
        Assert.ThrowsAny<JavaScriptException>(() => Rows($"{{ v: {expression} }}", json, functions));

    /// <summary>The error of statements.</summary>
    public JavaScriptException FailsIn(string statements, string json = "{}") => Assert.ThrowsAny<JavaScriptException>(
        () => Rows("f(o)", json, $"function f(o) {{ {statements} }}"));

    public ScriptDocument? Load(string id, string? collection)
    {
        Loads++;
        return _stored.GetValueOrDefault(id);
    }

    public ReadOnlyMemory<byte>? GetCompareExchange(string key) =>
        CompareExchange.TryGetValue(key, out string? json) ? Encoding.UTF8.GetBytes(json) : (ReadOnlyMemory<byte>?)null;

    public ReadOnlyMemory<byte>? GetOfDocument(string function, string id, string name) =>
        Counters.TryGetValue($"{id} {name}", out string? value)
            ? Encoding.UTF8.GetBytes(function == "counterRaw" ? $"{{\"A-x\":{value}}}" : value)
            : (ReadOnlyMemory<byte>?)null;

    public void Include(string id) => Included.Add(id);

    public void Output(string line) => Lines.Add(line);

    public void Dispose() => _pool.Dispose();
}
