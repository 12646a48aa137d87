using Jackdaw.Documents;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Queries.Planning.Conditions;

namespace Jackdaw.Queries.Rows;

/// <summary>Walks over rows that an index has, as if they were documents without metadata. A row of an item has the id of its document, a row of a group
/// has none.</summary>
/// <param name="read">The snapshot of the documents. Rows of documents that are gone are left out.</param>
/// <param name="keys">The keys of the documents, one for each row; empty for the row of a group.</param>
/// <param name="start">The index of the first row.</param>
internal sealed class RowCursor(DocumentReadScope read, IReadOnlyList<byte[]> keys, IReadOnlyList<StoredEntry> rows, int start)
    : DocumentCursor, IPositionedCursor
{
    private int _position = start - 1;
    private byte[] _id = [];

    public int Next => _position + 1;

    public override StoredDocument Current => new()
    {
        Id = _id,
        Key = default,
        Etag = Etag.None,
        LastModifiedTicks = 0,
        Collection = default,
        Flags = default,
        Body = rows[_position].Row,
        MetadataOffset = 0,
    };

    public override bool MoveNext()
    {
        while (++_position < rows.Count)
        {
            if (keys[_position].Length == 0)
            {
                _id = [];
                return true;
            }

            if (read.TryGet(keys[_position], out StoredDocument document))
            {
                _id = document.Id.SequenceEqual(_id) ? _id : document.Id.ToArray();
                return true;
            }
        }

        return false;
    }
}

/// <summary>A cursor over a list.</summary>
internal interface IPositionedCursor
{
    /// <summary>The index after the current one.</summary>
    int Next { get; }
}
