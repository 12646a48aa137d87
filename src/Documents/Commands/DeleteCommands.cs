using System.Text.Json;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Json;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Commands;

/// <summary>Deletes one document. Deleting a missing document succeeds, and the result says that it was missing.</summary>
internal sealed class DeleteCommand : KeyedCommand
{
    private byte[]? _storedVector;

    /// <summary>The only version that is deleted. Another version is not changed, which does not count as a conflict. Null for any version.</summary>
    public Etag? OnlyAt { get; init; }

    /// <summary>After it is applied, whether there was something to delete.</summary>
    public bool Deleted { get; private set; }

    /// <summary>After it is applied, the etag of the tombstone; None when nothing was deleted.</summary>
    public Etag Etag { get; private set; }

    internal override KeyEffect Effect => KeyEffect.Remove;

    internal override TransactionModes Modes => TransactionModes.SingleNode | TransactionModes.ClusterWide;

    /// <summary>Reads a delete of one document, or of all whose ids start with a text.</summary>
    public static void Read(ref CommandText text)
    {
        bool isPrefix = text.ReadFlag("IdPrefixed");
        (TextExtent id, TextExtent key) = text.ReadId();
        KeyedCommand command = isPrefix ? text.Target.Add<DeletePrefixCommand>() : text.Target.Add<DeleteCommand>();
        command.Take(text, id, key);
    }

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        (Deleted, Etag, _storedVector) = (false, Etag.None, null);
        if (!TryMeet(documents, Key.Span, out DocumentRow stored, out bool exists))
        {
            return WriteStatus.Conflict;
        }

        if (exists && (OnlyAt is null || OnlyAt == stored.Etag))
        {
            (Deleted, Etag) = (true, documents.Delete(stored, Key.Span, Given.Span));
            _storedVector = documents.CopyWrittenVector();
        }

        return WriteStatus.Applied;
    }

    internal override void WriteAnswer(Utf8JsonWriter json, INamedDatabase database) =>
        WriteAnswer(json, database, Id.Span, new DocumentVersion(Etag, _storedVector));

    /// <param name="tombstone">The last tombstone; missing when nothing was deleted.</param>
    public static void WriteAnswer(
        Utf8JsonWriter json, INamedDatabase database, ReadOnlySpan<byte> id, DocumentVersion tombstone)
    {
        bool deleted = !tombstone.IsMissing;
        json.WriteString("Type"u8, "DELETE"u8);
        json.WriteString("Id"u8, id);
        json.WriteBoolean("Deleted"u8, deleted);
        if (deleted)
        {
            Span<byte> buffer = stackalloc byte[Identity.ChangeVector.EntryBytesMax];
            json.WriteString("ChangeVector"u8, database.Replica.VectorOf(tombstone, buffer));
        }
    }
}

/// <summary>Deletes every document whose id starts with the given one. A version cannot be demanded.</summary>
internal sealed class DeletePrefixCommand : KeyedCommand
{
    private byte[]? _storedVector;

    /// <summary>After it is applied, whether there was something to delete.</summary>
    public bool Deleted => Etag != Etag.None;

    /// <summary>After it is applied, the etag of the last tombstone; None when nothing was deleted.</summary>
    public Etag Etag { get; private set; }

    internal override KeyEffect Effect => KeyEffect.RemovePrefix;

    internal override bool HasDemand => false;

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        (Etag, _storedVector) = (Etag.None, null);
        Span<byte> buffer = stackalloc byte[PutCommand.CompletedKeyBytesMax];
        while (TryFindFirst(documents, Key.Span, buffer, out int length))
        {
            ReadOnlySpan<byte> key = buffer[..length];
            documents.TryFind(key, out DocumentRow stored);
            Etag = documents.Delete(stored, key);
            _storedVector = documents.CopyWrittenVector();
        }

        return WriteStatus.Applied;
    }

    internal override void WriteAnswer(Utf8JsonWriter json, INamedDatabase database) =>
        DeleteCommand.WriteAnswer(json, database, Id.Span, new DocumentVersion(Etag, _storedVector));

    private static bool TryFindFirst(DocumentTransaction documents, ReadOnlySpan<byte> prefix, Span<byte> key, out int length)
    {
        using TableKeyCursor cursor = documents.Documents.OpenKeys(DocumentTable.ByKey);
        bool found = cursor.SeekPrefix(prefix);
        length = found ? cursor.Key.Length : 0;
        if (found)
        {
            cursor.Key.CopyTo(key);
        }

        return found;
    }
}

/// <summary>Writes nothing, but demands a version. It is for documents that a session loaded and did not change.</summary>
internal sealed class CheckCommand : KeyedCommand
{
    internal override WriteStatus Apply(DocumentTransaction documents) =>
        TryMeet(documents, Key.Span, out _, out _) ? WriteStatus.Applied : WriteStatus.Conflict;
}
