using System.Text.Json;
using Jackdaw.Search;
using Jackdaw.Search.Entries;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Indexing.Auto;
using Jackdaw.Server.Indexing.Building;
using Jackdaw.Server.Indexing.Definitions.Model;
using Jackdaw.Server.Indexing.Definitions.Running;
using Jackdaw.Server.Indexing.Mapping;
using Jackdaw.Server.Indexing.Records;
using Jackdaw.Server.Scripting;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Server.Indexing;

/// <summary>Makes what builds an index of its record: compiles the definition, opens storage and engine. Any thread.</summary>
/// <param name="openEngine">Opens the search engine in a storage.</param>
internal sealed class IndexFactory(Func<StorageEnvironment, IndexFields, SearchIndex> openEngine) : IIndexFactory
{
    /// <summary>Of all definitions in JavaScript: each open index has one engine, which takes about a megabyte.</summary>
    private static readonly ScriptEnginePool s_engines = new(ScriptLimits.Default);

    public IndexBuilder Open(IndexHost host, IndexRecord record, IndexFailures failures)
    {
        IndexingSettings settings = SettingsOf(record, host.Settings);
        (IndexMapping mapping, IndexFields fields, IndexDefinition? definition) = Prepare(record, settings);
        StorageEnvironment? storage = null;
        try
        {
            storage = StorageEnvironment.OpenBranch(host.Storage, host.Folder + "/" + record.Folder);
            return new SearchIndexBuilder(
                host.Database, storage, openEngine(storage, fields), mapping, new ComputedFields(fields, definition, settings), settings, failures)
            { Time = host.Time };
        }
        catch
        {
            storage?.Dispose();
            mapping.Dispose();
            throw;
        }
    }

    /// <summary>Compiles a definition, so that its author learns at once what is wrong with it.</summary>
    /// <exception cref="IndexDefinitionException">It cannot be used.</exception>
    public static async Task CheckAsync(IndexDefinition definition, CancellationToken cancellationToken)
    {
        IndexingSettings settings = new IndexingSettings().Over(definition.Configuration, out string? problem);
        if (problem is not null)
        {
            throw new IndexDefinitionException($"The configuration of index '{definition.Name}' cannot be used: {problem}.");
        }

        if (definition.OutputReduceToCollection is not null || definition.PatternForOutputReduceToCollectionReferences is not null)
        {
            throw new IndexDefinitionException(
                $"Index '{definition.Name}' writes its groups to a collection (OutputReduceToCollection), which this version does not support yet; " +
                "leave it out, and query the groups: from index '...'.");
        }

        FieldSettings.Check(definition, settings);
        using IndexMapping mapping = await CompileAsync(definition, cancellationToken).ConfigureAwait(false);
    }

    private static IndexingSettings SettingsOf(IndexRecord record, IndexingSettings settings) =>
        record.IsAuto ? settings : settings.Over(IndexDefinitions.Read(record).Configuration, out _);

    private static (IndexMapping Mapping, IndexFields Fields, IndexDefinition? Definition) Prepare(IndexRecord record, IndexingSettings settings)
    {
        if (record.IsAuto)
        {
            AutoDefinition auto = AutoDefinitionJson.Read(record.Definition);
            return (auto.GroupBy.Count > 0 ? new AutoGroupMapping(auto) : new AutoMapping(auto), FieldSettings.Of(auto), null);
        }

        using var json = JsonDocument.Parse(record.Definition);
        IndexDefinition definition = IndexDefinitionReader.Read(json.RootElement);

        // A thread of the workers: it has nothing else to do meanwhile.
        return (CompileAsync(definition, CancellationToken.None).GetAwaiter().GetResult(), FieldSettings.Of(definition, settings), definition);
    }

    private static async Task<IndexMapping> CompileAsync(IndexDefinition definition, CancellationToken cancellationToken) =>
        definition.IsJavaScript
        ? JavaScriptMapping.Make(definition, s_engines)
        : new CSharpMapping(await CompiledDefinition.CompileAsync(definition, default, cancellationToken).ConfigureAwait(false));
}
