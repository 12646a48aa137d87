using Jackdaw.Documents;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Queries.Rows;

/// <summary>Walks the existing documents of a list of keys, in its order.</summary>
/// <param name="read">The snapshot with the documents.</param>
/// <param name="keys">The keys of documents that may be missing.</param>
/// <param name="start">The index of the first key that is looked up.</param>
internal sealed class IdListCursor(DocumentReadScope read, IReadOnlyList<byte[]> keys, int start)
    : DocumentCursor, IPositionedCursor
{
    /// <summary>The most documents that are found ahead: their first bytes fit into the nearest caches of a processor.</summary>
    private const int AheadMax = 32;

    private readonly byte[][] _ahead = new byte[Math.Clamp(keys.Count - start, 0, AheadMax)][];
    private readonly RowId[] _places = new RowId[Math.Clamp(keys.Count - start, 0, AheadMax)];
    private int _position = start - 1;
    private int _first; // the position of the first place
    private int _end = start; // the position after the last place

    public int Next => _position + 1;

    public override StoredDocument Current => read.Read(_places[_position - _first]);

    public override bool MoveNext()
    {
        for (_position++; _position < keys.Count; _position++)
        {
            if (_position >= _end)
            {
                FindAhead();
            }

            if (!_places[_position - _first].IsNone)
            {
                return true;
            }
        }

        return false;
    }

    private void FindAhead()
    {
        (_first, _end) = (_position, Math.Min(keys.Count, _position + _ahead.Length));
        for (int i = _first; i < _end; i++)
        {
            _ahead[i - _first] = keys[i];
        }

        read.Find(_ahead.AsSpan(0, _end - _first), _places);
    }
}
