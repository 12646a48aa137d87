using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Scratch;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Transactions;

/// <summary>The one running write transaction of a storage. Writer thread only; ends by commit or by
/// <see cref="Dispose"/> (rollback).</summary>
/// <remarks>
/// 1. It sees the last submitted transaction, published or not, and its own changes.
/// 2. Changed pages live in scratch and in a list of its own; the shared page table learns of them at commit, so a
///    rollback only drops the list.
/// 3. Direct runs are written to pages that nobody else uses, before the transaction is ordered (decision 0079).
/// 4. While it lives, and until its journal entry is durable, its reader slot pins the pages with which its diffs compare.
/// </remarks>
public sealed unsafe partial class WriteTransaction : PageWriter, IDisposable
{
    private readonly SingleWriter _writer;
    private readonly DataFile _dataFile;
    private readonly ScratchPool _scratch;
    private readonly EnvironmentState _base;
    private readonly FreeSpaceMap _freeSpace;
    private readonly int _slot;
    private TreeCatalog? _trees;
    private PageNumber _next;
    private bool _ended;

    internal WriteTransaction(
        SingleWriter writer,
        DataFile dataFile,
        ScratchPool scratch,
        EnvironmentState @base,
        FreeSpaceMap freeSpace,
        int slot,
        ModifiedPages modified)
    {
        _writer = writer;
        _dataFile = dataFile;
        _scratch = scratch;
        _base = @base;
        _freeSpace = freeSpace;
        _slot = slot;
        _next = @base.NextPage;
        Modified = modified;
        ClientState = @base.ClientState;
        TransactionId = @base.TransactionId + 1;
    }

    /// <summary>Id that the transaction gets when it commits with changes.</summary>
    public long TransactionId { get; }

    /// <summary>The named trees, as this transaction sees and changes them.</summary>
    public TreeCatalog Trees => _trees ??= new TreeCatalog((PageWriter)this, _base.Root);

    /// <summary>The object that the layer above attaches for readers of the committed state; inherited from the previous
    /// state.</summary>
    public object? ClientState { get; set; }

    /// <summary>Bytes of scratch that the transaction holds.</summary>
    public long ScratchBytes { get; private set; }

    /// <summary>True when anything was changed.</summary>
    public bool HasChanges => Modified.Count > 0;

    internal ModifiedPages Modified { get; }

    internal PageNumber NextPage => _next;

    internal TreeHeader Root => _trees?.RootHeader ?? _base.Root;

    internal EnvironmentState Base => _base;

    internal int Slot => _slot;

    /// <inheritdoc/>
    public override Page GetPage(PageNumber number)
    {
        ref ModifiedPages.Entry entry = ref Modified.Find(number);
        if (!Unsafe.IsNullRef(ref entry))
        {
            Invariant.Check(!entry.IsFreed, "a freed page is read");
            Debug.Assert(new Page(entry.Current).Header.LastTransactionId == TransactionId, "a changed page is the transaction's own copy");
            return new Page(entry.Current);
        }

        return GetBasePage(number);
    }

    /// <inheritdoc/>
    public override void Prefetch(ReadOnlySpan<PageNumber> pages)
    {
        Debug.Assert(!_ended);
        _base.Prefetch(_dataFile, pages);
    }

    /// <inheritdoc/>
    public override void Prefetch(PageNumber first, long bytes)
    {
        Debug.Assert(!_ended);
        _base.Prefetch(_dataFile, first, bytes);
    }

    /// <inheritdoc/>
    public override Page ModifyPage(PageNumber number)
    {
        Debug.Assert(!_ended);
        ref ModifiedPages.Entry known = ref Modified.Find(number);
        if (!Unsafe.IsNullRef(ref known))
        {
            Invariant.Check(!known.IsFreed, "a freed page is changed");
            return known.Way == PageWay.Written ? TakeBack(ref known) : new Page(known.Current);
        }

        Page old = GetBasePage(number);
        Debug.Assert(old.Header.LastTransactionId < TransactionId, "the base is older than the transaction");
        int pages = old.PageCount;
        byte* copy = Rent(pages);
        long bytes = (long)pages * Page.Size;
        Buffer.MemoryCopy(old.Address, copy, bytes, bytes);
        new Page(copy).Header.LastTransactionId = TransactionId;
        ref ModifiedPages.Entry entry = ref Modified.Add(number);
        entry.Current = copy;
        entry.Previous = old.Address;
        entry.Pages = pages;
        return new Page(copy);
    }

    /// <inheritdoc/>
    public override Page AllocatePage(PageType type, uint ownerTag, PageNumber near) =>
        Create(TakeNumbers(1, near), type, ownerTag, 0);

    /// <inheritdoc/>
    public override Page AllocateOverflow(int overflowBytes, uint ownerTag)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(overflowBytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(overflowBytes, Page.OverflowBytesMax);
        return Create(TakeNumbers(Page.CountPages(overflowBytes), default), PageType.Overflow, ownerTag, overflowBytes);
    }

    /// <inheritdoc/>
    public override PageNumber AllocateNeighbours(int pageCount, PageType type, uint ownerTag)
    {
        PageNumber first = TakeNumbers(pageCount, default);
        for (int i = 0; i < pageCount; i++)
        {
            Create(first + i, type, ownerTag, 0);
        }

        return first;
    }

    /// <summary>Submits the transaction: it is ordered, and the next one may begin at once. Durable and visible to
    /// readers when the result completes.</summary>
    /// <param name="onThisThread">True: the caller waits for the result in any case, so it writes the journal itself
    /// when possible.</param>
    public PendingCommit Submit(bool onThisThread = false)
    {
        ObjectDisposedException.ThrowIf(_ended, this);
        _trees?.Flush();
        SecureDirectRuns();
        _ended = true;
        return _writer.OrderAndWrite(this, onThisThread);
    }

    /// <summary>Commits: returns when the transaction is durable and visible.</summary>
    /// <remarks>The calling thread writes the journal itself; with <see cref="Submit"/> it can continue in the meantime.</remarks>
    /// <exception cref="StoragePoisonedException">The journal could not be written; the storage must be
    /// reopened.</exception>
    public void Commit() => Submit(onThisThread: true).Wait();

    /// <summary>Rolls back unless the transaction was committed.</summary>
    public void Dispose()
    {
        if (_ended)
        {
            return;
        }

        _ended = true;
        _writer.RollBack(this);
    }

    private Page GetBasePage(PageNumber number)
    {
        byte* scratch = _base.Pages.Find(number);
        return scratch != null ? new Page(scratch) : _dataFile.Read(number, _base.NextPage);
    }

    private string Path => _writer.Path;

    private byte* Rent(int pages)
    {
        long bytes = ScratchBytes + ((long)pages * Page.Size);
        if (bytes > _writer.TransactionBytesMax)
        {
            throw new TransactionTooLargeException(Path, bytes, _writer.TransactionBytesMax);
        }

        _writer.WaitForMemory(bytes);
        byte* run = _scratch.Rent(pages);
        ScratchBytes = bytes;
        return run;
    }

    private Page Create(PageNumber number, PageType type, uint ownerTag, int overflowBytes)
    {
        int pages = Page.CountPages(overflowBytes);
        byte* memory = Rent(pages);
        ClearAroundValue(memory, (nuint)pages * Page.Size, (nuint)overflowBytes);
        ref ModifiedPages.Entry entry = ref Modified.Find(number);
        if (Unsafe.IsNullRef(ref entry))
        {
            entry = ref Modified.Add(number);
        }

        Invariant.Check(entry.IsFreed, "a page in use is allocated again");
        entry.Current = memory;
        entry.Pages = pages;
        var page = new Page(memory);
        page.Header.PageNumber = number;
        page.Header.LastTransactionId = TransactionId;
        page.Header.Type = type;
        page.Header.OwnerTag = ownerTag;
        page.Header.OverflowBytes = overflowBytes;
        page.Header.Lower = PageHeader.SizeOf;
        page.Header.Upper = Page.Size;
        return page;
    }

    /// <summary>Clears the bytes that nobody else writes: the caller that asked for an overflow run writes its whole value.</summary>
    private static void ClearAroundValue(byte* run, nuint bytes, nuint valueBytes)
    {
        nuint valueStart = valueBytes == 0 ? 0 : (nuint)PageHeader.SizeOf;
        NativeMemory.Clear(run, valueStart);
        NativeMemory.Clear(run + valueStart + valueBytes, bytes - valueStart - valueBytes);
    }
}
