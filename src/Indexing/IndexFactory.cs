using System.Text.Json;
using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Mapping;
using Jackdaw.Indexing.Outputs;
using Jackdaw.Indexing.Records;
using Jackdaw.Indexing.Settings;
using Jackdaw.Indexing.Sources;
using Jackdaw.Scripting;
using Jackdaw.Search;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Vectors;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Indexing;

/// <summary>Opens the files of an index by its record: compiles the definition, opens the storage and the search engine. Any thread.</summary>
/// <param name="engines">The search engines of this program.</param>
/// <param name="sources">What definitions may map; null for everything that this program has.</param>
internal sealed class IndexFactory(SearchEngines engines, KnownSources? sources = null) : IIndexFactory
{
    /// <summary>The engines of all definitions in JavaScript. Each open index has one engine, which takes about a megabyte.</summary>
    private static readonly ScriptEnginePool s_engines = new(ScriptLimits.Default);

    public SearchEngines Engines => engines;

    private KnownSources Known => sources ?? KnownSources.Default;

    public IndexBuilder Open(IndexHost host, IndexRecord record, IndexFailures failures, Func<IndexMapping, IndexMapping>? wrap = null)
    {
        IndexingSettings settings = SettingsOf(record, host.Settings);
        SearchEngine engine = EngineOf(record);
        var storage = StorageEnvironment.OpenBranch(host.Storage, host.Folder + "/" + record.Folder);
        IndexMapping? mapping = null;
        VectorSearchIndex? index = null;
        try
        {
            CheckEngine(record, storage);
            (mapping, IndexFields fields, IndexDefinition? definition) = Prepare(record, settings, host.Analyzers.Find, storage);
            mapping = wrap?.Invoke(mapping) ?? mapping;
            OutputDefinition? outputs = definition is null ? null : OutputDefinition.Of(definition);
            index = new VectorSearchIndex(storage, engine.Open(storage, fields));
            return new IndexBuilder(
                host.Database, storage, index, mapping,
                new ComputedFields(index, fields, definition, settings, host.Analyzers.Find), settings, failures)
            {
                Engine = engine.Name,
                Time = host.Time,
                Archived = definition?.ArchivedDataProcessingBehavior ?? ArchivedDataProcessing.ExcludeArchived,
                Outputs = outputs is null ? null : new OutputWriter(
                    host.Database, storage, outputs, refused: problem => failures.Add(host.Time.GetUtcNow(), new MappingFailure(null, "Output", problem))),
            };
        }
        catch
        {
            index?.Dispose();
            mapping?.Dispose();
            storage.Dispose();
            throw;
        }
    }

    public string ChooseEngine(IndexHost host, IndexRecord record)
    {
        IndexingSettings settings = SettingsOf(record, host.Settings);
        return engines.OfSetting(record.IsAuto ? settings.AutoEngine : settings.StaticEngine).Name;
    }

    public string? NamedEngineOf(IndexRecord record)
    {
        if (record.IsAuto)
        {
            return null;
        }

        IndexingSettings own = new IndexingSettings { StaticEngine = "" }.Over(IndexDefinitions.Read(record).Configuration, out _);
        return own.StaticEngine.Length == 0 ? null : engines.OfSetting(own.StaticEngine).Name;
    }

    public async Task<IndexMapping> CompileAsync(
        IndexDefinition definition, IReadOnlyList<string> analyzers, CancellationToken cancellationToken)
    {
        IndexingSettings settings = new IndexingSettings().Over(definition.Configuration, out string? problem);
        if (problem is not null)
        {
            throw new IndexDefinitionException($"The configuration of index '{definition.Name}' cannot be used: {problem}.");
        }

        var outputs = OutputDefinition.Of(definition);
        FieldSettings.Check(definition, settings, analyzers);
        IndexMapping mapping = await CompileAsync(definition, cancellationToken).ConfigureAwait(false);
        if (mapping.Fields.Count > 0 && outputs?.Pattern?.Fields.FirstOrDefault(field => !mapping.Fields.Contains(field)) is { } unknown)
        {
            mapping.Dispose();
            throw new IndexDefinitionException($"The PatternForOutputReduceToCollectionReferences of index '{definition.Name}' names the field " +
                $"'{unknown}', which its rows do not have; they have {string.Join(", ", mapping.Fields)}.");
        }

        return mapping;
    }

    private SearchEngine EngineOf(IndexRecord record) => engines.Find(record.Engine)
        ?? throw new IndexDefinitionException(WritingEngine.DescribeMissing(record.Name, record.Engine, engines));

    // The record and the files are written by different transactions, so they may contradict each other.
    private static void CheckEngine(IndexRecord record, StorageEnvironment storage)
    {
        using ReadTransaction read = storage.BeginRead();
        if (WritingEngine.ReadName(read.Trees) is { } written && written != record.Engine)
        {
            throw new IndexDefinitionException($"The files of index '{record.Name}' were written by the search engine '{written}', "
                + $"and the database says that '{record.Engine}' writes them: reset the index, so that it is built again.");
        }
    }

    private static IndexingSettings SettingsOf(IndexRecord record, IndexingSettings settings) =>
        record.IsAuto ? settings : settings.Over(IndexDefinitions.Read(record).Configuration, out _);

    private (IndexMapping Mapping, IndexFields Fields, IndexDefinition? Definition) Prepare(
        IndexRecord record, IndexingSettings settings, FindAnalyzer analyzers, StorageEnvironment storage)
    {
        if (record.IsAuto)
        {
            AutoDefinition auto = AutoDefinitionJson.Read(record.Definition);
            return (auto.GroupBy.Count > 0 ? new AutoGroupMapping(auto) : new AutoMapping(auto), FieldSettings.Of(auto, settings), null);
        }

        using var json = JsonDocument.Parse(record.Definition);
        IndexDefinition definition = IndexDefinitionReader.Read(json.RootElement);

        return (Compile(definition, storage), FieldSettings.Of(definition, settings, analyzers), definition);
    }

    // A thread of the workers, which has nothing else to do until the definition is compiled.
    private IndexMapping Compile(IndexDefinition definition, StorageEnvironment storage)
    {
        if (definition.IsJavaScript)
        {
            return JavaScriptMapping.Make(definition, Known, s_engines, checksNames: false);
        }

        ItemSource? items = Known.ItemsOf(definition.SourceType, definition.Name);

        byte[] cached = CompiledDefinitionStore.Read(storage);
        CompiledDefinition compiled = CompiledDefinition.CompileAsync(definition, cached, CancellationToken.None).GetAwaiter().GetResult();
        if (!compiled.IsFromCache)
        {
            CompiledDefinitionStore.Write(storage, compiled.CachedBytes);
        }

        return new CSharpMapping(compiled, items);
    }

    private async Task<IndexMapping> CompileAsync(IndexDefinition definition, CancellationToken cancellationToken) =>
        definition.IsJavaScript
        ? JavaScriptMapping.Make(definition, Known, s_engines)
        : new CSharpMapping(
            await CompiledDefinition.CompileAsync(definition, default, cancellationToken).ConfigureAwait(false),
            Known.ItemsOf(definition.SourceType, definition.Name));
}
