using System.Text;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Schedules;
using Jackdaw.Json.Refusals;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Revisions;

/// <summary>Reverts a document to a revision, which makes a new version of it, or deletes it.</summary>
/// <param name="key">The key of the document.</param>
/// <param name="revision">The etag of one of its revisions; None when there was no document, so that it is deleted.</param>
internal sealed class RevertCommand(byte[] key, Etag revision) : DocumentCommand
{
    /// <summary>Whether the whole batch is refused when the revision is gone.</summary>
    public bool IsRequired { get; init; }

    /// <summary>The size of the revision.</summary>
    public int TargetBytes { get; init; }

    /// <summary>After it is applied, whether something was written.</summary>
    public bool IsReverted { get; private set; }

    /// <summary>After it is applied, whether nothing was written because the revision had been removed in the meantime.</summary>
    public bool IsTargetGone { get; private set; }

    internal override ReadOnlyMemory<byte> Key => key;

    internal override int SizeBytes => FixedBytes + TargetBytes;

    internal override KeyEffect Effect => KeyEffect.Write;

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        (IsReverted, IsTargetGone) = (false, false);
        var revisions = RevisionWriter.Of(documents);
        RevisionRow target = default;
        if (revision != Etag.None && !(revisions.TryFind(revision, out target) && target.DocumentKey.SequenceEqual(key)))
        {
            IsTargetGone = true;
            return IsRequired ? WriteStatus.NothingToRevise : WriteStatus.Applied;
        }

        bool exists = documents.TryFind(key, out DocumentRow stored);
        if (revision == Etag.None || target.IsDelete)
        {
            Delete(documents, revisions, stored, exists);
        }
        else if (!exists || stored.Etag != revision || !revisions.IsCurrent(key, stored, target))
        {
            Write(documents, revisions, target, stored, exists);
        }

        return WriteStatus.Applied;
    }

    internal override Refusal MakeRefusal(WriteBatch batch, INamedDatabase database) =>
        RevisionRefusals.Gone(Encoding.UTF8.GetString(key), database.Replica.TextOf(new DocumentVersion(revision, default)));

    private void Delete(DocumentTransaction documents, RevisionWriter revisions, DocumentRow stored, bool exists)
    {
        if (exists)
        {
            revisions.KeepCurrent(key, stored);
            documents.TryFind(key, out stored);
            revisions.DeleteKept(stored, key);
            IsReverted = true;
        }
    }

    // One version gets the text and the extensions. The replaced version is kept, even if the configuration does not keep it. The references that are added
    // first protect contents that only the target names, because the writes themselves may remove the target as the oldest revision.
    private void Write(DocumentTransaction documents, RevisionWriter revisions, RevisionRow target, DocumentRow stored, bool exists)
    {
        // The texts are copied, like the row, because writes move rows.
        byte[][] kept = [.. Kept(revisions.Extensions, target)];
        ReadOnlySpan<byte> body = target.Body;
        using var parser = new DocumentParser(DocumentExtensions.None);
        DocumentSchedule? schedule = StoredSchedule.Read(body, target.MetadataOffset, parser);
        body = schedule is { IsArchived: true } ? ArchivedBody.Pack(body) : body;
        ReadOnlySpan<byte> id = exists ? stored.Row.GetColumn(DocumentTable.IdColumn) : target.Row.GetColumn(RevisionTable.IdColumn);
        Span<byte> row = Build(documents.Rows, target, body, id);
        ForEach(revisions.Extensions, kept, (extension, text) => extension.Keep(documents, text));
        if (exists)
        {
            revisions.KeepCurrent(key, stored);
        }

        for (int i = 0; i < kept.Length; i++)
        {
            revisions.Extensions[i].Revert(documents, key, DocumentRow.Of(row), kept[i]);
        }

        documents.PutExtended(key, row, default, DocumentFlags.Reverted, schedule);
        ForEach(revisions.Extensions, kept, (extension, text) => extension.Release(documents, text));
        IsReverted = true;
    }

    private static void ForEach(IReadOnlyList<RevisedExtension> extensions, byte[][] kept, Action<RevisedExtension, byte[]> run)
    {
        for (int i = 0; i < kept.Length; i++)
        {
            if (kept[i].Length > 0)
            {
                run(extensions[i], kept[i]);
            }
        }
    }

    private static List<byte[]> Kept(IReadOnlyList<RevisedExtension> extensions, RevisionRow target)
    {
        List<byte[]> kept = [];
        foreach (RevisedExtension extension in extensions)
        {
            kept.Add(target.Extension(extension).ToArray());
        }

        return kept;
    }

    private Span<byte> Build(TableRowBuilder builder, RevisionRow target, ReadOnlySpan<byte> body, ReadOnlySpan<byte> id)
    {
        builder.Reset();
        return builder.AddBlank().AddBlank().AddBlank()
            .Add(target.Row.GetColumn(RevisionTable.MetadataOffsetColumn))
            .Add(key)
            .Add(id)
            .Add(target.CollectionKey)
            .Add(target.Row.GetColumn(RevisionTable.CollectionColumn))
            .Add(body)
            .Finish().Span;
    }
}
