using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tables;

/// <summary>A position in a key index. Any change of the table makes it invalid; dispose it to reuse its memory.</summary>
public readonly struct TableKeyCursor : IDisposable
{
    private readonly Table _table;
    private readonly BTreeCursor? _cursor;

    internal TableKeyCursor(Table table, BTree? tree)
    {
        _table = table;
        _cursor = tree?.OpenCursor();
    }

    /// <summary>The key, in place.</summary>
    public ReadOnlySpan<byte> Key => Cursor.Key;

    /// <summary>Where the row is.</summary>
    public RowId RowId => KeyIndexTree.ReadId(Cursor.Value);

    /// <summary>The row.</summary>
    public TableRow Row => _table.Read(RowId);

    private BTreeCursor Cursor => _cursor ?? throw new InvalidOperationException("There is no entry under the cursor.");

    /// <summary>Goes to the smallest key.</summary>
    public bool SeekFirst() => _cursor is not null && _cursor.SeekFirst();

    /// <summary>Goes to the largest key.</summary>
    public bool SeekLast() => _cursor is not null && _cursor.SeekLast();

    /// <summary>Goes to the first key that is not below the given one.</summary>
    public bool Seek(ReadOnlySpan<byte> key) => _cursor is not null && _cursor.Seek(key);

    /// <summary>Goes to the first key that starts with a prefix; go on while
    /// <see cref="MoveNext(ReadOnlySpan{byte})"/>.</summary>
    public bool SeekPrefix(ReadOnlySpan<byte> prefix) => Seek(prefix) && Key.StartsWith(prefix);

    /// <summary>Goes to the next larger key.</summary>
    public bool MoveNext() => _cursor is not null && _cursor.MoveNext();

    /// <summary>Goes to the next larger key; false when it does not start with the prefix.</summary>
    public bool MoveNext(ReadOnlySpan<byte> prefix) => MoveNext() && Key.StartsWith(prefix);

    /// <summary>Goes to the next smaller key.</summary>
    public bool MovePrevious() => _cursor is not null && _cursor.MovePrevious();

    /// <summary>Gives the cursor's memory back to its index.</summary>
    public void Dispose() => _cursor?.Dispose();
}
