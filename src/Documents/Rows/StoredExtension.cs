using System.Buffers;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Rows;

/// <summary>An extension that documents can have: it has tables of its own, and the row of a document has the text by which its metadata shows it. It has no
/// state, and runs on the writer's thread.</summary>
/// <remarks>Commands of the kind call <see cref="DocumentTransaction.Extend"/> before they change something that documents show.</remarks>
internal abstract class StoredExtension(int slot, string flagName, string metadataName, string? snapshotName = null) :
    DocumentExtension(slot, flagName, metadataName, snapshotName)
{
    /// <summary>Writes the JSON that the metadata of a document shows; nothing when the document has none of the kind.</summary>
    public abstract void Describe(DocumentTransaction documents, ReadOnlySpan<byte> key, IBufferWriter<byte> output);

    /// <summary>Removes everything of the kind, because the document is deleted.</summary>
    public abstract void Delete(DocumentTransaction documents, ReadOnlySpan<byte> key);
}

/// <summary>An extension that revisions keep too. A revision has one text of each kind, in its own row.</summary>
internal abstract class RevisedExtension(int slot, string flagName, string metadataName, string? snapshotName = null) :
    StoredExtension(slot, flagName, metadataName, snapshotName)
{
    /// <summary>Writes the JSON by which the metadata of a revision shows the kind; nothing when there is nothing of the kind.</summary>
    /// <param name="shown">The text that the document shows.</param>
    public abstract void DescribeRevision(
        DocumentTransaction documents, ReadOnlySpan<byte> key, ReadOnlySpan<byte> shown, IBufferWriter<byte> output);

    /// <summary>Is called when a revision with this text is stored, so that everything that the text names must stay.</summary>
    public abstract void Keep(DocumentTransaction documents, ReadOnlySpan<byte> kept);

    /// <summary>Is called when a revision with this text is removed.</summary>
    public abstract void Release(DocumentTransaction documents, ReadOnlySpan<byte> kept);

    /// <summary>Is called when the document is reverted to a revision. The document gets everything in the text, and nothing else of the kind; parts that it
    /// has already are not written. The caller has kept everything that the text names, and writes the document afterwards with the texts of its
    /// extensions.</summary>
    /// <param name="document">The document after the change; not a view of pages.</param>
    /// <param name="kept">The text; empty when the revision has nothing of the kind.</param>
    public abstract void Revert(DocumentTransaction documents, byte[] key, DocumentRow document, ReadOnlySpan<byte> kept);
}

/// <summary>A document whose extensions a batch changes. It is written once, after the last command of the batch; then its version is known.</summary>
internal sealed class ExtendedDocument
{
    private byte[]? _vector;
    private int _slots;
    private long[]? _shownBytes; // by slot

    /// <summary>After it is written, the etag of the document; None when the batch deletes it.</summary>
    public Etag Etag { get; private set; }

    /// <summary>Whether there are changes that the document does not show yet.</summary>
    public bool IsPending => _slots != 0;

    /// <summary>After it is written, the stored version.</summary>
    public DocumentVersion Version => new(Etag, _vector);

    /// <summary>While it is pending, the number of bytes that the text of an extension will grow, as far as the extension has counted them.</summary>
    public long ShownBytesAdded(DocumentExtension extension) => _shownBytes?[extension.Slot] ?? 0;

    /// <summary>Notes, while it is pending, that the text of an extension will grow by this number of bytes, or shrink.</summary>
    public void AddShownBytes(DocumentExtension extension, int bytes) =>
        (_shownBytes ??= new long[DocumentExtensions.SlotsMax])[extension.Slot] += bytes;

    public void Add(DocumentExtension extension) => _slots |= 1 << extension.Slot;

    public bool Has(int slot) => (_slots & (1 << slot)) != 0;

    public void SetWritten(Etag etag, byte[]? vector) => (Etag, _vector, _slots, _shownBytes) = (etag, vector, 0, null);
}
