using Jackdaw.Json;
using Jint.Native;

namespace Jackdaw.Scripting.Patches;

/// <summary>The script of a patch, parsed. Immutable, for any number of threads; <see cref="PatchRun"/> runs it.</summary>
internal sealed class ScriptPatch
{
    private const string ArgumentsName = "args";

    /// <param name="declarations">Functions and variables that the script may use.</param>
    /// <param name="body">Statements; <c>this</c> is the document.</param>
    /// <param name="alias">Another name of the document; null for none.</param>
    /// <param name="functions">Names of the functions of the host.</param>
    /// <param name="parameters">Names that are also variables with a <c>$</c> in front, in addition to <c>args</c>.</param>
    /// <exception cref="JavaScriptParseException">A text is not JavaScript, or uses something that is not allowed.</exception>
    public ScriptPatch(IReadOnlyList<ScriptFragment> declarations, ScriptFragment body, string? alias, IReadOnlyList<string> functions,
        IReadOnlyList<string> parameters)
    {
        HasAlias = alias is not null;
        Functions = functions;
        Parameters = parameters;
        List<string> names = [ArgumentsName, .. PatchFunctions.Names, .. functions];
        if (alias is not null)
        {
            names.Add(alias);
        }

        names.AddRange(parameters.Select(name => "$" + name));
        Script = PreparedScript.Body(declarations, [body], names);
    }

    public bool HasAlias { get; }

    /// <summary>Names of the functions of the host.</summary>
    public IReadOnlyList<string> Functions { get; }

    public IReadOnlyList<string> Parameters { get; }

    public PreparedScript Script { get; }

    /// <summary>The script of a patch by id.</summary>
    /// <param name="functions">Names of the functions of the host.</param>
    public static ScriptPatch Of(string script, IReadOnlyList<string> functions) => new([], new ScriptFragment(script, "the patch"), null, functions, []);
}

/// <summary>What the script of a patch may ask for and do.</summary>
internal interface IPatchHost : IScriptHost
{
    /// <summary>Takes a document to be stored.</summary>
    /// <param name="id">The id as the script gave it. If it is empty, the server makes one.</param>
    /// <param name="json">An object; not valid after the call.</param>
    /// <param name="changeVector">The version that must be stored at present. Null stands for any version, empty for no document.</param>
    /// <returns>The whole id.</returns>
    string Put(string id, ReadOnlySpan<byte> json, string? changeVector);

    /// <summary>Takes a document to be deleted.</summary>
    /// <returns>False: there is none.</returns>
    bool Delete(string id, string? changeVector);

    /// <summary>Calls one of the functions of the host.</summary>
    /// <returns>JSON in UTF-8.</returns>
    ReadOnlyMemory<byte> Call(string function, PatchArguments arguments);
}

/// <summary>Runs patches, one document after another. It is used by one thread at a time.</summary>
internal sealed class PatchRun(ScriptEnginePool pool) : IDisposable
{
    private readonly ScriptEngine _engine = pool.Rent();

    /// <summary>Runs a patch on one document.</summary>
    /// <param name="document">What becomes <c>this</c>.</param>
    /// <param name="values">JSON object of the arguments; empty for none.</param>
    /// <param name="before">Receives the unchanged document, written by the same writer.</param>
    /// <param name="after">Receives the document as the script left it.</param>
    /// <exception cref="JavaScriptException">The script failed.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public void Run(
        ScriptPatch patch, ScriptDocument document, ReadOnlyMemory<byte> values, IPatchHost host, PooledBuffer before, PooledBuffer after,
        CancellationToken cancellation)
    {
        _engine.Begin(patch.Script, host, cancellation);
        try
        {
            JsValue self = _engine.Run.Add(document);
            _engine.Call(self, Arguments(patch, self, document, values, host));
            _engine.Read(() =>
            {
                _engine.Write(self, after);
                _engine.Write(_engine.Run.AddJson(document.Json), before);
            });
        }
        finally
        {
            _engine.End();
        }
    }

    public void Dispose() => pool.Return(_engine);

    private JsValue[] Arguments(
        ScriptPatch patch, JsValue self, ScriptDocument document, ReadOnlyMemory<byte> values, IPatchHost host)
    {
        JsValue args = values.IsEmpty ? new JsObject(_engine.Interpreter) : _engine.Run.AddJson(values);
        List<JsValue> arguments = [args, .. new PatchFunctions(_engine, document, host).Make(patch.Functions)];
        if (patch.HasAlias)
        {
            arguments.Add(self);
        }

        arguments.AddRange(patch.Parameters.Select(name => args.Get(name)));
        return [.. arguments];
    }
}
