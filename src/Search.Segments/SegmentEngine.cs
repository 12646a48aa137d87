using Jackdaw.Search.Entries;
using Jackdaw.Search.Segments.Verification;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Search.Segments;

/// <summary>The engine that writes immutable segments straight into the pages of a storage.</summary>
/// <remarks>Clients know the two engines of such servers by names; this one's is the name of the engine that is not Lucene.</remarks>
public sealed class SegmentEngine : SearchEngine
{
    private SegmentEngine()
    {
    }

    public static SegmentEngine Instance { get; } = new();

    public override string Name => "Corax";

    public override SearchIndex Open(StorageEnvironment storage, IndexFields fields) => new SegmentSearchIndex(storage, fields);

    /// <inheritdoc/>
    /// <remarks>Reads all of it.</remarks>
    public override IReadOnlyList<string> Verify(StorageEnvironment storage)
    {
        ArgumentNullException.ThrowIfNull(storage);
        return IndexVerifier.Verify(storage);
    }
}
