using System.Diagnostics;
using Jackdaw.Storage.Columns;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Compaction;

/// <summary>Writes contents to an empty storage, in many transactions. One thread.</summary>
internal sealed class ContentsCopy(StorageEnvironment target, Action<long>? progress) : IContentsSink, IDisposable
{
    /// <summary>Changed pages per transaction: large journal writes, and little memory.</summary>
    private const long BytesPerTransaction = 16L << 20;

    /// <summary>Bytes between two syncs: journals are reused, and the disk is never idle.</summary>
    private const long BytesPerSync = 256L << 20;

    private WriteTransaction _transaction = target.BeginWrite();
    private Action _reopen = static () => { };
    private BTree? _tree;
    private FixedSizeTree<long, long>? _numbers;
    private byte[] _numbersName = [];
    private Table? _table;
    private PageColumn? _column;
    private long _columnPages;
    private long _unsyncedBytes;
    private long _entries;

    public void BeginTree(ReadOnlySpan<byte> name)
    {
        byte[] copy = name.ToArray();
        Begin(() => _tree = _transaction.Trees.CreateTree(copy));
    }

    public void Put(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        Debug.Assert(_tree is not null, "a collection begins before its entries");
        _tree.Put(key, value);
        EndEntry();
    }

    public void BeginNumbers(ReadOnlySpan<byte> name)
    {
        byte[] copy = name.ToArray();
        Begin(() =>
        {
            _numbersName = copy;
            TreeHeader header = _transaction.Trees.TryGetHeader(copy, out TreeHeader stored)
                ? stored
                : FixedSizeTreeHeader.CreateEmpty<long, long>(TreeCatalog.OwnerTagOf(copy));
            _numbers = new FixedSizeTree<long, long>(_transaction, header);
        });
    }

    public void PutNumber(long key, long value)
    {
        _numbers!.Put(key, value);
        EndEntry();
    }

    public void BeginColumn(ReadOnlySpan<byte> name, int recordSize)
    {
        byte[] copy = name.ToArray();
        var directory = new ColumnDirectory();
        _columnPages = 0;
        Begin(() => _column = PageColumn.Create(_transaction.Trees, _transaction, copy, recordSize, directory));
    }

    public void PutPage(ReadOnlySpan<byte> body)
    {
        Debug.Assert(_column is not null, "a collection begins before its entries");
        _column.Grow(_columnPages + 1);
        body.CopyTo(_column.Modify(_transaction, _columnPages++));
        EndEntry();
    }

    public void BeginTable(TableSchema schema) => Begin(() => _table = new Table(_transaction, _transaction.Trees, schema));

    public void PutRow(ReadOnlySpan<byte> row)
    {
        Debug.Assert(_table is not null, "a collection begins before its entries");
        _table.Insert(row);
        EndEntry();
    }

    /// <summary>Commits the rest; everything is durable in the journals of the target.</summary>
    public void Complete()
    {
        SaveNumbers();
        _transaction.Commit();
        progress?.Invoke(_entries);
    }

    /// <inheritdoc/>
    public void Dispose() => _transaction.Dispose();

    private void Begin(Action open)
    {
        SaveNumbers();
        _reopen = open;
        open();
    }

    private void EndEntry()
    {
        _entries++;
        if (_transaction.ScratchBytes >= BytesPerTransaction)
        {
            NextTransaction();
        }
    }

    private void NextTransaction()
    {
        _unsyncedBytes += _transaction.ScratchBytes;
        SaveNumbers();
        _transaction.Commit();
        target.Flush();
        if (_unsyncedBytes >= BytesPerSync)
        {
            target.Sync();
            _unsyncedBytes = 0;
        }

        progress?.Invoke(_entries);
        _transaction = target.BeginWrite();
        _reopen();
    }

    private void SaveNumbers()
    {
        if (_numbers is not null)
        {
            _transaction.Trees.SetHeader(_numbersName, _numbers.Header);
            _numbers = null;
        }
    }
}
