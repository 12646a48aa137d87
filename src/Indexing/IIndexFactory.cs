using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;
using Jackdaw.Indexing.Sources;

namespace Jackdaw.Indexing;

/// <summary>Opens the files of an index by its record. Any thread.</summary>
internal interface IIndexFactory
{
    /// <summary>Opens or creates the storage of an index, and prepares its definition.</summary>
    /// <param name="failures">Gets the failures that are stored. New ones are stored with the batches.</param>
    /// <exception cref="Jackdaw.Storage.CorruptionException">The storage is damaged.</exception>
    /// <exception cref="IndexDefinitionException">The definition does not compile, or this program does not have the search engine.</exception>
    IndexBuilder Open(IndexHost host, IndexRecord record, IndexFailures failures);

    /// <summary>The name of the search engine for an index that is built from nothing, by the current settings.</summary>
    string ChooseEngine(IndexHost host, IndexRecord record);

    /// <summary>Compiles a definition, so that its author learns at once what is wrong with it.</summary>
    /// <param name="analyzers">Names of the analyzers that users wrote.</param>
    /// <returns>What the definition reads.</returns>
    /// <exception cref="IndexDefinitionException">The definition cannot be used.</exception>
    Task<IndexSources> CheckAsync(IndexDefinition definition, IReadOnlyList<string> analyzers, CancellationToken cancellationToken);
}
