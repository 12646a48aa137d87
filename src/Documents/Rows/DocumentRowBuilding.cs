using System.Buffers.Binary;
using System.Text;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Schedules;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Rows;

/// <summary>Builds rows of documents and completes them. The functions are pure. The request's thread builds rows, the writer's thread completes
/// them.</summary>
internal static class DocumentRowBuilding
{
    /// <summary>The most bytes of a collection key: those of the longest name, each character grown by the most that lower-casing can add.</summary>
    public const int CollectionKeyBytesMax = DocumentParser.CollectionBytesMax * 3 / 2;

    /// <summary>The most bytes of the key of a collection whose name has this many bytes.</summary>
    public static int CollectionKeyBound(int nameBytes) => (nameBytes * 3 / 2) + 1;

    /// <summary>The bytes of a row besides its texts: header and fixed columns.</summary>
    public const int FixedBytesMax = 64;

    /// <summary>Builds the row of a document; etag and time are blank.</summary>
    /// <returns>A view of the builder's buffer.</returns>
    /// <exception cref="ArgumentException">The collection's name is too long, or is not UTF-8.</exception>
    public static Memory<byte> Build(
        TableRowBuilder builder, ReadOnlySpan<byte> key, ReadOnlySpan<byte> id, in ParsedDocument document)
    {
        Span<byte> collectionKey = stackalloc byte[CollectionKeyBytesMax];
        collectionKey = collectionKey[..MakeCollectionKey(document.Collection.Span, collectionKey)];
        Span<byte> number = stackalloc byte[sizeof(int)];
        builder.Reset();
        builder.AddBlank().AddBlank().AddBlank();
        BinaryPrimitives.WriteInt32LittleEndian(number, document.MetadataOffset);
        builder.Add(number)
            .Add(key)
            .Add(DocumentRow.Given(id, key))
            .Add(collectionKey)
            .Add(DocumentRow.Given(document.Collection.Span, collectionKey))
            .Add(document.Schedule is { IsArchived: true } ? ArchivedBody.Pack(document.Bytes.Span) : document.Bytes.Span);
        return builder.Finish();
    }

    /// <summary>Copies a row and adds the columns that few rows have and that only the writer knows.</summary>
    /// <param name="builder">A builder whose buffer does not hold the row.</param>
    /// <param name="row">The row without these columns.</param>
    /// <param name="changeVector">The change vector that the row has to store; empty for most rows.</param>
    /// <param name="extensions">The extensions of the version before.</param>
    /// <returns>A view of the builder's buffer.</returns>
    public static Memory<byte> AddRareColumns(
        TableRowBuilder builder, ReadOnlySpan<byte> row, ReadOnlySpan<byte> changeVector, ShownExtensions extensions)
    {
        CopyTo(builder, DocumentTable.Schema.View(row));
        builder.Add(changeVector);
        for (int slot = 0; slot < DocumentExtensions.SlotsMax && extensions.IsAny; slot++)
        {
            builder.Add(extensions[slot]);
        }

        return builder.Finish();
    }

    /// <summary>Begins a row with the columns that all rows have.</summary>
    public static void CopyTo(TableRowBuilder builder, TableRow row)
    {
        builder.Reset();
        for (int i = 0; i < DocumentTable.ChangeVectorColumn; i++)
        {
            builder.Add(row.GetColumn(i));
        }
    }

    /// <summary>Fills in the columns that only the writer knows.</summary>
    public static void Complete(Span<byte> row, Etag etag, long ticks, DocumentFlags flags)
    {
        TableSchema schema = DocumentTable.Schema;
        BinaryPrimitives.WriteInt64LittleEndian(schema.FixedColumn(row, DocumentTable.EtagColumn), etag.Value);
        BinaryPrimitives.WriteInt64LittleEndian(schema.FixedColumn(row, DocumentTable.LastModifiedColumn), ticks);
        BinaryPrimitives.WriteInt32LittleEndian(schema.FixedColumn(row, DocumentTable.FlagsColumn), (int)flags);
    }

    /// <summary>Writes a collection's name in lower case.</summary>
    /// <param name="key">At least <see cref="CollectionKeyBytesMax"/> bytes.</param>
    /// <returns>The bytes written.</returns>
    public static int MakeCollectionKey(ReadOnlySpan<byte> collection, Span<byte> key)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(
            collection.Length, DocumentParser.CollectionBytesMax, nameof(collection));
        if (Ascii.ToLower(collection, key, out int length) != System.Buffers.OperationStatus.Done)
        {
            DocumentIdFault fault = DocumentIds.LowerBeyondAscii(collection, key, ref length);
            if (fault != DocumentIdFault.None)
            {
                throw new ArgumentException("The name of a collection is not valid UTF-8.", nameof(collection));
            }
        }

        return length;
    }
}
