using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Rows;

/// <summary>Walks documents whose key starts with a prefix, by key.</summary>
internal sealed class KeyCursor : DocumentCursor
{
    private readonly TableKeyCursor _cursor;
    private readonly byte[] _prefix;
    private readonly byte[] _after;
    private bool _isStarted;

    public KeyCursor(TableKeyCursor cursor, ReadOnlySpan<byte> prefix, ReadOnlySpan<byte> after)
    {
        _cursor = cursor;
        _prefix = prefix.ToArray();
        _after = after.ToArray();
    }

    public override StoredDocument Current => new DocumentRow(_cursor.Row).ToStored();

    public override bool MoveNext()
    {
        if (_isStarted)
        {
            return _cursor.MoveNext(_prefix);
        }

        _isStarted = true;
        if (_after.AsSpan().SequenceCompareTo(_prefix) < 0)
        {
            return _cursor.SeekPrefix(_prefix);
        }

        if (!_cursor.Seek(_after))
        {
            return false;
        }

        bool isAfterItself = !_after.AsSpan().IsEmpty && _cursor.Key.SequenceEqual(_after);
        return isAfterItself ? _cursor.MoveNext(_prefix) : _cursor.Key.StartsWith(_prefix);
    }

    protected override void Dispose(bool disposing)
    {
        _cursor.Dispose();
        base.Dispose(disposing);
    }
}
