using System.Text;
using Jackdaw.Json;
using Jackdaw.Json.Tape;
using Jint;
using Jint.Native;
using Jint.Native.Function;
using Jint.Native.Object;
using Jint.Runtime.Descriptors;
using Jint.Runtime.Interop;

namespace Jackdaw.Scripting;

/// <summary>The helpers that every script has. They check their arguments, and an error names the helper.</summary>
/// <remarks>Helpers that only some scripts have (<c>put</c> of a patch, <c>map</c> of an index) are arguments of their function instead.</remarks>
internal sealed class ScriptFunctions
{
    /// <summary>All names of the global object that are ours.</summary>
    public static readonly IReadOnlySet<string> Names = new HashSet<string>(StringComparer.Ordinal)
    {
        "id", "getMetadata", "lastModified", "load", "include", "includes", "cmpxchg", "counter", "counterRaw", "timeseries",
        "spatial", "toStringWithFormat", "convertJsTimeToTimeSpanString", "scalarToRawString", "raven_min",
        "raven_max", "exact", "output", "console", BoundedText.MembersOf,
    };

    private readonly Engine _engine;
    private readonly ScriptRun _run;
    private readonly ScriptOutput _output;
    private readonly PooledBuffer _line = new();

    private ScriptFunctions(Engine engine, ScriptRun run)
    {
        _engine = engine;
        _run = run;
        _output = new ScriptOutput(run.Numbers, OutputLineBytesMax, () => { });
    }

    /// <summary>Bytes of one line of output.</summary>
    private const int OutputLineBytesMax = 64 * 1024;

    public static void Install(Engine engine, ScriptRun run) => new ScriptFunctions(engine, run).Install();

    private void Install()
    {
        Add("id", 1, args => _run.Find(args.At(0))?.Document.Id is { } id ? new JsString(id) : JsValue.Null);
        Add("getMetadata", 1, args => Metadata(args.At(0)));
        Add("lastModified", 1, args => _run.Find(args.At(0))?.Document.LastModified is { } date
            ? new JsDate(_engine, date)
            : JsValue.Null);
        Add("load", 2, Load);
        Add("include", 1, args => Include(args, "include", static (host, id) => host.Include(id)));
        AddObject(
            "includes",
            ("document", 1, args => Include(args, "includes.document", static (host, id) => host.Include(id))),
            ("cmpxchg", 1, args => Include(args, "includes.cmpxchg", static (host, key) => host.IncludeCompareExchange(key))));
        Add("cmpxchg", 1, CompareExchange);
        Add("counter", 2, args => Counter(args, "counter"));
        Add("counterRaw", 2, args => Counter(args, "counterRaw"));
        Add("timeseries", 2, _ => throw ScriptValues.Fault(_engine, "timeseries() is not supported yet."));
        Add("toStringWithFormat", 2, args => args.At(0).IsNothing() ? args.At(0) : new JsString(ScriptFormats.Format(_engine, args)));
        Add("convertJsTimeToTimeSpanString", 1, args => args.At(0).IsNothing() ? args.At(0) : new JsString(ScriptFormats.TimeSpan(_engine, args)));
        Add("scalarToRawString", 2, RawText);
        Add("raven_min", 2, args => Extreme(args, -1));
        Add("raven_max", 2, args => Extreme(args, 1));
        Add("exact", 3, args => ExactArithmetic.Compute(_engine, _run.Numbers, args));
        Add("output", 1, Output);
        AddObject("console", ("log", 1, Output));
        AddObject("spatial", ("distance", 5, args => JsNumber.Create(ScriptFormats.Distance(_engine, args))));
    }

    private JsValue Metadata(JsValue value)
    {
        if (value.IsNothing())
        {
            return value;
        }

        if (_run.Find(value) is not { } found)
        {
            throw ScriptValues.Fault(_engine, "getMetadata() takes a document that the script was given or loaded.");
        }

        var made = new JsObject(_engine);
        foreach (TapeMember member in found.Source.Root["@metadata"u8].Members)
        {
            made.FastSetDataProperty(ObjectLayouts.NameOf(member), found.Source.Make(member.Value.Index));
        }

        ScriptMetadata.AddShown(made, found.Document);
        return made;
    }

    private JsValue Load(JsValue[] args)
    {
        IScriptHost host = _run.Host ?? throw NotHere("load");
        string? collection = args.At(1) is JsString name ? name.ToString() : null;
        return ScriptValues.Each(_engine, args.At(0), id => _run.Load(id, collection, host.Load), "load");
    }

    private JsValue CompareExchange(JsValue[] args)
    {
        IScriptHost host = _run.Host ?? throw NotHere("cmpxchg");
        return ScriptValues.Each(_engine, args.At(0),
            key => _run.LoadJson(() => host.GetCompareExchange(key)), "cmpxchg");
    }

    private JsValue Counter(JsValue[] args, string function)
    {
        IScriptHost host = _run.Host ?? throw NotHere(function);
        if (args.At(0).IsNothing())
        {
            return JsValue.Null;
        }

        string name = args.Text(1, _engine, $"{function}()");
        return ScriptValues.Each(_engine, _run.IdOf(args.At(0), function),
            id => _run.LoadJson(() => host.GetOfDocument(function, id, name)), function);
    }

    // Ids or keys: one text or an array of texts.
    private JsValue Include(JsValue[] args, string function, Action<IScriptHost, string> include)
    {
        IScriptHost host = _run.Host ?? throw NotHere(function);
        return ScriptValues.Each(_engine, args.At(0), name =>
        {
            include(host, name);
            return JsValue.Undefined;
        }, function);
    }

    private JsValue RawText(JsValue[] args)
    {
        if (args.At(1) is not Function field)
        {
            throw ScriptValues.Fault(_engine, "scalarToRawString() takes a document and a function such as x => x.Number.");
        }

        JsValue value = ScriptValues.CallInside(field, JsValue.Undefined, [args.At(0)]);
        return value switch
        {
            JsNumber number when _run.Numbers.TryGet(number, out ReadOnlySpan<byte> text) =>
                new JsString(Encoding.ASCII.GetString(text)),
            JsNumber or JsBoolean => new JsString(value.ToString()),
            JsString => value,
            _ when value.IsNothing() => JsValue.Null,
            _ => throw ScriptValues.Fault(_engine, "scalarToRawString() takes a number, a text, true or false."),
        };
    }

    private JsValue Extreme(JsValue[] args, int sign)
    {
        JsValue best = JsValue.Null;
        foreach (JsValue value in args)
        {
            if (!value.IsNothing() && (best.IsNull() || Compare(value, best) * sign > 0))
            {
                best = value;
            }
        }

        return best;
    }

    private int Compare(JsValue left, JsValue right) => (left, right) switch
    {
        (JsNumber a, JsNumber b) => a.AsNumber().CompareTo(b.AsNumber()),
        (JsString a, JsString b) => string.CompareOrdinal(a.ToString(), b.ToString()),
        (JsDate a, JsDate b) => a.DateValue.CompareTo(b.DateValue),
        _ => throw ScriptValues.Fault(_engine, "raven_min() and raven_max() take values of one kind: numbers, texts or dates."),
    };

    private JsValue Output(JsValue[] args)
    {
        foreach (JsValue value in args)
        {
            if (value is JsString text)
            {
                _run.Host?.Output(text.ToString());
                continue;
            }

            _line.Clear();
            _output.Write(value, _line);
            _run.Host?.Output(Encoding.UTF8.GetString(_line.Written));
        }

        return JsValue.Undefined;
    }

    private Jint.Runtime.JavaScriptException NotHere(string function) => ScriptValues.NotHere(_engine, function);

    private void Add(string name, int length, Func<JsValue[], JsValue> call) =>
        _engine.Global.FastSetProperty(name, Constant(Function(name, length, call)));

    private void AddObject(string name, params ReadOnlySpan<(string Name, int Length, Func<JsValue[], JsValue> Call)> members)
    {
        var holder = new JsObject(_engine);
        foreach ((string member, int length, Func<JsValue[], JsValue> call) in members)
        {
            holder.FastSetProperty(member, Constant(Function(member, length, call)));
        }

        _engine.Global.FastSetProperty(name, Constant(holder));
    }

    private ClrFunction Function(string name, int length, Func<JsValue[], JsValue> call) =>
        new(_engine, name, (_, args) => call(args), length);

    private static PropertyDescriptor Constant(ObjectInstance value) => new(value, true, true, true);
}
