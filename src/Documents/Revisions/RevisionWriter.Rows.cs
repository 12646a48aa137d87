using System.Buffers;
using System.Buffers.Binary;
using System.Diagnostics;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Revisions;

/// <summary>Adds and removes rows, with their entries in the trees and the data that extensions keep.</summary>
internal sealed partial class RevisionWriter
{
    /// <summary>The offset at which the metadata of a deletion begins in its body.</summary>
    private static readonly int s_deletionMetadataOffset = "{\"@metadata\":"u8.Length;

    /// <summary>Removes one revision of a document. The caller updates the flag of the document.</summary>
    /// <returns>False when there is no such revision.</returns>
    public bool Remove(ReadOnlySpan<byte> key, Etag etag)
    {
        if (!TryFind(etag, out RevisionRow revision) || !revision.DocumentKey.SequenceEqual(key))
        {
            return false;
        }

        RemoveRow(revision, etag);
        _trees.Add(key, -1);
        return true;
    }

    private void RemoveRow(RevisionRow revision, Etag etag)
    {
        foreach (RevisedExtension extension in _extensions)
        {
            ReadOnlySpan<byte> kept = revision.Extension(extension);
            if (!kept.IsEmpty)
            {
                extension.Release(_documents, kept);
            }
        }

        if (revision.IsDelete)
        {
            _trees.RemoveFromBin(etag);
        }

        _trees.RemoveVector(revision.ChangeVector, etag);
        _table.Delete(revision.Row);
        _documents.NoteWrite();
    }

    /// <summary>Is called when a request has removed revisions of a document.</summary>
    public void EndRemoval(ReadOnlySpan<byte> key)
    {
        _trees.SetRemoved(key, _documents.LastEtag);
        if (_trees.Count(key) == 0)
        {
            _documents.SetHasRevisions(key, false);
        }
    }

    /// <summary>Removes the oldest revisions, as far as they exceed the limits.</summary>
    /// <param name="isAdded">Whether the write has added a revision, so that the newest one has changed.</param>
    /// <returns>The number of revisions that are left.</returns>
    private long Trim(ReadOnlySpan<byte> key, RevisionRules rules, bool isAdded)
    {
        long count = _trees.Count(key);
        if (rules.MinimumAge is null && !(count > rules.MinimumCount))
        {
            return count;
        }

        Etag last = Etag.None;
        for (int removed = 0; removed < rules.RemovedPerWrite && TryFindOldest(key, _trees.PurgedTo(key), out RevisionRow oldest); removed++)
        {
            if (!rules.Exceeds(count, oldest.LastModifiedTicks, _documents.Ticks))
            {
                break;
            }

            last = oldest.Etag;
            Remove(key, last);
            count--;
        }

        if (last != Etag.None)
        {
            _trees.SetRemoved(key, isAdded ? last : _documents.LastEtag);
        }

        return count;
    }

    private bool TryFindOldest(ReadOnlySpan<byte> key, Etag after, out RevisionRow oldest)
    {
        Span<byte> first = stackalloc byte[RevisionTable.KeyBytesMax];
        first = first[..RevisionTable.MakeKey(key, new Etag(after.Value + 1), first)];
        using TableKeyCursor cursor = _table.OpenKeys(RevisionTable.ByKey);
        bool isThere = cursor.Seek(first) && cursor.Key.StartsWith(first[..^sizeof(long)]);
        oldest = new RevisionRow(isThere ? cursor.Row : default);
        return isThere;
    }

    // Copied from a row of the documents.
    private void Add(ReadOnlySpan<byte> key, DocumentRow document, DocumentFlags more)
    {
        TableRowBuilder builder = _keeper.Rows;
        TableRow row = document.Row;
        builder.Reset();
        builder.AddInt64(document.Etag.Value).AddInt64(document.LastModifiedTicks);
        AddFlags(builder, document.Flags | DocumentFlags.HasRevisions | more);
        builder.Add(row.GetColumn(DocumentTable.MetadataOffsetColumn));
        AddKey(builder, key, document.Etag);
        builder
            .Add(row.GetColumn(DocumentTable.IdColumn))
            .Add(row.GetColumn(DocumentTable.CollectionKeyColumn))
            .Add(row.GetColumn(DocumentTable.CollectionColumn))
            .Add(row.GetColumn(DocumentTable.BodyColumn))
            .Add(document.ChangeVector);
        ShownExtensions shown = document.Extensions;
        for (int slot = 0; slot < DocumentExtensions.SlotsMax && shown.IsAny; slot++)
        {
            AddExtension(builder, key, slot, shown[slot]);
        }

        Insert(key, builder.Finish().Span);
    }

    private void AddExtension(TableRowBuilder builder, ReadOnlySpan<byte> key, int slot, ReadOnlySpan<byte> shown)
    {
        if (!shown.IsEmpty && _documents.Extensions.At(slot) is RevisedExtension extension)
        {
            extension.DescribeRevision(_documents, key, shown, builder);
        }

        builder.EndColumn();
    }

    private void AddDeletion(ReadOnlySpan<byte> key, Etag tombstone, Deletion deletion)
    {
        var body = new ArrayBufferWriter<byte>(64 + deletion.CollectionName.Length);
        body.Write("{\"@metadata\":{"u8);
        if (!deletion.CollectionName.SequenceEqual(DocumentParser.EmptyCollection))
        {
            body.Write("\"@collection\":"u8);
            DocumentWriter.WriteString(body, deletion.CollectionName);
        }

        body.Write("}}"u8);
        TableRowBuilder builder = _keeper.Rows;
        builder.Reset();
        builder.AddInt64(tombstone.Value).AddInt64(_documents.Ticks);
        AddFlags(builder, DocumentFlags.HasRevisions | DocumentFlags.DeleteRevision);
        Span<byte> offset = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(offset, s_deletionMetadataOffset);
        builder.Add(offset);
        AddKey(builder, key, tombstone);
        builder
            .Add(deletion.Id).Add(deletion.CollectionKey).Add(deletion.Collection).Add(body.WrittenSpan)
            .Add(_documents.WrittenVector);
        Insert(key, builder.Finish().Span);
        _trees.AddToBin(tombstone, key);
    }

    private static void AddFlags(TableRowBuilder builder, DocumentFlags flags)
    {
        Span<byte> number = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(number, (int)flags);
        builder.Add(number);
    }

    private static void AddKey(TableRowBuilder builder, ReadOnlySpan<byte> key, Etag etag)
    {
        Span<byte> place = builder.GetSpan(key.Length + RevisionTable.KeySuffixBytes);
        builder.Advance(RevisionTable.MakeKey(key, etag, place));
        builder.EndColumn();
    }

    private void Insert(ReadOnlySpan<byte> key, Span<byte> row)
    {
        bool isNew = _table.TryInsert(row, out _);
        Debug.Assert(isNew, "each version is kept once");
        var revision = new RevisionRow(RevisionTable.Schema.View(row));
        _trees.AddVector(revision.ChangeVector, revision.Etag);
        _trees.Add(key, 1);
        _documents.NoteWrite();
        foreach (RevisedExtension extension in _extensions)
        {
            ReadOnlySpan<byte> kept = revision.Extension(extension);
            if (!kept.IsEmpty)
            {
                extension.Keep(_documents, kept);
            }
        }
    }
}
