using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Extensions;

/// <summary>The texts by which a document or a revision shows its extensions: a JSON text for each slot, most of them empty. A view.</summary>
internal readonly ref struct ShownExtensions
{
    private readonly TableRow _row;
    private readonly int _firstColumn;
    private readonly byte[]?[]? _texts; // null when the texts are in the row
    private readonly bool _isOfRevision;

    /// <summary>Makes a view of the texts of a row. The flags of most documents say that there are none.</summary>
    /// <param name="firstColumn">The column of slot 0; the others follow.</param>
    /// <param name="isOfRevision">Whether they have the names that revisions show.</param>
    public ShownExtensions(TableRow row, int firstColumn, DocumentFlags flags, bool isOfRevision = false)
    {
        if ((flags & DocumentExtensions.AllFlags) != 0)
        {
            IsAny = true;
            _row = row;
            _firstColumn = firstColumn;
            _isOfRevision = isOfRevision;
        }
    }

    /// <summary>Makes a view of texts in memory.</summary>
    /// <param name="texts">The texts by slot; null when there are none.</param>
    public ShownExtensions(byte[]?[]? texts)
    {
        IsAny = texts is not null;
        _texts = texts;
    }

    /// <summary>Whether there is any text.</summary>
    public bool IsAny { get; }

    /// <summary>The flags of all slots that have a text.</summary>
    public DocumentFlags Flags
    {
        get
        {
            DocumentFlags flags = DocumentFlags.None;
            for (int slot = 0; slot < DocumentExtensions.SlotsMax && IsAny; slot++)
            {
                flags |= this[slot].IsEmpty ? DocumentFlags.None : DocumentExtensions.FlagOf(slot);
            }

            return flags;
        }
    }

    /// <summary>The text of a slot; empty for none.</summary>
    public ReadOnlySpan<byte> this[int slot] =>
        !IsAny ? default
        : _texts is null ? _row.GetColumn(_firstColumn + slot)
        : _texts[slot];

    /// <summary>The text of an extension; empty for none.</summary>
    public ReadOnlySpan<byte> this[DocumentExtension extension] => this[extension.Slot];

    /// <summary>Copies the texts, by slot; null when there are none.</summary>
    public byte[]?[]? Detach()
    {
        if (!IsAny)
        {
            return null;
        }

        var texts = new byte[]?[DocumentExtensions.SlotsMax];
        for (int slot = 0; slot < texts.Length; slot++)
        {
            ReadOnlySpan<byte> text = this[slot];
            texts[slot] = text.IsEmpty ? null : text.ToArray();
        }

        return texts;
    }

    /// <summary>The number of bytes that <see cref="Write"/> writes.</summary>
    public int Measure(DocumentExtensions known)
    {
        int bytes = 0;
        for (int slot = 0; slot < DocumentExtensions.SlotsMax && IsAny; slot++)
        {
            ReadOnlySpan<byte> text = this[slot];
            bytes += text.IsEmpty || known.At(slot) is not { } extension ? 0 : MemberOf(extension).Length + text.Length;
        }

        return bytes;
    }

    /// <summary>Writes the members of the metadata for the known kinds, each with a comma before it, in the order of their slots.</summary>
    /// <returns>The bytes written.</returns>
    public int Write(DocumentExtensions known, Span<byte> destination)
    {
        int written = 0;
        for (int slot = 0; slot < DocumentExtensions.SlotsMax && IsAny; slot++)
        {
            ReadOnlySpan<byte> text = this[slot];
            if (!text.IsEmpty && known.At(slot) is { } extension)
            {
                MemberOf(extension).CopyTo(destination[written..]);
                written += MemberOf(extension).Length;
                text.CopyTo(destination[written..]);
                written += text.Length;
            }
        }

        return written;
    }

    private byte[] MemberOf(DocumentExtension extension) => _isOfRevision ? extension.SnapshotMember : extension.MetadataMember;
}
