using System.Diagnostics;
using System.Globalization;
using Jackdaw.Json;
using Jint;
using Jint.Constraints;
using Jint.Native;

namespace Jackdaw.Scripting;

/// <summary>One interpreter that runs any prepared script for any number of documents. It is frozen and has no access to the outside
/// world.</summary>
/// <remarks>
/// Invariants:
/// <list type="number">
/// <item>A later run sees nothing that a script did: intrinsics and the global object are frozen, a script is one function whose variables are new
/// in each call, and documents belong to one run.</item>
/// <item>After any error the engine can be used again.</item>
/// <item>Values of a run are not used after it.</item>
/// </list>
/// It is used by one thread at a time and taken from a <see cref="ScriptEnginePool"/>.
/// </remarks>
internal sealed class ScriptEngine : IDisposable
{
    /// <summary>Number of scripts whose function is cached: what a few queries and indexes use at the same time. When it is reached, the engine
    /// forgets all of them; making one anew takes about 20 us.</summary>
    private const int FunctionsMax = 64;

    private readonly ScriptLimits _limits;
    private readonly Engine _engine;
    private readonly OperationDeadlineConstraint _deadline = new();
    private readonly Dictionary<PreparedScript, JsValue> _functions = new(ReferenceEqualityComparer.Instance);
    private readonly ScriptOutput _output;
    private readonly ScriptOutput _keys;
    private PreparedScript? _script;

    /// <param name="time">Clock of the scripts; null: that of the system.</param>
    public ScriptEngine(ScriptLimits limits, TimeProvider? time = null)
    {
        _limits = limits;
        _engine = new Engine(options => Configure(options, limits, time ?? TimeProvider.System));
        Run = new ScriptRun(_engine, limits, _deadline.Check);
        ScriptFunctions.Install(_engine, Run);
        ScriptSandbox.Close(_engine, Run);
        _output = new ScriptOutput(Run.Numbers, limits.OutputBytes, _deadline.Check);
        _keys = new ScriptOutput(new ExactNumbers(), limits.OutputBytes, _deadline.Check);
    }

    /// <summary>What the current run holds.</summary>
    public ScriptRun Run { get; }

    /// <summary>For values that host functions make.</summary>
    public Engine Interpreter => _engine;

    /// <summary>Starts a run: one document, or one group.</summary>
    /// <param name="host">What the script may ask for; null for nothing.</param>
    /// <param name="cancellation">Stops the run with <see cref="OperationCanceledException"/>.</param>
    public void Begin(PreparedScript script, IScriptHost? host, CancellationToken cancellation)
    {
        Debug.Assert(_script is null, "a run has not ended");
        _script = script;
        Run.Host = host;
        _deadline.Begin(TimeSpan.FromMilliseconds(_limits.TotalMs), cancellation);
    }

    /// <summary>Calls the script's function.</summary>
    /// <param name="self">Its <c>this</c>.</param>
    /// <exception cref="JavaScriptException">The script failed or reached a limit.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public JsValue Call(JsValue self, params JsValue[] arguments)
    {
        Debug.Assert(_script is not null);
        return Guard(() => _engine.Call(FunctionOf(_script), self, arguments));
    }

    /// <summary>Reads the value that a call returned. Reading may run code of the script, which has the same limits.</summary>
    /// <inheritdoc cref="Call" path="/exception"/>
    public void Read(Action read) => Guard(() =>
    {
        read();
        return JsValue.Undefined;
    });

    /// <summary>Appends a value of the run as JSON; within <see cref="Read"/>.</summary>
    public void Write(JsValue value, PooledBuffer buffer) => _output.Write(value, buffer);

    /// <summary>Appends a value as JSON such that equal values of JavaScript have equal texts: 1 and 1.0 give the same text.</summary>
    public void WriteKey(JsValue value, PooledBuffer buffer) => _keys.Write(value, buffer);

    /// <summary>Ends the run, whether it succeeded or failed.</summary>
    public void End()
    {
        _script = null;
        Run.Host = null;
        _deadline.End();
        Run.End();
    }

    public void Dispose()
    {
        Run.Dispose();
        _engine.Dispose();
    }

    private JsValue Guard(Func<JsValue> call)
    {
        try
        {
            return call();
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            Exception translated = ScriptFaults.Translate(error, _script!, _limits);
            if (ReferenceEquals(translated, error))
            {
                throw;
            }

            throw translated;
        }
    }

    private JsValue FunctionOf(PreparedScript script)
    {
        if (_functions.TryGetValue(script, out JsValue? function))
        {
            return function;
        }

        if (_functions.Count >= FunctionsMax)
        {
            _functions.Clear();
            _engine.Advanced.DiscardInterpreterCaches();
        }

        function = _engine.Evaluate(in script.Code);
        _functions.Add(script, function);
        return function;
    }

    private void Configure(Options options, ScriptLimits limits, TimeProvider time)
    {
        options.Strict = true;
        options.LimitMemory(limits.MemoryBytes);
        options.MaxStatements(limits.Statements);
        options.LimitRecursion(limits.Recursion);
        options.Constraint(_deadline);
        options.Constraints.RegexTimeout = TimeSpan.FromMilliseconds(limits.RegexTimeoutMs);
        options.Constraints.MaxArraySize = limits.ArrayLength;
        options.Constraints.StackOverflowGuard = true;
        options.DisableStringCompilation(true);
        options.AgentCanSuspend = false;
        options.Culture = CultureInfo.InvariantCulture;
        options.TimeZone = TimeZoneInfo.Utc;
        options.TimeSystem = new ScriptClock(options.TimeSystem, time);
        options.SetReferencesResolver(NullTolerance.Instance, NullTolerance.Interests);
    }
}
