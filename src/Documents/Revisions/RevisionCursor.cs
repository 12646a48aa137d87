using System.Buffers.Binary;
using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Revisions;

/// <summary>Walks the revisions of one document, newest first. It starts before the first one, and becomes invalid when the table changes.</summary>
internal sealed class RevisionCursor : IDisposable
{
    private readonly TableKeyCursor _cursor;
    private readonly byte[] _prefix;
    private readonly byte[] _end;
    private readonly Etag _after;
    private bool _isStarted;

    /// <param name="key">The key of the document.</param>
    /// <param name="below">Only revisions with smaller etags.</param>
    /// <param name="after">Only revisions with larger etags, because the others are purged.</param>
    public RevisionCursor(Table table, ReadOnlySpan<byte> key, Etag below, Etag after)
    {
        _after = after;
        _cursor = table.OpenKeys(RevisionTable.ByKey);
        _end = new byte[key.Length + RevisionTable.KeySuffixBytes];
        RevisionTable.MakeKey(key, below, _end);
        _prefix = _end[..^sizeof(long)];
    }

    /// <summary>The revision at the position; valid after <see cref="MoveNext"/> returned true, until it is called again.</summary>
    public RevisionRow Current => new(_cursor.Row);

    /// <summary>The etag of the revision, without reading its row.</summary>
    public Etag CurrentEtag => new(BinaryPrimitives.ReadInt64BigEndian(_cursor.Key[_prefix.Length..]));

    public bool MoveNext()
    {
        bool isOn = _isStarted ? _cursor.MovePrevious() : _cursor.Seek(_end) ? _cursor.MovePrevious() : _cursor.SeekLast();
        _isStarted = true;
        return isOn && _cursor.Key.StartsWith(_prefix) && CurrentEtag.Value > _after.Value;
    }

    public void Dispose() => _cursor.Dispose();
}
