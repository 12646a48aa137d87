using System.Text;
using Jackdaw.Json;
using Jint;
using Jint.Native;
using Jint.Native.Function;
using Types = Jint.Runtime.Types;

namespace Jackdaw.Scripting.Indexes;

/// <summary>What the scripts of an index may ask for. <c>load</c> and <c>cmpxchg</c> call the members of <see cref="IScriptHost"/>, even for what
/// does not exist: these calls are the references of the mapped document.</summary>
internal interface IJavaScriptIndexHost : IScriptHost
{
    /// <summary>Reads a document for <c>noTracking.load</c>. It does not become a reference of the mapped document.</summary>
    ScriptDocument? LoadUntracked(string id);

    /// <summary>The content of an attachment as text; null when there is none.</summary>
    /// <param name="hash">As the document shows it.</param>
    string? LoadContent(string hash) => null;
}

/// <summary>Runs the maps and the reduce of one index. It is used by one thread at a time, and each call has its own budget.</summary>
internal sealed class JavaScriptIndexRun : IDisposable
{
    private readonly ScriptEnginePool _pool;
    private readonly ScriptEngine _engine;
    private readonly JavaScriptIndex _index;
    private readonly JavaScriptIndexFunctions _functions;
    private readonly IJavaScriptIndexHost? _host;
    private readonly PooledBuffer _options = new();

    public JavaScriptIndexRun(ScriptEnginePool pool, JavaScriptIndex index, IJavaScriptIndexHost? host)
    {
        _pool = pool;
        _index = index;
        _host = host;
        _engine = pool.Rent();
        _functions = new JavaScriptIndexFunctions(_engine);
    }

    /// <summary>Adds the rows of one document, or of one time series segment or counter given as JSON.</summary>
    /// <param name="map">Position in <see cref="JavaScriptIndex.Maps"/>.</param>
    /// <exception cref="JavaScriptException">The script failed. The caller must drop the rows that it has added.</exception>
    public void Map(int map, ScriptDocument document, JavaScriptRows rows, CancellationToken cancellation) =>
        Run(() => Call(_functions.Maps[map].Function, _engine.Run.Add(document)), value => AddRows(value, rows), cancellation);

    /// <summary>Appends the key of a row, as JSON. Rows with equal keys have equal texts.</summary>
    /// <param name="row">A JSON object in UTF-8, as <see cref="JavaScriptRows.AppendJson"/> makes it.</param>
    /// <inheritdoc cref="Map" path="/exception"/>
    public void Key(ReadOnlyMemory<byte> row, PooledBuffer key, CancellationToken cancellation) => Run(
        () => Call(_functions.Key!, _engine.Run.AddJson(row)),
        value => _engine.WriteKey(value.IsUndefined() ? JsValue.Null : value, key), cancellation);

    /// <summary>Adds the row of one group of rows.</summary>
    /// <param name="key">Their key.</param>
    /// <inheritdoc cref="Map" path="/exception"/>
    public void Aggregate(
        ReadOnlyMemory<byte> key, IReadOnlyList<ReadOnlyMemory<byte>> group, JavaScriptRows rows,
        CancellationToken cancellation) => Run(
        () =>
        {
            var made = new JsObject(_engine.Interpreter);
            made.FastSetDataProperty("key", _engine.Run.AddJson(key));
            made.FastSetDataProperty("values",
                new JsArray(_engine.Interpreter, [.. group.Select(row => _engine.Run.AddJson(row))]));
            return Call(_functions.Aggregate!, made);
        },
        value => AddRows(value, rows), cancellation);

    public void Dispose()
    {
        _options.Dispose();
        _pool.Return(_engine);
    }

    private static JsValue Call(Function function, JsValue argument) =>
        ScriptValues.CallInside(function, JsValue.Undefined, [argument]);

    // The call is made while the definition is evaluated, so that both are one run with one budget.
    private void Run(Func<JsValue> call, Action<JsValue> take, CancellationToken cancellation)
    {
        _engine.Begin(_index.Script, _host, cancellation);
        try
        {
            JsValue result = _engine.Call(JsValue.Undefined, _functions.Arguments(call));
            _engine.Read(() => take(result));
        }
        finally
        {
            _engine.End();
        }
    }

    private void AddRows(JsValue value, JavaScriptRows rows)
    {
        if (value.IsNothing())
        {
            return;
        }

        if (value is not JsArray list)
        {
            AddRow(value, rows);
            return;
        }

        for (uint i = 0; i < list.Length; i++)
        {
            if (!list[i].IsNothing())
            {
                AddRow(list[i], rows);
            }
        }
    }

    private void AddRow(JsValue value, JavaScriptRows rows)
    {
        double boost = 1;
        if (value is JsObject boosted && boosted.Get("$boost") is JsNumber factor)
        {
            boost = factor.AsNumber();
            value = boosted.Get("$value");
        }

        if (value is not JsObject row)
        {
            throw new JavaScriptException(ScriptError.Result,
                "A map or reduce must return an object, an array of objects, or nothing.", null);
        }

        var fields = new List<JavaScriptField>();
        foreach (JsValue name in row.GetOwnPropertyKeys(Types.String))
        {
            AddField(name.ToString(), row.Get(name), rows.Texts, fields);
        }

        rows.Add(new JavaScriptRow(fields, boost));
    }

    private void AddField(string name, JsValue value, PooledBuffer texts, List<JavaScriptField> fields)
    {
        if (value is JsArray list && list.Any(IsMarked))
        {
            for (uint i = 0; i < list.Length; i++)
            {
                AddMarked(name, list[i], texts, fields);
            }
        }
        else
        {
            AddMarked(name, value, texts, fields);
        }
    }

    private static bool IsMarked(JsValue value) => value is JsObject field
        && (field.HasOwnProperty("$value") || field.HasOwnProperty("$spatial"));

    private void AddMarked(string name, JsValue value, PooledBuffer texts, List<JavaScriptField> fields)
    {
        if (!IsMarked(value))
        {
            Add(name, JavaScriptFieldKind.Value, value, null, texts, fields);
            return;
        }

        var field = (JsObject)value;
        if (field.HasOwnProperty("$value"))
        {
            JsValue own = field.Get("$name");
            AddDynamic(own is JsString ? own.ToString() : name, field, texts, fields);
            return;
        }

        Add(name, JavaScriptFieldKind.Spatial, field.Get("$spatial"), null, texts, fields);
    }

    private void AddDynamic(string name, JsObject field, PooledBuffer texts, List<JavaScriptField> fields)
    {
        JsValue value = field.Get("$value");
        string? options = null;
        if (field.Get("$options") is JsObject given)
        {
            _options.Clear();
            _engine.Write(given, _options);
            options = Encoding.UTF8.GetString(_options.Written);
        }

        bool isSpatial = value is JsObject shape && shape.HasOwnProperty("$spatial");
        Add(name, isSpatial ? JavaScriptFieldKind.Spatial : JavaScriptFieldKind.Dynamic,
            isSpatial ? value.Get("$spatial") : value, options, texts, fields);
    }

    private void Add(
        string name, JavaScriptFieldKind kind, JsValue value, string? options, PooledBuffer texts,
        List<JavaScriptField> fields)
    {
        if (value.IsUndefined())
        {
            if (kind == JavaScriptFieldKind.Value)
            {
                fields.Add(new JavaScriptField(name, JavaScriptFieldKind.Missing, 0, 0, null));
            }

            return;
        }

        int start = texts.Length;
        _engine.Write(value, texts);
        fields.Add(new JavaScriptField(name, kind, start, texts.Length - start, options));
    }
}
