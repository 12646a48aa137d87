using System.Runtime.Loader;
using Jackdaw.Indexing.Definitions.Compilation;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Rows;

namespace Jackdaw.Indexing.Definitions.Running;

/// <summary>A definition that is compiled and loaded: makes runs of its maps and its reduce.</summary>
/// <remarks>Any thread may begin runs; a run belongs to one thread. After <see cref="Dispose"/> and the end of its runs
/// the code is unloaded, because nothing static refers to it.</remarks>
internal sealed class CompiledDefinition : IDisposable
{
    private readonly CompiledTexts _texts;
    private readonly AssemblyLoadContext _context;
    private Type? _type;

    private CompiledDefinition(IndexDefinition definition, CompiledTexts texts, byte[] key)
    {
        Definition = definition;
        _texts = texts;
        CachedBytes = texts.ToBytes(key);
        _context = new AssemblyLoadContext("index " + definition.Name, isCollectible: true);
        _type = _context.LoadFromStream(new MemoryStream(texts.Assembly)).GetType(
            $"{GeneratedNames.Namespace}.{GeneratedNames.Class}", throwOnError: true);
    }

    public IndexDefinition Definition { get; }

    /// <summary>The bytes that are cached with the index and given to the next <see cref="CompileAsync"/>.</summary>
    public byte[] CachedBytes { get; }

    /// <summary>True when nothing was compiled.</summary>
    public bool IsFromCache { get; private init; }

    /// <summary>Names of the fields of all rows, in the order of <see cref="EntryRow.Values"/>. Empty when rows are
    /// objects whose members are computed: then all fields are <see cref="EntryRow.DynamicFields"/>.</summary>
    public IReadOnlyList<string> Fields => _texts.Fields;

    /// <summary>Whether rows may have other fields than these.</summary>
    public bool HasComputedFields => _texts.HasDynamicSlot || _texts.Fields.Length == 0;

    /// <summary>What each map reads.</summary>
    public IReadOnlyList<MapText> Maps => _texts.Maps;

    public bool HasReduce => _texts.HasReduce;

    /// <summary>Collections that calls of LoadDocument name. Documents of others can be loaded too when
    /// <see cref="HasOtherReferences"/>.</summary>
    public IReadOnlyList<string> ReferencedCollections => _texts.ReferencedCollections;

    public bool HasOtherReferences => _texts.HasOtherReferences;

    /// <summary>Whether compare exchange values are loaded.</summary>
    public bool LoadsValues => _texts.LoadsValues;

    /// <summary>Compiles and loads a definition in C#.</summary>
    /// <param name="definition">A definition whose <see cref="IndexDefinition.IsJavaScript"/> is false.</param>
    /// <param name="cachedBytes">Earlier <see cref="CachedBytes"/>; empty if there are none. Bytes of another definition or
    /// version, and damaged ones, are ignored.</param>
    /// <param name="cancellation">Ends a compilation.</param>
    /// <exception cref="IndexCompilationException">The texts cannot be compiled.</exception>
    /// <exception cref="IndexDefinitionException">The texts contradict the options.</exception>
    public static async Task<CompiledDefinition> CompileAsync(
        IndexDefinition definition, ReadOnlyMemory<byte> cachedBytes, CancellationToken cancellation)
    {
        byte[] key = CompiledTexts.KeyOf(definition);
        bool isCached = CompiledTexts.TryRead(cachedBytes.Span, key, out CompiledTexts? texts);
        texts ??= await DefinitionCompiler.CompileAsync(definition, CodeLibrary.Definitions, cancellation).ConfigureAwait(false);
        CheckOutput(definition, texts);
        var compiled = new CompiledDefinition(definition, texts, key) { IsFromCache = isCached };
        compiled.CheckReduce();
        return compiled;
    }

    /// <summary>Begins a run of the maps.</summary>
    /// <param name="loader">Reads the documents that LoadDocument names.</param>
    public MapRun BeginMap(IDocumentLoader loader) => new(_texts, Create(), loader);

    /// <summary>Begins a run of the reduce.</summary>
    public ReduceRun BeginReduce() => HasReduce
        ? new ReduceRun(Definition.Name, _texts, Create())
        : throw new InvalidOperationException($"The index '{Definition.Name}' has no reduce.");

    public void Dispose()
    {
        if (_type is not null)
        {
            _type = null;
            _context.Unload();
        }
    }

    private DefinitionBase Create()
    {
        ObjectDisposedException.ThrowIf(_type is null, this);
        return (DefinitionBase)Activator.CreateInstance(_type)!;
    }

    /// <summary>Finds a reduce without groups when the definition is put, and not when its first row comes.</summary>
    private void CheckReduce()
    {
        try
        {
            if (HasReduce)
            {
                BeginReduce().Dispose();
            }
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    private static void CheckOutput(IndexDefinition definition, CompiledTexts texts)
    {
        if (definition.OutputReduceToCollection is { } output && texts.Maps.Any(map => map.Reads(output)))
        {
            throw new IndexDefinitionException($"The index '{definition.Name}' writes its rows to the collection " +
                $"'{output}', which it also reads: that would never end. Name another OutputReduceToCollection.");
        }
    }
}
