using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Rows;

/// <summary>Walks documents whose key starts with a prefix, by key.</summary>
internal sealed class KeyCursor : DocumentCursor
{
    private readonly TableKeyCursor _cursor;
    private readonly byte[] _prefix;
    private readonly byte[] _after;
    private readonly bool _leavesOutHidden;
    private bool _isStarted;

    /// <param name="leavesOutHidden">Whether documents of <see cref="HiddenCollection"/> are passed over.</param>
    public KeyCursor(TableKeyCursor cursor, ReadOnlySpan<byte> prefix, ReadOnlySpan<byte> after, bool leavesOutHidden)
    {
        _cursor = cursor;
        _leavesOutHidden = leavesOutHidden;
        _prefix = prefix.ToArray();
        _after = after.ToArray();
    }

    public override StoredDocument Current => new DocumentRow(_cursor.Row).ToStored();

    public override bool MoveNext()
    {
        bool isOn = Step();
        while (isOn && _leavesOutHidden && HiddenCollection.Is(new DocumentRow(_cursor.Row).CollectionKey))
        {
            isOn = Step();
        }

        return isOn;
    }

    private bool Step()
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
