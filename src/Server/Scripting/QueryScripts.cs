namespace Jackdaw.Server.Scripting;

/// <summary>Engines and parsed scripts of the queries and patches of a server. Any thread.</summary>
internal sealed class QueryScripts : IDisposable
{
    public ScriptEnginePool Engines { get; } = new(ScriptLimits.Default);

    public ScriptCache<ScriptProjection> Projections { get; } = new();

    public ScriptCache<ScriptPatch> Patches { get; } = new();

    public void Dispose() => Engines.Dispose();
}
