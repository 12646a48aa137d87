using Jackdaw.Search.Entries;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Vectors;

/// <summary>An index of any engine, with the vectors of its entries. The graphs of the vectors lie in the storage of the index, and change in the same
/// transactions as the entries.</summary>
public sealed class VectorSearchIndex : SearchIndex
{
    private readonly SearchIndex _inner;

    /// <param name="inner">The index of the engine, which belongs to this object from now on.</param>
    public VectorSearchIndex(StorageEnvironment storage, SearchIndex inner)
    {
        _ = storage;
        _inner = inner;
    }

    public override IndexFields Fields
    {
        get => _inner.Fields;
        set => _inner.Fields = value;
    }

    public override IndexBatch BeginBatch() => _inner.BeginBatch();

    public override Searcher BeginSearch() => _inner.BeginSearch();

    public override bool Maintain(Func<bool> isAwaited) => _inner.Maintain(isAwaited);

    /// <summary>The graphs of a snapshot, for statistics.</summary>
    public IReadOnlyList<VectorFieldState> ReadStates(ReadTransaction read)
    {
        _ = read;
        return [];
    }

    protected override void Dispose(bool isDisposing) => _inner.Dispose();
}
