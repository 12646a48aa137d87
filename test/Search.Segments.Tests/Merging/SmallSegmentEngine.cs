using Jackdaw.Search.Entries;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Search.Segments.Tests.Merging;

/// <summary>The engine with the smallest sizes: a few entries have runs of several chunks past the journal, symbols, and merges of many slices.</summary>
public sealed class SmallSegmentEngine : SearchEngine
{
    public static SmallSegmentEngine Instance { get; } = new();

    public override string Name => SegmentEngine.Instance.Name;

    public override SearchIndex Open(StorageEnvironment storage, IndexFields fields) =>
        new SegmentSearchIndex(storage, fields, SmallSizes.Make(isDirect: true));

    public override IReadOnlyList<string> Verify(StorageEnvironment storage) => SegmentEngine.Instance.Verify(storage);
}
