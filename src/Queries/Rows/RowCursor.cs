using Jackdaw.Documents;
using Jackdaw.Documents.Identity;
using Jackdaw.Queries.Planning.Conditions;

namespace Jackdaw.Queries.Rows;

/// <summary>Walks over rows of a reduce as if they were documents without ids and metadata.</summary>
/// <param name="start">The index of the first row.</param>
internal sealed class RowCursor(IReadOnlyList<StoredEntry> rows, int start) : DocumentCursor, IPositionedCursor
{
    private int _position = start - 1;

    public int Next => _position + 1;

    public override StoredDocument Current => new()
    {
        Id = default,
        Key = default,
        Etag = Etag.None,
        LastModifiedTicks = 0,
        Collection = default,
        Flags = default,
        Body = rows[_position].Row,
        MetadataOffset = 0,
    };

    public override bool MoveNext() => ++_position < rows.Count;
}

/// <summary>A cursor over a list.</summary>
internal interface IPositionedCursor
{
    /// <summary>The index after the current one.</summary>
    int Next { get; }
}
