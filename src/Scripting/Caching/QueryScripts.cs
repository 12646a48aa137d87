using Jackdaw.Scripting.Patches;
using Jackdaw.Scripting.Projections;

namespace Jackdaw.Scripting.Caching;

/// <summary>The engines and parsed scripts of the queries and patches of a server. Can be used on any thread.</summary>
/// <param name="time">Clock of the scripts.</param>
internal sealed class QueryScripts(TimeProvider? time = null) : IDisposable
{
    public ScriptEnginePool Engines { get; } = new(ScriptLimits.Default, time);

    public ScriptCache<ScriptProjection> Projections { get; } = new();

    public ScriptCache<ScriptPatch> Patches { get; } = new();

    public void Dispose() => Engines.Dispose();
}
