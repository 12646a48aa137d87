using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Rows;

/// <summary>One deletion in a read scope. A view: valid until its cursor moves.</summary>
internal readonly ref struct Tombstone(TableRow row)
{
    private readonly TableRow _row = row;

    public Etag Etag => new(_row.GetInt64(TombstoneTable.EtagColumn));

    /// <summary>The change vector; empty when it is only the local replica's entry for the etag.</summary>
    public ReadOnlySpan<byte> ChangeVector => _row.GetColumn(TombstoneTable.ChangeVectorColumn);

    public long LastModifiedTicks => _row.GetInt64(TombstoneTable.LastModifiedColumn);

    /// <summary>The key of the deleted document.</summary>
    public ReadOnlySpan<byte> Key
    {
        get
        {
            ReadOnlySpan<byte> key = _row.GetColumn(TombstoneTable.KeyColumn);
            return key[..Math.Max(key.IndexOf((byte)0), 0)];
        }
    }

    /// <summary>The id of the deleted document.</summary>
    public ReadOnlySpan<byte> Id => GivenOr(TombstoneTable.IdColumn, Key);

    public ReadOnlySpan<byte> CollectionKey => _row.GetColumn(TombstoneTable.CollectionKeyColumn);

    public ReadOnlySpan<byte> Collection => GivenOr(TombstoneTable.CollectionColumn, CollectionKey);

    private ReadOnlySpan<byte> GivenOr(int column, ReadOnlySpan<byte> key)
    {
        ReadOnlySpan<byte> given = _row.GetColumn(column);
        return given.IsEmpty ? key : given;
    }
}

/// <summary>Walks tombstones by etag, oldest first. It is valid within its read scope.</summary>
internal sealed class TombstoneCursor(TableNumberCursor cursor, Etag start)
{
    private TableNumberCursor _cursor = cursor;
    private bool _isStarted;

    /// <summary>The tombstone at the position.</summary>
    public Tombstone Current => new(_cursor.Row);

    /// <summary>The etag of the tombstone, without reading its row.</summary>
    public Etag CurrentEtag => new(_cursor.Number);

    public bool MoveNext()
    {
        bool isFirst = !_isStarted;
        _isStarted = true;
        return isFirst ? _cursor.Seek(start.Value) : _cursor.MoveNext();
    }
}
