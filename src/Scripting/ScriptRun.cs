using Jint;
using Jint.Native;
using Jint.Native.Object;

namespace Jackdaw.Scripting;

/// <summary>What one run of a script holds in addition to the engine's own counters: the documents that it was given or has loaded, and what its
/// built-in functions made.</summary>
/// <remarks>It belongs to one engine and is reused for each run. It is used by one thread at a time.</remarks>
internal sealed class ScriptRun : IDisposable
{
    /// <summary>Levels of nested calls of built-in functions that call no script function, such as the join of arrays within arrays. Each takes
    /// about 1 KB of stack.</summary>
    public const int NativeDepthMax = 256;

    /// <summary>Bytes that are counted for each loaded text in addition to its own: the memory that holds its values.</summary>
    private const int LoadedTextBytes = 1024;

    private readonly Engine _engine;
    private readonly Action _checkTime;
    private readonly ObjectLayouts _layouts = new();
    private readonly List<TapeSource> _sources = [];
    private readonly Dictionary<ObjectInstance, Loaded> _documents = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<string, JsValue> _loaded = new(StringComparer.OrdinalIgnoreCase);
    private int _sourcesUsed;
    private long _textLeft;
    private long _loadedBytes;

    /// <param name="checkTime">Throws when the time of the run is over.</param>
    public ScriptRun(Engine engine, ScriptLimits limits, Action checkTime)
    {
        _engine = engine;
        _checkTime = checkTime;
        Limits = limits;
        _textLeft = limits.TextLength;
    }

    public ScriptLimits Limits { get; }

    public ExactNumbers Numbers { get; } = new();

    /// <summary>Null when there is none: helpers that ask it are errors then.</summary>
    public IScriptHost? Host { get; set; }

    /// <summary>A document for JavaScript; null for none.</summary>
    public JsValue Add(ScriptDocument? document)
    {
        if (document is null)
        {
            return JsValue.Null;
        }

        TapeSource source = NextSource();
        JsValue value = source.Read(document.Json, document);
        if (value is ObjectInstance instance)
        {
            _documents.Add(instance, new Loaded(document, source));
        }

        return value;
    }

    /// <summary>Any JSON for JavaScript.</summary>
    public JsValue AddJson(ReadOnlyMemory<byte> json) => NextSource().Read(json);

    /// <summary>Reads JSON of what is stored for JavaScript; null for what is missing.</summary>
    public JsValue LoadJson(Func<ReadOnlyMemory<byte>?> load)
    {
        CheckLoads();
        if (load() is not { } json)
        {
            return JsValue.Null;
        }

        _loadedBytes += json.Length + LoadedTextBytes;
        return AddJson(json);
    }

    /// <summary>The document that a value stands for; null when it is not a document of this run.</summary>
    public Loaded? Find(JsValue value) =>
        value is ObjectInstance instance && _documents.TryGetValue(instance, out Loaded? found) ? found : null;

    /// <summary>The id that an argument names: a text, or a document that the script was given or loaded.</summary>
    /// <exception cref="Jint.Runtime.JavaScriptException">The argument is neither.</exception>
    public JsString IdOf(JsValue value, string function) => value switch
    {
        JsString text => text,
        _ when Find(value)?.Document.Id is { } id => new JsString(id),
        _ => throw ScriptValues.Fault(_engine, $"Argument 1 of {function}() must be a document that the script was given or loaded, or an id."),
    };

    /// <summary>Loads a document once in a run; null for one that is missing.</summary>
    public JsValue Load(string id, string? collection, Func<string, string?, ScriptDocument?> load)
    {
        string key = collection is null ? id : $"{id}\0{collection}";
        if (_loaded.TryGetValue(key, out JsValue? known))
        {
            return known;
        }

        if (_loaded.Count == Limits.Loads)
        {
            throw new JavaScriptException(ScriptError.Loads,
                $"The script loads more than {Limits.Loads} documents in one run. Load fewer.", null);
        }

        CheckLoads();
        ScriptDocument? document = load(id, collection);
        _loadedBytes += document is null ? 0 : document.Json.Length + LoadedTextBytes;
        JsValue value = Add(document);
        _loaded.Add(key, value);
        return value;
    }

    // One call can load many documents, and the interpreter checks its limits only between statements.
    private void CheckLoads()
    {
        _checkTime();
        if (_loadedBytes >= Limits.LoadedBytes)
        {
            throw new JavaScriptException(ScriptError.Loads,
                $"The script loads more than {Limits.LoadedBytes} bytes in one run. Load fewer documents and values, or smaller ones.", null);
        }
    }

    /// <summary>Forgets a loaded document, because the script has changed it: the next load reads it again.</summary>
    public void Forget(string id) => _loaded.Remove(id);

    /// <summary>Takes characters from what text functions may make in this run.</summary>
    public void ChargeText(long characters, string function)
    {
        _textLeft -= characters;
        if (_textLeft < 0)
        {
            throw new JavaScriptException(ScriptError.TextLength,
                $"'{function}' would make more than the {Limits.TextLength} characters that a run may make. " +
                "Make shorter texts.", null);
        }
    }

    /// <summary>The error for too many nested calls of built-in functions.</summary>
    public static JavaScriptException TooDeep(string function) => new(ScriptError.Recursion,
        $"More than {NativeDepthMax} calls of '{function}' are nested. Use a flatter value.", null);

    /// <summary>Forgets all documents: values of this run must not be used after it.</summary>
    public void End()
    {
        for (int i = 0; i < _sourcesUsed; i++)
        {
            _sources[i].Clear();
        }

        _sourcesUsed = 0;
        _loadedBytes = 0;
        _textLeft = Limits.TextLength;
        Clear(_documents);
        Clear(_loaded);
        Numbers.Clear();
    }

    public void Dispose() => End();

    private TapeSource NextSource()
    {
        if (_sourcesUsed == _sources.Count)
        {
            _sources.Add(new TapeSource(_engine, _layouts, Numbers));
        }

        return _sources[_sourcesUsed++];
    }

    private static void Clear<TKey, TValue>(Dictionary<TKey, TValue> entries)
        where TKey : notnull
    {
        if (entries.Count > 0)
        {
            entries.Clear();
        }
    }

    /// <summary>A document of the run.</summary>
    internal sealed record Loaded(ScriptDocument Document, TapeSource Source);
}
