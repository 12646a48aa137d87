using System.Collections.Concurrent;

namespace Jackdaw.Scripting;

/// <summary>Engines that wait for their next script.</summary>
/// <remarks>Can be used on any thread. Making an engine takes some milliseconds, and an engine takes about a MB, so the pool keeps one for each
/// processor. More may be in use; those are dropped when they are given back.</remarks>
/// <param name="time">Clock of the scripts; null: that of the system.</param>
internal sealed class ScriptEnginePool(ScriptLimits limits, TimeProvider? time = null) : IDisposable
{
    private readonly ConcurrentBag<ScriptEngine> _idle = [];
    private volatile bool _isDisposed;

    /// <summary>Largest number of engines that wait.</summary>
    public static int IdleMax => Math.Max(Environment.ProcessorCount, 2);

    /// <summary>Engines that wait now.</summary>
    public int Idle => _idle.Count;

    /// <summary>Gives an engine to the caller, who owns it until it is given back.</summary>
    public ScriptEngine Rent() => _idle.TryTake(out ScriptEngine? engine) ? engine : new ScriptEngine(limits, time);

    /// <summary>Takes an engine back whose run has ended.</summary>
    public void Return(ScriptEngine engine)
    {
        if (_isDisposed || _idle.Count >= IdleMax)
        {
            engine.Dispose();
            return;
        }

        _idle.Add(engine);
    }

    public void Dispose()
    {
        _isDisposed = true;
        while (_idle.TryTake(out ScriptEngine? engine))
        {
            engine.Dispose();
        }
    }
}
