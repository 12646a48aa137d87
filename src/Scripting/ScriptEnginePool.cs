using System.Collections.Concurrent;

namespace Jackdaw.Scripting;

/// <summary>Engines that wait for their next script.</summary>
/// <remarks>Any thread. An engine is made in some milliseconds and takes about a MB, so that as many as there are
/// processors are kept; more may be in use, and go when they are given back.</remarks>
/// <param name="time">Clock of the scripts; null: that of the system.</param>
internal sealed class ScriptEnginePool(ScriptLimits limits, TimeProvider? time = null) : IDisposable
{
    private readonly ConcurrentBag<ScriptEngine> _idle = [];
    private volatile bool _isDisposed;

    /// <summary>The engines that wait at most.</summary>
    public static int IdleMax => Math.Max(Environment.ProcessorCount, 2);

    /// <summary>Engines that wait now.</summary>
    public int Idle => _idle.Count;

    /// <summary>An engine of the caller's own until it gives it back.</summary>
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
