using System.Buffers;
using System.Diagnostics;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Schedules;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Rows;

/// <summary>Extensions of documents. When a batch changes them, each document is written once at the end of the batch, with the texts that show them.</summary>
internal sealed partial class DocumentTransaction
{
    // The documents of the current batch whose extensions it changes; null until the first batch of the transaction that has any.
    private OrderedDictionary<byte[], ExtendedDocument>? _extended;

    /// <summary>Is called when the current batch changes the extensions of a document, so that the document gets a new version at the end of the
    /// batch.</summary>
    /// <param name="key">The key, which is kept.</param>
    /// <returns>An object that knows that version after the batch.</returns>
    public ExtendedDocument Extend(byte[] key, StoredExtension extension)
    {
        Debug.Assert(_owner.Extensions.At(extension.Slot) == extension);
        HasWrittenInBatch = true;
        _extended ??= new OrderedDictionary<byte[], ExtendedDocument>(ByteTextComparer.Instance);
        if (!_extended.TryGetValue(key, out ExtendedDocument? document))
        {
            document = new ExtendedDocument();
            _extended.Add(key, document);
        }

        if (_isRevising && !document.IsPending)
        {
            KeepBeforeExtending(key);
        }

        document.Add(extension);
        return document;
    }

    /// <summary>Finds a document whose extensions the current batch has changed so far; null when it has not.</summary>
    public ExtendedDocument? FindExtended(ReadOnlySpan<byte> key) =>
        _extended is { Count: > 0 } && _extended.TryGetValue(key.ToArray(), out ExtendedDocument? document) ? document : null;

    /// <summary>Is called when the last command of the batch has been applied.</summary>
    public void EndBatch()
    {
        if (_extended is not { Count: > 0 })
        {
            return;
        }

        foreach ((byte[] key, ExtendedDocument document) in _extended)
        {
            if (document.IsPending && TryFind(key, out DocumentRow stored))
            {
                Rewrite(stored, key, document);
            }
        }

        _extended.Clear();
    }

    /// <summary>Writes a document whose extensions the current batch has changed at once, and not at the end of the batch.</summary>
    /// <returns>Whether the document was written. Then rows that were found before are invalid.</returns>
    public bool TryWriteExtended(ReadOnlySpan<byte> key)
    {
        if (FindExtended(key) is not { IsPending: true } document || !TryFind(key, out DocumentRow stored))
        {
            return false;
        }

        Rewrite(stored, key, document);
        return true;
    }

    /// <summary>Writes a document, stored or new, and updates the texts of its extensions in the same version.</summary>
    /// <param name="row">The row, which is not a view of pages.</param>
    /// <param name="given">The change vector of a version that was made elsewhere; empty when the document is written here.</param>
    /// <param name="flags">Flags in addition to those that it has, and to those of its schedule and extensions.</param>
    /// <param name="schedule">The scheduled times in its metadata.</param>
    public Etag PutExtended(ReadOnlySpan<byte> key, Span<byte> row, ReadOnlySpan<byte> given, DocumentFlags flags, DocumentSchedule? schedule)
    {
        ShownExtensions extensions = DescribeAll(key);
        flags = With(flags | extensions.Flags, schedule);
        Etag etag = TryFind(key, out DocumentRow stored)
            ? Overwrite(stored, key, row, given, flags | (stored.Flags & ~(FlagsOfText | FlagsOfVersion | DocumentExtensions.AllFlags)), extensions)
            : Insert(key, row, default, given, flags, extensions);
        SetSchedule(key, schedule);
        FindExtended(key)?.SetWritten(etag, CopyWrittenVector());
        return etag;
    }

    private ShownExtensions DescribeAll(ReadOnlySpan<byte> key)
    {
        var texts = new byte[]?[DocumentExtensions.SlotsMax];
        bool any = false;
        foreach (StoredExtension extension in _owner.Stored)
        {
            var output = new ArrayBufferWriter<byte>();
            extension.Describe(this, key, output);
            texts[extension.Slot] = output.WrittenCount == 0 ? null : output.WrittenSpan.ToArray();
            any |= output.WrittenCount > 0;
        }

        return new ShownExtensions(any ? texts : null);
    }

    // Writes the same text with updated texts of its extensions.
    private void Rewrite(DocumentRow stored, ReadOnlySpan<byte> key, ExtendedDocument document)
    {
        Etag etag = TakeEtag();
        SetWrittenVector(stored.ChangeVector, default, etag);
        DocumentFlags flags = stored.Flags & ~FlagsOfVersion;
        flags = _isRevising ? Revisions.BeforeReplace(key, stored.CollectionKey, stored, flags) : flags;
        TableRowBuilder builder = _owner.VectorRows;
        DocumentRowBuilding.CopyTo(builder, stored.Row);
        builder.Add(WrittenVector);
        flags = AddExtensions(builder, key, stored, document, flags);
        Span<byte> row = builder.Finish().Span;
        DocumentRowBuilding.Complete(row, etag, _ticks, flags);
        _ledger.AddDocuments(stored.CollectionKey, stored.Collection, 0, row.Length - stored.Row.Bytes.Length);
        Documents.Update(stored.Row, row);
        Record(ChangeKind.DocumentPut, DocumentRow.Of(row), etag, flags);
        if (_isRevising)
        {
            Revisions.AfterPut(key, DocumentRow.Of(row));
        }

        document.SetWritten(etag, CopyWrittenVector());
    }

    // Returns the flags together with those of the added extensions.
    private DocumentFlags AddExtensions(
        TableRowBuilder builder, ReadOnlySpan<byte> key, DocumentRow stored, ExtendedDocument document, DocumentFlags flags)
    {
        ShownExtensions before = stored.Extensions;
        for (int slot = 0; slot < DocumentExtensions.SlotsMax; slot++)
        {
            int start = builder.DataBytes;
            if (document.Has(slot))
            {
                ((StoredExtension)_owner.Extensions.At(slot)!).Describe(this, key, builder);
                builder.EndColumn();
            }
            else
            {
                builder.Add(before[slot]);
            }

            DocumentFlags flag = DocumentExtensions.FlagOf(slot);
            flags = builder.DataBytes > start ? flags | flag : flags & ~flag;
        }

        return flags;
    }

    private void DeleteExtensions(ReadOnlySpan<byte> key, DocumentFlags flags)
    {
        if ((flags & DocumentExtensions.AllFlags) == 0 && _extended is not { Count: > 0 })
        {
            return;
        }

        foreach (StoredExtension extension in _owner.Stored)
        {
            extension.Delete(this, key);
        }
    }
}
