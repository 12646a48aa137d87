using Jint.Native;

namespace Jackdaw.Scripting.Indexes;

/// <summary>The kind of items that a map reads.</summary>
internal enum JavaScriptMapSource
{
    Documents,
    TimeSeries,
    Counters,
}

/// <summary>One map of an index, and the items for which it is called.</summary>
/// <param name="Collection">Null for all.</param>
/// <param name="Name">Of a time series or counter; null for all, and for documents.</param>
internal sealed record JavaScriptMap(JavaScriptMapSource Source, string? Collection, string? Name);

/// <summary>The definition of an index in JavaScript, parsed: its maps, and whether it reduces.</summary>
/// <remarks>Immutable, for any number of threads; <see cref="JavaScriptIndexRun"/> runs it. The definition is
/// evaluated anew for each document, so that variables of it, and of additional sources, begin as written.</remarks>
internal sealed class JavaScriptIndex
{
    /// <summary>The collection name that stands for all documents.</summary>
    private const string AllDocuments = "@all_docs";

    /// <param name="maps">Texts with calls of <c>map</c>, each in a scope of its own.</param>
    /// <param name="reduce">A call of <c>groupBy(...).aggregate(...)</c>; null for none.</param>
    /// <param name="sources">Additional sources: functions for the others. The key is their name.</param>
    /// <param name="checksNames">Whether a name that nothing defines is refused, also where it is never reached.</param>
    /// <exception cref="JavaScriptParseException">A text is not JavaScript, uses something that is not allowed, or is not a definition.</exception>
    public JavaScriptIndex(
        ScriptEnginePool pool, IReadOnlyList<string> maps, string? reduce,
        IReadOnlyDictionary<string, string>? sources = null, bool checksNames = true)
    {
        ScriptFragment[] declared =
            [.. (sources ?? new Dictionary<string, string>()).Select(source => AsPart(source.Value, source.Key))];
        List<ScriptFragment> bodies = [.. maps.Select((text, i) => new ScriptFragment(text, $"map {i + 1}"))];
        if (reduce is not null)
        {
            bodies.Add(new ScriptFragment(reduce, "reduce"));
        }

        Script = PreparedScript.Body(
            declared, [.. bodies, new ScriptFragment("return $call();", "the call")], JavaScriptIndexFunctions.Parameters);
        Maps = Inspect(pool, checksNames ? [.. declared, .. bodies] : [], maps.Count, reduce);
        HasReduce = reduce is not null;
    }

    public IReadOnlyList<JavaScriptMap> Maps { get; }

    public bool HasReduce { get; }

    public PreparedScript Script { get; }

    /// <summary>Null for a map of all documents.</summary>
    public static string? CollectionOf(string name) => name == AllDocuments ? null : name;

    // A source may be a function expression, with or without parentheses, as well as a script.
    private static ScriptFragment AsPart(string text, string name) => new(text, $"source '{name}'");

    private List<JavaScriptMap> Inspect(ScriptEnginePool pool, IReadOnlyList<ScriptFragment> checkedParts, int texts, string? reduce)
    {
        ScriptEngine engine = pool.Rent();
        try
        {
            UndefinedNames.Check(checkedParts, name => JavaScriptIndexFunctions.Parameters.Contains(name) || engine.Interpreter.Global.HasProperty(name));
            engine.Begin(Script, host: null, CancellationToken.None);
            try
            {
                var functions = new JavaScriptIndexFunctions(engine);
                engine.Call(JsValue.Undefined, functions.Arguments(() => JsValue.Undefined));
                return Checked(functions, texts, reduce);
            }
            finally
            {
                engine.End();
            }
        }
        catch (JavaScriptException error) when (error is not JavaScriptParseException)
        {
            throw new JavaScriptParseException(error.Error, error.Problem, error.Place, error);
        }
        finally
        {
            pool.Return(engine);
        }
    }

    private static List<JavaScriptMap> Checked(JavaScriptIndexFunctions functions, int texts, string? reduce)
    {
        if (functions.Maps.Count < Math.Max(texts, 1))
        {
            throw Refused($"The index has {texts} map texts and {functions.Maps.Count} calls of map(). " +
                "Each text calls map('Collection', document => ({ ... })).", null);
        }

        if (reduce is not null && !functions.HasReduce)
        {
            throw Refused("The reduce of an index must be one call of groupBy(row => ...).aggregate(group => ({ ... })).", StartOf(reduce));
        }

        if (reduce is null && functions.HasReduce)
        {
            throw Refused("A map calls groupBy(...).aggregate(...). Move this call to the Reduce of the index.", null);
        }

        return [.. functions.Maps.Select(map => map.Map)];
    }

    // The place of the first character that is not white space.
    private static ScriptPosition StartOf(string reduce)
    {
        string before = reduce[..^reduce.TrimStart().Length];
        int line = before.LastIndexOf('\n') + 1;
        return new ScriptPosition("reduce", before.Count(letter => letter == '\n') + 1, before.Length - line + 1);
    }

    private static JavaScriptParseException Refused(string problem, ScriptPosition? place) => new(ScriptError.Refused, problem, place);
}
