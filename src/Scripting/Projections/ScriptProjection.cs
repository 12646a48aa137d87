using Jackdaw.Json;
using Jint;
using Jint.Native;

namespace Jackdaw.Scripting.Projections;

/// <summary>The parsed JavaScript of a query's select clause: <c>{ Name: o.Name }</c> or a call of a declared function.</summary>
/// <remarks>Immutable, for any number of threads; <see cref="ProjectionRun"/> runs it.</remarks>
internal sealed class ScriptProjection
{
    /// <param name="functions">Texts of declared functions, <c>function f(o) { ... }</c> each.</param>
    /// <param name="select">An expression.</param>
    /// <param name="aliases">Names of the documents that a row is made from, in the order in which they are given to
    /// <see cref="ProjectionRun.Project"/>.</param>
    /// <param name="parameters">Names of the query's parameters, with or without <c>$</c>.</param>
    /// <param name="valueName">The name of the only member of a row that the script returns as a number, a text or another value that is not an
    /// object; null when a row must be an object.</param>
    /// <exception cref="JavaScriptParseException">A text is not JavaScript, or uses something that is not allowed.</exception>
    public ScriptProjection(
        IReadOnlyList<ScriptFragment> functions, ScriptFragment select, IReadOnlyList<string> aliases,
        IReadOnlyList<string> parameters, string? valueName = null)
    {
        ValueName = valueName is null ? null : new JsString(valueName);
        Aliases = aliases;
        Parameters = [.. parameters.Select(name => name.TrimStart('$'))];
        Script = PreparedScript.Expression(
            functions, select, [.. aliases, .. Parameters.Select(name => "$" + name)]);
    }

    public IReadOnlyList<string> Aliases { get; }

    /// <summary>Without <c>$</c>.</summary>
    public IReadOnlyList<string> Parameters { get; }

    public PreparedScript Script { get; }

    internal JsString? ValueName { get; }
}

/// <summary>Runs a projection for the rows of one query. It is used by one thread at a time.</summary>
internal sealed class ProjectionRun : IDisposable
{
    private readonly ScriptEnginePool _pool;
    private readonly ScriptEngine _engine;
    private readonly ScriptProjection _projection;
    private readonly IScriptHost? _host;
    private readonly ReadOnlyMemory<byte> _parameters;
    private readonly JsValue[] _arguments;

    /// <param name="parameters">The query's parameters, a JSON object in UTF-8; empty for none. Must stay as it is
    /// until the run is disposed.</param>
    public ProjectionRun(
        ScriptEnginePool pool, ScriptProjection projection, IScriptHost? host, ReadOnlyMemory<byte> parameters)
    {
        _pool = pool;
        _projection = projection;
        _host = host;
        _parameters = parameters;
        _arguments = new JsValue[projection.Script.Parameters.Count];
        _engine = pool.Rent();
    }

    /// <summary>Appends the rows of one result, each a JSON object.</summary>
    /// <param name="documents">One for each alias; null for one that is missing.</param>
    /// <param name="ends">Gets the end of each row in <paramref name="output"/>: none when the script returned nothing,
    /// several when it returned an array.</param>
    /// <exception cref="JavaScriptException">The script failed; nothing was appended.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was appended.</exception>
    public void Project(
        ReadOnlySpan<ScriptDocument?> documents, PooledBuffer output, ICollection<int> ends,
        CancellationToken cancellation)
    {
        int start = output.Length;
        bool isDone = false;
        _engine.Begin(_projection.Script, _host, cancellation);
        try
        {
            Prepare(documents);
            JsValue result = _engine.Call(JsValue.Undefined, _arguments);
            _engine.Read(() => WriteRows(result, output, ends));
            isDone = true;
        }
        finally
        {
            _engine.End();
            Array.Clear(_arguments);
            if (!isDone)
            {
                output.Truncate(start);
            }
        }
    }

    public void Dispose() => _pool.Return(_engine);

    private void Prepare(ReadOnlySpan<ScriptDocument?> documents)
    {
        for (int i = 0; i < documents.Length; i++)
        {
            _arguments[i] = _engine.Run.Add(documents[i]);
        }

        if (_projection.Parameters.Count == 0)
        {
            return;
        }

        // They are made anew for each row, because a script could change an array among them.
        JsValue parameters = _parameters.IsEmpty ? JsValue.Undefined : _engine.Run.AddJson(_parameters);
        for (int i = 0; i < _projection.Parameters.Count; i++)
        {
            _arguments[documents.Length + i] = parameters.IsObject()
                ? parameters.Get(_projection.Parameters[i])
                : JsValue.Undefined;
        }
    }

    private void WriteRows(JsValue result, PooledBuffer output, ICollection<int> ends)
    {
        if (result is not JsArray rows)
        {
            WriteRow(result, output, ends);
            return;
        }

        for (uint i = 0; i < rows.Length; i++)
        {
            WriteRow(rows[i], output, ends);
        }
    }

    private void WriteRow(JsValue row, PooledBuffer output, ICollection<int> ends)
    {
        if (row.IsNothing())
        {
            return;
        }

        if (row is JsObject)
        {
            _engine.Write(row, output);
        }
        else if (_projection.ValueName is { } name)
        {
            output.Append((byte)'{');
            _engine.Write(name, output);
            output.Append((byte)':');
            _engine.Write(row, output);
            output.Append((byte)'}');
        }
        else
        {
            throw new JavaScriptException(ScriptError.Result,
                "A row of a projection must be an object, such as { Name: o.Name }.", null);
        }

        ends.Add(output.Length);
    }
}
