using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Transactions;

/// <summary>A snapshot of a storage. Takes no lock; one thread at a time; nothing may await while it holds pages.</summary>
/// <remarks>Pooled: after <see cref="Dispose"/> no page view of it may be used. While it lives, pages that it may see are
/// kept, so a long reader costs memory: long tasks renew their snapshot.</remarks>
public sealed unsafe class ReadTransaction : PageReader, IDisposable
{
    private readonly StorageEnvironment _environment;
    private EnvironmentState _state = null!;
    private TreeCatalog? _trees;
    private int _slot;
    private bool _active;

    internal ReadTransaction(StorageEnvironment environment) => _environment = environment;

    internal StorageEnvironment Owner => _environment;

    /// <summary>Last transaction that the snapshot sees.</summary>
    public long TransactionId => _state.TransactionId;

    /// <summary>The published state it reads.</summary>
    public EnvironmentState State => _state;

    /// <summary>The named trees of the snapshot.</summary>
    public TreeCatalog Trees => _trees ??= new TreeCatalog((PageReader)this, _state.Root);

    /// <inheritdoc/>
    public override Page GetPage(PageNumber number)
    {
        byte* scratch = _state.Pages.Find(number);
        return scratch != null ? new Page(scratch) : _environment.DataFile.Read(number, _state.NextPage);
    }

    /// <summary>Ends the snapshot.</summary>
    public void Dispose()
    {
        if (_active)
        {
            _active = false;
            _trees = null;
            _state = null!; // a pooled object must not keep what a state holds
            _environment.Readers.Leave(_slot);
            StorageEnvironment.ReturnReader(this);
        }
    }

    internal void Begin(EnvironmentState state, int slot)
    {
        _state = state;
        _slot = slot;
        _active = true;
    }
}
