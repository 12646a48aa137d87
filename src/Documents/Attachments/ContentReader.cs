using System.Diagnostics;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Attachments;

/// <summary>An attachment whose content is read step by step, each step in a snapshot of its own, so that a slow client pins no pages. It reads the content
/// that the attachment had at the opening, even if the attachment is changed or deleted afterwards. Used by one request.</summary>
internal sealed class ContentReader : IDisposable
{
    private readonly Func<DocumentReadScope> _begin;
    private readonly ContentHolds _holds;
    private readonly long _number;
    private bool _isReleased;

    private ContentReader(Func<DocumentReadScope> begin, ContentHolds holds, Attachment attachment, long number)
    {
        _begin = begin;
        _holds = holds;
        Attachment = attachment;
        _number = number;
    }

    public Attachment Attachment { get; }

    /// <summary>Opens an attachment; null when there is none.</summary>
    /// <param name="begin">Begins a snapshot.</param>
    /// <param name="holds">The holds of the database.</param>
    /// <param name="key">The key of the attachment.</param>
    public static ContentReader? Open(Func<DocumentReadScope> begin, ContentHolds holds, byte[] key) =>
        Open(begin, holds, read => Find(read, key));

    /// <summary>Opens an attachment that is found in another way.</summary>
    /// <param name="begin">Begins a snapshot.</param>
    /// <param name="holds">The holds of the database.</param>
    /// <param name="find">Finds the attachment in a snapshot; its content is stored.</param>
    public static ContentReader? Open(Func<DocumentReadScope> begin, ContentHolds holds, Func<DocumentReadScope, Attachment?> find)
    {
        while (FindContent(begin, find, out _) is { } found)
        {
            holds.Hold(found);
            bool isCurrent = false;
            try
            {
                // Checked in a newer snapshot: see ContentHolds.
                isCurrent = FindContent(begin, find, out Attachment? attachment) == found;
                if (isCurrent)
                {
                    return new ContentReader(begin, holds, attachment!, found);
                }
            }
            finally
            {
                if (!isCurrent)
                {
                    holds.Release(found);
                }
            }
        }

        return null;
    }

    /// <summary>Finds an attachment in a snapshot; null when there is none.</summary>
    public static Attachment? Find(DocumentReadScope read, ReadOnlySpan<byte> key) =>
        AttachmentTable.Open(read.Transaction).TryGetByKey(AttachmentTable.ByKey, key, out TableRow row) ? new AttachmentRow(row).ToAttachment() : null;

    /// <summary>The number of references to a content, from attachments and from others.</summary>
    public static long CountReferences(DocumentReadScope read, ReadOnlySpan<byte> hash) =>
        ContentTable.Open(read.Transaction).TryGetByKey(ContentTable.ByHash, hash, out TableRow row) ? new ContentRow(row).References : 0;

    /// <summary>Reads a content from one snapshot.</summary>
    /// <param name="bytesMax">The size of the largest content that is read.</param>
    /// <param name="bytes">The size of the content; 0 when there is none.</param>
    /// <returns>Null when there is no content, or it is larger.</returns>
    public static byte[]? ReadWhole(DocumentReadScope read, ReadOnlySpan<byte> hash, int bytesMax, out long bytes)
    {
        bytes = 0;
        if (!ContentTable.Open(read.Transaction).TryGetByKey(ContentTable.ByHash, hash, out TableRow row))
        {
            return null;
        }

        var content = new ContentRow(row);
        bytes = content.Size;
        if (bytes > bytesMax)
        {
            return null;
        }

        byte[] whole = new byte[bytes];
        for (int index = 0; index < ContentTable.ChunkCount(bytes); index++)
        {
            ContentTable.ReadChunk(read.Transaction, content.Number, index).CopyTo(whole.AsSpan(index * AttachmentLimits.ChunkBytes));
        }

        return whole;
    }

    /// <summary>Copies bytes from one snapshot.</summary>
    /// <param name="offset">The offset of the first byte in the content.</param>
    /// <param name="destination">Receives the bytes: as many as it has room for, or the rest of the content.</param>
    /// <returns>The number of copied bytes; at least one.</returns>
    public int Read(long offset, Span<byte> destination)
    {
        Debug.Assert(offset >= 0 && offset < Attachment.Size && destination.Length > 0);
        (long index, long within) = Math.DivRem(offset, AttachmentLimits.ChunkBytes);
        using DocumentReadScope read = _begin();
        ReadOnlySpan<byte> chunk = ContentTable.ReadChunk(read.Transaction, _number, (int)index);
        long expected = Math.Min(AttachmentLimits.ChunkBytes, Attachment.Size - (index * AttachmentLimits.ChunkBytes));
        if (chunk.Length != expected)
        {
            throw new CorruptionException($"Chunk {index} of attachment content {_number} has {chunk.Length} bytes instead of {expected}.");
        }

        int count = (int)Math.Min(destination.Length, chunk.Length - within);
        chunk.Slice((int)within, count).CopyTo(destination);
        return count;
    }

    public void Dispose()
    {
        if (!_isReleased)
        {
            _isReleased = true;
            _holds.Release(_number);
        }
    }

    // Finds the number of its content.
    private static long? FindContent(Func<DocumentReadScope> begin, Func<DocumentReadScope, Attachment?> find, out Attachment? attachment)
    {
        using DocumentReadScope read = begin();
        attachment = find(read);
        if (attachment is null)
        {
            return null;
        }

        return ContentTable.Open(read.Transaction).TryGetByKey(ContentTable.ByHash, attachment.Hash, out TableRow row)
            ? new ContentRow(row).Number
            : throw new CorruptionException($"The content of attachment '{attachment.Name}' is missing: {attachment.HashText}.");
    }
}
