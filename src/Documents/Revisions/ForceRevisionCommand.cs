using System.Globalization;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Json;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Documents.Revisions;

/// <summary>Keeps the stored version of a document as a revision, even if the configuration of its collection does not.</summary>
internal sealed class ForceRevisionCommand : KeyedCommand
{
    private byte[] _storedId = [];
    private byte[]? _storedVector;
    private Etag _etag;
    private long _ticks;
    private DocumentFlags _flags;

    /// <summary>After it is applied, whether a revision was created; false when that version was kept already.</summary>
    public bool IsCreated { get; private set; }

    /// <summary>Reads a command of a batch.</summary>
    public static void Read(ref CommandText text)
    {
        (TextExtent id, TextExtent key) = text.ReadId();
        text.Target.Add<ForceRevisionCommand>().Take(text, id, key);
    }

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        IsCreated = false;
        if (!TryMeet(documents, Key.Span, out DocumentRow stored, out bool exists))
        {
            return WriteStatus.Conflict;
        }

        if (!exists)
        {
            return WriteStatus.NothingToRevise;
        }

        IsCreated = documents.Revisions.Force(Key.Span, stored);
        documents.TryFind(Key.Span, out stored);
        (_storedId, _etag, _ticks, _flags) = (stored.Id.ToArray(), stored.Etag, stored.LastModifiedTicks, stored.Flags);
        _storedVector = stored.ChangeVector.IsEmpty ? null : stored.ChangeVector.ToArray();
        return WriteStatus.Applied;
    }

    internal override Refusal MakeRefusal(WriteBatch batch, INamedDatabase database) =>
        IsConflict ? base.MakeRefusal(batch, database) : NothingToRevise(Encoding.UTF8.GetString(Id.Span));

    internal override void WriteAnswer(Utf8JsonWriter json, INamedDatabase database)
    {
        json.WriteString("Type"u8, "ForceRevisionCreation"u8);
        json.WriteBoolean("RevisionCreated"u8, IsCreated);
        if (!IsCreated)
        {
            return;
        }

        Span<byte> buffer = stackalloc byte[Identity.ChangeVector.EntryBytesMax];
        json.WriteString("@id"u8, _storedId);
        json.WriteString("@change-vector"u8, database.Replica.VectorOf(new DocumentVersion(_etag, _storedVector), buffer));
        json.WriteString("@last-modified"u8, new DateTime(_ticks, DateTimeKind.Utc).ToString("O", CultureInfo.InvariantCulture));
        json.WriteString("@flags"u8, _flags.ToString());
    }
}
