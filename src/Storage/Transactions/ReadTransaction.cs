using System.Diagnostics;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Transactions;

/// <summary>A snapshot of a storage. Takes no lock; one thread at a time; nothing may await while it holds
/// pages.</summary>
/// <remarks>Pooled: after <see cref="Dispose"/> no page view of it may be used. While it lives, pages that it may see
/// are kept, so a long reader costs memory: long tasks renew their snapshot.</remarks>
public sealed unsafe class ReadTransaction : PageReader, IDisposable
{
    [ThreadStatic]
    private static ReadTransaction? s_spare;

    private readonly ReaderSlots _readers;
    private readonly DataFile _dataFile;
    private EnvironmentState _state = null!;
    private TreeCatalog? _trees;
    private TreeCatalog? _spareTrees; // of earlier snapshots
    private int _slot;
    private bool _active;

    private ReadTransaction(ReaderSlots readers, DataFile dataFile)
    {
        _readers = readers;
        _dataFile = dataFile;
    }

    /// <summary>Last transaction that the snapshot sees.</summary>
    public long TransactionId => _state.TransactionId;

    /// <summary>The published state it reads.</summary>
    public EnvironmentState State => _state;

    /// <summary>The named trees of the snapshot; they end with it.</summary>
    public TreeCatalog Trees => _trees ??= OpenTrees();

    /// <inheritdoc/>
    public override Page GetPage(PageNumber number)
    {
        Debug.Assert(_active, "a snapshot is used after its end");
        byte* scratch = _state.Pages.Find(number);
        return scratch != null ? new Page(scratch) : _dataFile.Read(number, _state.NextPage);
    }

    /// <inheritdoc/>
    public override void Prefetch(ReadOnlySpan<PageNumber> pages)
    {
        Debug.Assert(_active, "a snapshot is used after its end");
        _state.Prefetch(_dataFile, pages);
    }

    /// <inheritdoc/>
    public override void Prefetch(PageNumber first, long bytes)
    {
        Debug.Assert(_active, "a snapshot is used after its end");
        _state.Prefetch(_dataFile, first, bytes);
    }

    /// <summary>Whether the snapshot reads a page from the data file: its bytes then stay where they are as long as the
    /// storage is open and nobody frees the page.</summary>
    public bool IsInDataFile(PageNumber number) => _state.Pages.Find(number) == null;

    /// <summary>Ends the snapshot.</summary>
    public void Dispose()
    {
        if (_active)
        {
            _active = false;
            _trees?.Release();
            _trees = null;
            _state = null!; // a pooled object must not keep a state alive
            _readers.Leave(_slot);
            s_spare = this;
        }
    }

    /// <summary>Begins a snapshot of a state. Reuses the thread's spare object when that belongs to the same
    /// storage.</summary>
    /// <param name="readers">Readers of the storage, where the snapshot holds a slot.</param>
    /// <param name="dataFile">Pages that are not in scratch.</param>
    /// <param name="state">The state that it reads.</param>
    /// <param name="slot">Its slot; left when the transaction ends.</param>
    internal static ReadTransaction Begin(ReaderSlots readers, DataFile dataFile, EnvironmentState state, int slot)
    {
        ReadTransaction transaction = s_spare is { } spare && spare._readers == readers ? spare : new ReadTransaction(readers, dataFile);
        s_spare = null;
        Debug.Assert(!transaction._active);
        transaction._state = state;
        transaction._slot = slot;
        transaction._active = true;
        return transaction;
    }

    private TreeCatalog OpenTrees()
    {
        Debug.Assert(_active, "a snapshot is used after its end");
        if (_spareTrees is not { } trees)
        {
            return _spareTrees = new TreeCatalog((PageReader)this, _state.Root);
        }

        trees.Rebind(_state.Root);
        return trees;
    }
}
