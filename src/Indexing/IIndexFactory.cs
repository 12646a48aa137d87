using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;

namespace Jackdaw.Indexing;

/// <summary>Makes what builds an index of its record. Any thread.</summary>
internal interface IIndexFactory
{
    /// <summary>Opens the storage of an index, or creates it, and what its definition says.</summary>
    /// <param name="failures">Gets those that the storage has, and is written with its batches.</param>
    /// <exception cref="Jackdaw.Storage.CorruptionException">The storage is damaged.</exception>
    /// <exception cref="IndexDefinitionException">The definition does not compile, or the program does not have the search engine.</exception>
    IndexBuilder Open(IndexHost host, IndexRecord record, IndexFailures failures);

    /// <summary>Name of the search engine that makes an index that is built from nothing: what the settings say now.</summary>
    string ChooseEngine(IndexHost host, IndexRecord record);
}
