using System.Globalization;
using Jint;
using Jint.Native;
using Jint.Native.Function;
using Jint.Native.Object;
using Jint.Runtime.Interop;

namespace Jackdaw.Scripting.Indexes;

/// <summary>The functions that a definition calls: <c>map</c> and <c>groupBy</c>, which define the index, and helpers of indexes.</summary>
/// <remarks>They are arguments of the definition's function, so other scripts do not have them. They belong to one engine and are reused; <see cref="Maps"/>
/// and the reduce are those of the last evaluation.</remarks>
internal sealed class JavaScriptIndexFunctions
{
    /// <summary>Names of the arguments, in order.</summary>
    public static readonly IReadOnlyList<string> Parameters =
    [
        "map", "groupBy", "timeSeries", "counters", "createField", "createSpatialField", "createVector", "boost",
        "recurse", "attachmentsFor", "counterNamesFor", "timeSeriesNamesFor", "loadAttachment", "loadAttachments",
        "noTracking", "metadataFor", "tryConvertToNumber", "$call",
    ];

    /// <summary>Largest number of objects that <c>recurse</c> returns.</summary>
    private const int RecursedMax = 10_000;

    private readonly ScriptEngine _engine;
    private readonly Engine _interpreter;
    private readonly JsValue[] _arguments;
    private readonly List<(JavaScriptMap Map, Function Function)> _maps = [];
    private Func<JsValue> _call = () => JsValue.Undefined;

    public JavaScriptIndexFunctions(ScriptEngine engine)
    {
        _engine = engine;
        _interpreter = engine.Interpreter;
        _arguments =
        [
            Function("map", args => AddMap(JavaScriptMapSource.Documents, args)),
            Function("groupBy", GroupBy),
            Holder("map", args => AddMap(JavaScriptMapSource.TimeSeries, args)),
            Holder("map", args => AddMap(JavaScriptMapSource.Counters, args)),
            Function("createField", CreateField),
            Function("createSpatialField", args => Marked("$spatial", Spatial(args))),
            Function("createVector", args => args.At(0).IsUndefined() ? args.At(0) : Marked("@vector", args.At(0))),
            Function("boost", Boost),
            Function("recurse", Recurse),
            Function("attachmentsFor", args => FromMetadata(args, "@attachments")),
            Function("counterNamesFor", args => FromMetadata(args, "@counters")),
            Function("timeSeriesNamesFor", args => FromMetadata(args, "@timeseries")),
            Function("loadAttachment", LoadAttachment),
            Function("loadAttachments", args => new JsArray(_interpreter, [.. FromMetadata(args, "@attachments").Select(ToAttachment)])),
            NoTracking(),
            _interpreter.Global.Get("getMetadata"),
            Function("tryConvertToNumber", ToNumber),
            Function("$call", _ => _call()),
        ];
    }

    public IReadOnlyList<(JavaScriptMap Map, Function Function)> Maps => _maps;

    /// <summary>The function that was passed to <c>groupBy</c>. It is set when <c>aggregate</c> has been called, too.</summary>
    public Function? Key { get; private set; }

    public Function? Aggregate { get; private set; }

    public bool HasReduce => Aggregate is not null;

    /// <summary>Arguments for one evaluation of the definition, which calls <paramref name="call"/> at its
    /// end.</summary>
    public JsValue[] Arguments(Func<JsValue> call)
    {
        _maps.Clear();
        Key = null;
        Aggregate = null;
        _call = call;
        return _arguments;
    }

    private JsValue AddMap(JavaScriptMapSource source, JsValue[] args)
    {
        if (args.Length == 0 || args[^1] is not Function function || args[..^1].Any(name => name is not JsString)
            || args.Length > (source == JavaScriptMapSource.Documents ? 2 : 3)
            || (source == JavaScriptMapSource.Documents && args.Length < 2))
        {
            throw ScriptValues.Fault(_interpreter,
                "map() takes the name of a collection and a function: map('Users', u => ({ Name: u.Name })).");
        }

        string? collection = args.Length > 1 ? JavaScriptIndex.CollectionOf(args[0].ToString()) : null;
        _maps.Add((new JavaScriptMap(source, collection, args.Length > 2 ? args[1].ToString() : null), function));
        return JsValue.Undefined;
    }

    private JsValue GroupBy(JsValue[] args)
    {
        if (args.At(0) is not Function key)
        {
            throw ScriptValues.Fault(_interpreter, "groupBy() takes a function: groupBy(row => row.Name).");
        }

        return Holder("aggregate", values =>
        {
            if (HasReduce || values.At(0) is not Function aggregate)
            {
                throw ScriptValues.Fault(_interpreter,
                    "aggregate() takes a function and is called once: aggregate(group => ({ Name: group.key })).");
            }

            Key = key;
            Aggregate = aggregate;
            return JsValue.Undefined;
        });
    }

    // Without a name there is no field, as in C#: documents may lack what names it.
    private JsValue CreateField(JsValue[] args)
    {
        if (args.At(0).IsNothing() || args[0] is JsString { Length: 0 })
        {
            return JsValue.Undefined;
        }

        JsObject field = Marked("$name", new JsString(args.Text(0, _interpreter, "createField()")));
        field.FastSetDataProperty("$value", args.At(1));
        field.FastSetDataProperty("$options", args.At(2));
        return field;
    }

    // A shape becomes a text, no matter what it was made from, because rows of a reduce store it as a text.
    private JsValue Spatial(JsValue[] args)
    {
        if (args.Length < 2)
        {
            return args.At(0).IsNothing() ? JsValue.Undefined : new JsString(args.Text(0, _interpreter, "createSpatialField()"));
        }

        if (args[0].IsNothing() || args[1].IsNothing())
        {
            return JsValue.Undefined;
        }

        double latitude = args.Number(0, _interpreter, "createSpatialField()");
        double longitude = args.Number(1, _interpreter, "createSpatialField()");
        return double.IsFinite(latitude) && double.IsFinite(longitude)
            ? new JsString(string.Create(CultureInfo.InvariantCulture, $"POINT ({longitude} {latitude})"))
            : throw ScriptValues.Fault(_interpreter, "createSpatialField() takes a latitude and a longitude: two finite numbers.");
    }

    private JsObject Boost(JsValue[] args)
    {
        JsObject boosted = Marked("$boost", JsNumber.Create(args.Number(1, _interpreter, "boost()")));
        boosted.FastSetDataProperty("$value", args.At(0));
        return boosted;
    }

    // Collects the object and everything that the function finds below it, each once, because references in data may form a circle.
    private JsArray Recurse(JsValue[] args)
    {
        if (args.At(1) is not Function children)
        {
            throw ScriptValues.Fault(_interpreter, "recurse() takes an object and a function: recurse(o, x => x.Children).");
        }

        var seen = new HashSet<JsValue>(ReferenceEqualityComparer.Instance);
        var found = new List<JsValue>();
        var open = new Stack<JsValue>();
        open.Push(args.At(0));
        while (open.TryPop(out JsValue? next))
        {
            if (next.IsNothing() || !seen.Add(next))
            {
                continue;
            }

            if (next is JsArray list)
            {
                for (uint i = list.Length; i > 0; i--)
                {
                    open.Push(list[i - 1]);
                }

                continue;
            }

            if (found.Count == RecursedMax)
            {
                throw ScriptValues.Fault(_interpreter, $"recurse() found more than {RecursedMax} objects.");
            }

            found.Add(next);
            open.Push(ScriptValues.CallInside(children, JsValue.Undefined, [next]));
        }

        return new JsArray(_interpreter, [.. found]);
    }

    private JsArray FromMetadata(JsValue[] args, string name) =>
        _engine.Run.Find(args.At(0)) is not null && args[0].Get("@metadata") is ObjectInstance metadata
        && metadata.Get(name) is JsArray list
            ? list
            : new JsArray(_interpreter, 0u, 0u);

    // Null when there is none.
    private JsValue LoadAttachment(JsValue[] args)
    {
        string name = args.Text(1, _interpreter, "loadAttachment()");
        foreach (JsValue one in FromMetadata(args, "@attachments"))
        {
            if (one is ObjectInstance attachment && attachment.Get("Name").ToString().Equals(name, StringComparison.OrdinalIgnoreCase))
            {
                return ToAttachment(attachment);
            }
        }

        return JsValue.Null;
    }

    // The object has what the document shows of the attachment, and a function that gives its content.
    private JsValue ToAttachment(JsValue shown)
    {
        var attachment = new JsObject(_interpreter);
        foreach (string name in (ReadOnlySpan<string>)["Name", "Hash", "ContentType", "Size"])
        {
            attachment.FastSetDataProperty(name, shown.Get(name));
        }

        string hash = shown.Get("Hash").ToString();
        attachment.FastSetDataProperty("getContentAsString", Function("getContentAsString", _ =>
            _engine.Run.Host is IJavaScriptIndexHost host && host.LoadContent(hash) is { } text ? new JsString(text) : JsValue.Null));
        return attachment;
    }

    // Null when there is no number: a text of another kind, an object, nothing.
    private static JsValue ToNumber(JsValue[] args) => args.At(0) switch
    {
        JsNumber number => number,
        JsBoolean flag => JsNumber.Create(flag == JsBoolean.True ? 1 : 0),
        JsString text when double.TryParse(text.ToString(), CultureInfo.InvariantCulture, out double number) && double.IsFinite(number) =>
            JsNumber.Create(number),
        _ => JsValue.Null,
    };

    private JsObject NoTracking()
    {
        var holder = new JsObject(_interpreter);
        holder.FastSetDataProperty("load", Function("load", args => _engine.Run.Host is IJavaScriptIndexHost host
            ? ScriptValues.Each(_interpreter, args.At(0), id => _engine.Run.Load(id, UntrackedKey, (key, _) => host.LoadUntracked(key)), "load")
            : JsValue.Null));
        return holder;
    }

    /// <summary>A name that no collection has. Documents that are loaded without tracking are cached under it in a run. Otherwise a later load of
    /// the same document with tracking would go unnoticed.</summary>
    private const string UntrackedKey = "\0";

    private JsObject Marked(string name, JsValue value)
    {
        var marked = new JsObject(_interpreter);
        marked.FastSetDataProperty(name, value);
        return marked;
    }

    private JsObject Holder(string member, Func<JsValue[], JsValue> call) => Marked(member, Function(member, call));

    private ClrFunction Function(string name, Func<JsValue[], JsValue> call) =>
        new(_interpreter, name, (_, args) => call(args));
}
