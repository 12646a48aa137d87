using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Indexing.Mapping;
using Jackdaw.Indexing.Sources;

namespace Jackdaw.Indexing.Comparison;

/// <summary>The mapping of a definition over a sample of its documents.</summary>
/// <param name="whole">Disposed with this one.</param>
/// <param name="documents">The sample of each collection.</param>
internal sealed class SampledMapping(IndexMapping whole, IReadOnlyList<SampledCollection> documents) : IndexMapping
{
    public override IndexSources Sources { get; } = new(documents, whole.Sources.Items, whole.Sources.Loaded);

    public override bool HasReduce => whole.HasReduce;

    public override bool IndexesEmptyEntries => whole.IndexesEmptyEntries;

    public override bool LeavesOutValues => whole.LeavesOutValues;

    public override bool ReadsKeptMetadata => whole.ReadsKeptMetadata;

    public override IReadOnlyList<string> Fields => whole.Fields;

    public override bool HasComputedFields => whole.HasComputedFields;

    public override MappingRun BeginRun(IDocumentLoader loader) => whole.BeginRun(loader);

    protected override void Dispose(bool isDisposing) => whole.Dispose();
}
