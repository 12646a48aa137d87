using Jackdaw.Documents;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Queries.Rows;

/// <summary>Walks the existing documents of a list of keys, in its order.</summary>
/// <param name="read">The snapshot with the documents.</param>
/// <param name="keys">The keys of documents that may be missing.</param>
/// <param name="start">The index of the first key that is looked up.</param>
internal sealed class IdListCursor(DocumentReadScope read, IReadOnlyList<byte[]> keys, int start)
    : DocumentCursor, IPositionedCursor
{
    private int _position = start - 1;

    public int Next => _position + 1;

    public override StoredDocument Current
    {
        get
        {
            read.TryGet(keys[_position], out StoredDocument document);
            return document;
        }
    }

    public override bool MoveNext() => TryNext(out _);

    public override bool TryNext(out StoredDocument document)
    {
        for (_position++; _position < keys.Count; _position++)
        {
            if (read.TryGet(keys[_position], out document))
            {
                return true;
            }
        }

        document = default;
        return false;
    }
}
