using System.Globalization;
using Jackdaw.Json;
using Jackdaw.Json.Paths;
using Jint.Native;
using Jint.Native.Object;
using Jint.Runtime.Interop;

namespace Jackdaw.Scripting.Patches;

/// <summary>The functions that only patches have, for one run: the common ones, and those of the host.</summary>
/// <remarks>They are arguments of the script's function and are made anew for each run, so that the next script does not see what a script does to
/// them.</remarks>
internal sealed class PatchFunctions(ScriptEngine engine, ScriptDocument document, IPatchHost host)
{
    /// <summary>Largest number of steps in a path of <c>loadPath</c>.</summary>
    private const int PathStepsMax = 32;

    private static readonly string[] s_later =
    [
        "getCounters", "timeseries", "attachments",
    ];

    /// <summary>Names of the common ones, in the order of <see cref="Make"/>.</summary>
    public static IReadOnlyList<string> Names { get; } = ["id", "getMetadata", "put", "del", "loadPath", "archived", .. s_later];

    /// <summary>One value for each of <see cref="Names"/>, then one for each function of the host.</summary>
    public IEnumerable<JsValue> Make(IReadOnlyList<string> functionsOfHost) =>
    [
        Function("id", args => args.Length == 0 ? TextOrNull(document.Id) : TextOrNull(engine.Run.Find(args[0])?.Document.Id)),
        Function("getMetadata", args => Metadata(args.At(0))),
        Function("put", Put),
        Function("del", Delete),
        Function("loadPath", LoadPath),
        Archived(),
        .. s_later.Select(Later),
        .. functionsOfHost.Select(name => Function(name, args => Call(name, args))),
    ];

    private static JsValue TextOrNull(string? text) => text is null ? JsValue.Null : new JsString(text);

    // It is the object within the document, so what a script changes in it is stored with the document.
    private JsValue Metadata(JsValue value)
    {
        if (value.IsNothing())
        {
            return value;
        }

        if (value is not ObjectInstance owner)
        {
            throw ScriptValues.Fault(engine.Interpreter, "getMetadata() takes a document.");
        }

        JsValue metadata = owner.Get("@metadata");
        if (metadata.IsNothing())
        {
            metadata = new JsObject(engine.Interpreter);
            owner.Set("@metadata", metadata, owner);
        }

        return metadata;
    }

    private JsValue Put(JsValue[] args)
    {
        string id = args.At(0).IsNothing() ? "" : args.Text(0, engine.Interpreter, "put()");
        if (args.At(1) is not JsObject)
        {
            throw ScriptValues.Fault(engine.Interpreter, "Argument 2 of put() must be an object: put(id, { Name: 'x' }).");
        }

        using var json = new PooledBuffer();
        engine.Write(args[1], json);
        string stored = host.Put(id, json.Written, VersionAt(args, 2, "put()"));
        engine.Run.Forget(stored);
        return new JsString(stored);
    }

    private JsValue Delete(JsValue[] args)
    {
        string id = args.Text(0, engine.Interpreter, "del()");
        bool wasThere = host.Delete(id, VersionAt(args, 1, "del()"));
        engine.Run.Forget(id);
        return wasThere ? JsBoolean.True : JsBoolean.False;
    }

    private JsValue Call(string function, JsValue[] args)
    {
        ReadOnlyMemory<byte> json = host.Call(function, new PatchArguments(engine, function, args));
        return json.Span.SequenceEqual("true"u8) ? JsBoolean.True
            : json.Span.SequenceEqual("false"u8) ? JsBoolean.False
            : engine.Run.LoadJson(() => json);
    }

    private string? VersionAt(JsValue[] args, int index, string use) =>
        args.At(index).IsNothing() ? null : args.Text(index, engine.Interpreter, use);

    private JsValue LoadPath(JsValue[] args)
    {
        string text = args.Text(1, engine.Interpreter, "loadPath()");
        PathPart[] path = DocumentPath.TryParse(text, out DocumentPath? read)
            ? [.. read.Parts]
            : throw ScriptValues.Fault(engine.Interpreter, $"'{text}' is not a path. Write loadPath(this, 'Lines[].Product').");
        if (path.Length > PathStepsMax)
        {
            throw ScriptValues.Fault(engine.Interpreter, $"The path of loadPath() has more than {PathStepsMax} steps.");
        }

        var found = new List<JsValue>();
        bool isList = Collect(args.At(0), path, found);
        JsValue ids = isList ? new JsArray(engine.Interpreter, [.. found]) : found is [var one] ? one : JsValue.Null;
        return ScriptValues.Each(engine.Interpreter, ids, id => engine.Run.Load(id, null, host.Load), "loadPath");
    }

    // Returns true when there were arrays on the way. The recursion is as deep as the path; arrays within arrays do not make it deeper.
    private static bool Collect(JsValue value, ReadOnlySpan<PathPart> path, List<JsValue> found)
    {
        if (value is JsArray list && (path.IsEmpty || path[0].Position is null))
        {
            ReadOnlySpan<PathPart> below = path is [{ IsEach: true }, ..] ? path[1..] : path;
            foreach (JsValue element in list.ToArray())
            {
                if (element is not JsArray)
                {
                    Collect(element, below, found);
                }
            }

            return true;
        }

        if (path.IsEmpty)
        {
            found.Add(value);
            return false;
        }

        return path[0] is { Name: { } name } ? value is ObjectInstance owner && Collect(owner.Get(name), path[1..], found)
            : path[0].Position is not { } position ? Collect(value, path[1..], found)
            : value is JsArray places && position < places.Length && Collect(places[(uint)position], path[1..], found);
    }

    private JsObject Archived()
    {
        var functions = new JsObject(engine.Interpreter);
        functions.FastSetDataProperty("archiveAt", Function("archiveAt", ArchiveAt));
        functions.FastSetDataProperty("unarchive", Function("unarchive", Unarchive));
        return functions;
    }

    private JsValue ArchiveAt(JsValue[] args)
    {
        string date = args.At(1) is JsDate moment
            ? moment.ToDateTime().ToUniversalTime().ToString("O", CultureInfo.InvariantCulture)
            : args.Text(1, engine.Interpreter, "archived.archiveAt()");
        if (!IsoDate.TryRead(date, out _))
        {
            throw ScriptValues.Fault(engine.Interpreter,
                $"Argument 2 of archived.archiveAt() must be a date such as '2030-01-31T12:00:00.0000000Z', and is '{date}'.");
        }

        MetadataOf(args, "archived.archiveAt()").Set("@archive-at", new JsString(date));
        return JsValue.Undefined;
    }

    private JsValue Unarchive(JsValue[] args)
    {
        ObjectInstance metadata = MetadataOf(args, "archived.unarchive()");
        metadata.Delete("@archived");
        return JsValue.Undefined;
    }

    private ObjectInstance MetadataOf(JsValue[] args, string use) =>
        args.At(0) is ObjectInstance && Metadata(args.At(0)) is ObjectInstance metadata
            ? metadata
            : throw ScriptValues.Fault(engine.Interpreter, $"Argument 1 of {use} must be a document, such as 'this'.");

    private ClrFunction Later(string name) => Function(name, _ => throw NotYet(name));

    private Jint.Runtime.JavaScriptException NotYet(string function) =>
        ScriptValues.Fault(engine.Interpreter, $"{function}() is not supported yet.");

    private ClrFunction Function(string name, Func<JsValue[], JsValue> call) =>
        new(engine.Interpreter, name, (_, args) => call(args));
}
