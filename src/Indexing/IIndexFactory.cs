using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Mapping;
using Jackdaw.Indexing.Records;
using Jackdaw.Search;

namespace Jackdaw.Indexing;

/// <summary>Opens the files of an index by its record. Any thread.</summary>
internal interface IIndexFactory
{
    /// <summary>The search engines of this program.</summary>
    SearchEngines Engines { get; }

    /// <summary>Opens or creates the storage of an index, and prepares its definition.</summary>
    /// <param name="failures">Gets the failures that are stored. New ones are stored with the batches.</param>
    /// <exception cref="Jackdaw.Storage.CorruptionException">The storage is damaged.</exception>
    /// <param name="wrap">Puts another mapping around that of the definition, which it then owns; null for none.</param>
    /// <exception cref="IndexDefinitionException">The definition does not compile, or this program does not have the search engine.</exception>
    IndexBuilder Open(IndexHost host, IndexRecord record, IndexFailures failures, Func<IndexMapping, IndexMapping>? wrap = null);

    /// <summary>The name of the search engine for an index that is built from nothing, by the current settings.</summary>
    string ChooseEngine(IndexHost host, IndexRecord record);

    /// <summary>The name of the search engine that a definition asks for itself, no matter what the settings say; null if it leaves that to them.</summary>
    string? NamedEngineOf(IndexRecord record);

    /// <summary>Checks and compiles a definition, so that its author learns at once what is wrong with it.</summary>
    /// <param name="analyzers">Names of the analyzers that users wrote.</param>
    /// <returns>The mapping; the caller disposes it.</returns>
    /// <exception cref="IndexDefinitionException">The definition cannot be used.</exception>
    Task<IndexMapping> CompileAsync(IndexDefinition definition, IReadOnlyList<string> analyzers, CancellationToken cancellationToken);
}
