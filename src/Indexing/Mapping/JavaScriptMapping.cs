using System.Globalization;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Indexing.Sources;
using Jackdaw.Scripting;
using Jackdaw.Scripting.Indexes;

namespace Jackdaw.Indexing.Mapping;

/// <summary>A definition in JavaScript.</summary>
internal sealed class JavaScriptMapping : IndexMapping
{
    private const string StepsKey = "Indexing.MaxStepsForScript";

    private readonly ScriptEnginePool _engines;
    private readonly bool _ownsEngines;
    private readonly JavaScriptIndex _index;

    private JavaScriptMapping(IndexDefinition definition, KnownSources sources, ScriptEnginePool engines, bool ownsEngines, bool checksNames)
    {
        _engines = engines;
        _ownsEngines = ownsEngines;
        _index = new JavaScriptIndex(engines, definition.Maps, definition.Reduce, definition.AdditionalSources, checksNames);
        JavaScriptMapSource[] mapped = [.. _index.Maps.Select(map => map.Source).Distinct()];
        if (mapped.Length > 1)
        {
            throw new IndexDefinitionException($"Index '{definition.Name}' maps {string.Join(" and ", mapped)}; make an index for each.");
        }

        bool readsAll = _index.Maps.Any(map => map.Collection is null);
        var loaded = LoadedCollections.Find([.. definition.Maps, .. definition.AdditionalSources.Values]);
        Sources = new IndexSources(
            CollectionSource.Of(readsAll ? [] : _index.Maps.Select(map => map.Collection!)),
            sources.ItemsOf(Enum.Parse<IndexSourceType>(mapped[0].ToString()), definition.Name),
            KnownSources.Loaded(loaded.Names, loaded.HasOthers, loaded.LoadsValues));
        Fields = [.. definition.Fields.Keys.Where(name => name != IndexDefinition.AllFields)];
    }

    public override IndexSources Sources { get; }

    public override bool HasReduce => _index.HasReduce;

    public override IReadOnlyList<string> Fields { get; }

    /// <summary>Parses a definition.</summary>
    /// <param name="sources">What it may map.</param>
    /// <param name="engines">Runs it, unless it has limits of its own.</param>
    /// <param name="checksNames">Whether a name that nothing defines is refused. A definition that was stored by an older server may have one.</param>
    /// <exception cref="IndexDefinitionException">It cannot be used.</exception>
    public static JavaScriptMapping Make(IndexDefinition definition, KnownSources sources, ScriptEnginePool engines, bool checksNames = true)
    {
        ScriptLimits? limits = LimitsOf(definition);
        ScriptEnginePool used = limits is null ? engines : new ScriptEnginePool(limits);
        try
        {
            return new JavaScriptMapping(definition, sources, used, ownsEngines: limits is not null, checksNames);
        }
        catch (JavaScriptParseException mistake)
        {
            Release();
            throw ToCompilation(definition, mistake);
        }
        catch
        {
            Release();
            throw;
        }

        void Release()
        {
            if (limits is not null)
            {
                used.Dispose();
            }
        }
    }

    public override MappingRun BeginRun(IDocumentLoader loader) => new JavaScriptMappingRun(_engines, _index, loader);

    protected override void Dispose(bool isDisposing)
    {
        if (_ownsEngines)
        {
            _engines.Dispose();
        }
    }

    private static ScriptLimits? LimitsOf(IndexDefinition definition)
    {
        if (!definition.Configuration.TryGetValue(StepsKey, out string? text))
        {
            return null;
        }

        return int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int steps) && steps > 0
            ? ScriptLimits.Default with { Statements = steps }
            : throw new IndexDefinitionException($"'{StepsKey}' of index '{definition.Name}' is '{text}'; give a whole number above 0.");
    }

    // The part of the text is named "map 2", "reduce" or "source 'X'".
    private static IndexCompilationException ToCompilation(IndexDefinition definition, JavaScriptParseException mistake)
    {
        string part = mistake.Place?.Part ?? "";
        int map = part.StartsWith("map ", StringComparison.Ordinal) ? int.Parse(part[4..], CultureInfo.InvariantCulture) - 1 : -1;
        string? source = definition.AdditionalSources.Keys.FirstOrDefault(name => part == $"source '{name}'");
        (string property, string? file, string text) = map >= 0 ? ("Maps", $"Maps[{map}]", definition.Maps[map])
            : source is not null ? ("AdditionalSources", source, definition.AdditionalSources[source])
            : part == "reduce" ? ("Reduce", "Reduce", definition.Reduce ?? "")
            : ("Maps", null, string.Join('\n', definition.Maps));
        return new IndexCompilationException(definition.Name, property, file, text, mistake.Message)
        {
            Line = mistake.Place?.Line ?? 0,
            Column = mistake.Place?.Column ?? 0,
        };
    }
}
