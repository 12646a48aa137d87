using System.Buffers;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Rows;

/// <summary>An extension that documents can have: it has tables of its own, and the row of a document holds what its metadata shows of
/// it. Without state; on the writer's thread.</summary>
/// <remarks>Commands of the kind call <see cref="DocumentTransaction.Extend"/> before they change what documents show of it.</remarks>
internal abstract class StoredExtension(int slot, string flagName, string metadataName, string? snapshotName = null) :
    DocumentExtension(slot, flagName, metadataName, snapshotName)
{
    /// <summary>Writes the JSON that the metadata of a document shows; nothing when the document has none of the kind.</summary>
    public abstract void Describe(DocumentTransaction documents, ReadOnlySpan<byte> key, IBufferWriter<byte> output);

    /// <summary>Removes all of the kind: the document is deleted.</summary>
    public abstract void Delete(DocumentTransaction documents, ReadOnlySpan<byte> key);
}

/// <summary>An extension that revisions keep, too. A revision has one text of each kind, in its own row.</summary>
internal abstract class RevisedExtension(int slot, string flagName, string metadataName, string? snapshotName = null) :
    StoredExtension(slot, flagName, metadataName, snapshotName)
{
    /// <summary>Writes what the metadata of a revision shows of the kind, as JSON. Nothing for none.</summary>
    /// <param name="shown">What the document shows.</param>
    public abstract void DescribeRevision(
        DocumentTransaction documents, ReadOnlySpan<byte> key, ReadOnlySpan<byte> shown, IBufferWriter<byte> output);

    /// <summary>A revision with this text is stored: what the text names must stay.</summary>
    public abstract void Keep(DocumentTransaction documents, ReadOnlySpan<byte> kept);

    /// <summary>A revision with this text is removed.</summary>
    public abstract void Release(DocumentTransaction documents, ReadOnlySpan<byte> kept);

    /// <summary>The document goes back to a revision: it gets what the text says, and nothing else of the kind. What it has already is not
    /// written. The caller has kept what the text names, and writes the document afterwards with what it shows of its extensions.</summary>
    /// <param name="document">As it will be; not a view of pages.</param>
    /// <param name="kept">Empty: the revision has nothing of the kind.</param>
    public abstract void Revert(DocumentTransaction documents, byte[] key, DocumentRow document, ReadOnlySpan<byte> kept);
}

/// <summary>A document whose extensions a batch changes. It is written once, after the last command of the batch: then the version is
/// known.</summary>
internal sealed class ExtendedDocument
{
    private byte[]? _vector;
    private int _slots;
    private long[]? _shownBytes; // by slot

    /// <summary>Written: etag of the document; None: the batch deletes it.</summary>
    public Etag Etag { get; private set; }

    /// <summary>Whether there are changes that the document does not show yet.</summary>
    public bool IsPending => _slots != 0;

    /// <summary>Written: the version that is stored then.</summary>
    public DocumentVersion Version => new(Etag, _vector);

    /// <summary>Pending: bytes that the document will show of an extension more than the stored version does, as far as the extension has
    /// counted them.</summary>
    public long ShownBytesAdded(DocumentExtension extension) => _shownBytes?[extension.Slot] ?? 0;

    /// <summary>While it is pending, the document will show this number of bytes more of an extension, or fewer.</summary>
    public void AddShownBytes(DocumentExtension extension, int bytes) =>
        (_shownBytes ??= new long[DocumentExtensions.SlotsMax])[extension.Slot] += bytes;

    public void Add(DocumentExtension extension) => _slots |= 1 << extension.Slot;

    public bool Has(int slot) => (_slots & (1 << slot)) != 0;

    public void SetWritten(Etag etag, byte[]? vector) => (Etag, _vector, _slots, _shownBytes) = (etag, vector, 0, null);
}
