using Jackdaw.Server.Documents.Identity;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Server.Documents.Storage;

/// <summary>Walks tombstones by etag, oldest first. Lives within its read scope.</summary>
internal sealed class TombstoneCursor(TableNumberCursor cursor, Etag start)
{
    private TableNumberCursor _cursor = cursor;
    private bool _isStarted;

    /// <summary>The tombstone at the position.</summary>
    public Tombstone Current => new(_cursor.Row);

    /// <summary>Its etag, without reading its row.</summary>
    public Etag CurrentEtag => new(_cursor.Number);

    public bool MoveNext()
    {
        bool isFirst = !_isStarted;
        _isStarted = true;
        return isFirst ? _cursor.Seek(start.Value) : _cursor.MoveNext();
    }
}
