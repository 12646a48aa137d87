using System.Buffers;
using System.Diagnostics;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Schedules;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Storage;

/// <summary>Extensions of documents: what a batch changes of them is shown by the documents, each written once at the end of the
/// batch.</summary>
internal sealed partial class DocumentTransaction
{
    // Of the current batch; null until the first batch of the transaction that has any.
    private OrderedDictionary<byte[], ExtendedDocument>? _extended;

    /// <summary>The current batch changes which extensions a document has: the document gets a new version at the end of the batch.</summary>
    /// <param name="key">Kept.</param>
    /// <returns>Knows that version after the batch.</returns>
    public ExtendedDocument Extend(byte[] key, ExtensionKind kind)
    {
        Debug.Assert(_owner.Extensions.Any(known => known.Kind == kind));
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

        document.Add(kind);
        return document;
    }

    /// <summary>A document whose extensions the current batch has changed so far; null: it has not.</summary>
    public ExtendedDocument? FindExtended(ReadOnlySpan<byte> key) =>
        _extended is { Count: > 0 } && _extended.TryGetValue(key.ToArray(), out ExtendedDocument? document) ? document : null;

    /// <summary>The last command of the batch has been applied.</summary>
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

    /// <summary>Writes a document whose extensions the current batch has changed now, and not at its end.</summary>
    /// <returns>Whether it has: rows that were found before are invalid then.</returns>
    public bool TryWriteExtended(ReadOnlySpan<byte> key)
    {
        if (FindExtended(key) is not { IsPending: true } document || !TryFind(key, out DocumentRow stored))
        {
            return false;
        }

        Rewrite(stored, key, document);
        return true;
    }

    /// <summary>Writes a document, stored or new, with what it shows of its extensions anew: in the one version that this makes.</summary>
    /// <param name="row">Not a view of pages.</param>
    /// <param name="given">Change vector of a version that was made elsewhere; empty: the document is written here.</param>
    /// <param name="flags">Beside those that it has, and what its schedule and its extensions say.</param>
    /// <param name="schedule">What its metadata says about its future.</param>
    public Etag PutExtended(ReadOnlySpan<byte> key, Span<byte> row, ReadOnlySpan<byte> given, DocumentFlags flags, DocumentSchedule? schedule)
    {
        var extensions = new ExtensionColumns
        {
            Attachments = Describe(key, ExtensionKind.Attachments),
            Counters = Describe(key, ExtensionKind.Counters),
            TimeSeries = Describe(key, ExtensionKind.TimeSeries),
        };
        flags = With(flags | extensions.Flags, schedule);
        Etag etag = TryFind(key, out DocumentRow stored)
            ? Overwrite(stored, key, row, given, flags | (stored.Flags & ~(FlagsOfText | FlagsOfVersion | ExtensionColumns.AllFlags)), extensions)
            : Insert(key, row, default, given, flags, extensions);
        SetSchedule(key, schedule);
        FindExtended(key)?.SetWritten(etag, CopyWrittenVector());
        return etag;
    }

    private ReadOnlySpan<byte> Describe(ReadOnlySpan<byte> key, ExtensionKind kind)
    {
        var output = new ArrayBufferWriter<byte>();
        _owner.Extensions.FirstOrDefault(known => known.Kind == kind)?.Describe(this, key, output);
        return output.WrittenSpan;
    }

    // The same text, and what it shows of its extensions anew.
    private void Rewrite(DocumentRow stored, ReadOnlySpan<byte> key, ExtendedDocument document)
    {
        Etag etag = TakeEtag();
        SetWrittenVector(stored.ChangeVector, default, etag);
        DocumentFlags flags = stored.Flags & ~FlagsOfVersion;
        flags = _isRevising ? Revisions.BeforeReplace(key, stored.CollectionKey, stored, flags) : flags;
        TableRowBuilder builder = _owner.VectorRows;
        DocumentRowBuilding.CopyTo(builder, stored.Row);
        builder.Add(WrittenVector);
        ExtensionColumns before = ExtensionColumns.Of(stored, stored.Flags);
        for (ExtensionKind kind = ExtensionKind.Attachments; kind <= ExtensionKind.TimeSeries; kind++)
        {
            int start = builder.DataBytes;
            if (document.Has(kind))
            {
                _owner.Extensions.First(known => known.Kind == kind).Describe(this, key, builder);
                builder.EndColumn();
            }
            else
            {
                builder.Add(before[kind]);
            }

            DocumentFlags flag = ExtensionColumns.FlagOf(kind);
            flags = builder.DataBytes > start ? flags | flag : flags & ~flag;
        }

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

    private void DeleteExtensions(ReadOnlySpan<byte> key, DocumentFlags flags)
    {
        if (!ExtensionColumns.HasAny(flags) && _extended is not { Count: > 0 })
        {
            return;
        }

        foreach (IDocumentExtension extension in _owner.Extensions)
        {
            extension.Delete(this, key);
        }
    }
}
