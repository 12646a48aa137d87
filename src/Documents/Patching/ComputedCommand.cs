using System.Diagnostics;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Patching;

/// <summary>A command whose writes depend on stored documents. They are computed on the request's thread, from a snapshot, and the writer gets them in place of
/// the command: see <see cref="ComputedBatch"/>.</summary>
internal abstract class ComputedCommand : KeyedCommand
{
    internal override bool HasDemand => false;

    internal sealed override bool IsComputed => true;

    /// <summary>The keys of the documents that it changes.</summary>
    public virtual IEnumerable<byte[]> Targets => [Key.ToArray()];

    /// <summary>Computes its writes, and sets its results again.</summary>
    internal abstract void Compute(ComputedBatch batch);

    internal sealed override WriteStatus Apply(DocumentTransaction documents) =>
        throw new UnreachableException("A computed command is never written itself.");

    /// <summary>The demanded version, if a client did not send it in a member of the command; null for none.</summary>
    public string? ChangeVectorText { get; set; }

    /// <summary>The demanded version.</summary>
    protected ExpectedVersion Demand(INamedDatabase database) =>
        ExpectedVersion.Parse(HasChangeVector ? Encoding.UTF8.GetString(ChangeVector.Span) : ChangeVectorText, database.Replica);
}

/// <summary>The results of a patch for its document, by their names in the protocol.</summary>
internal enum PatchStatus
{
    DocumentDoesNotExist,
    Created,
    Patched,
    Skipped,
    NotModified,
}

/// <summary>The result of a patch of one document.</summary>
/// <param name="Id">The stored id.</param>
/// <param name="Before">The document before; null when there was none.</param>
/// <param name="After">The document afterwards; null when there is none.</param>
/// <param name="Put">The write; null when the document was not written.</param>
internal sealed record PatchResult(PatchStatus Status, string Id, ViewedDocument? Before, ParsedDocument? After, PutCommand? Put)
{
    /// <summary>The last change of its extensions, which may give the document a version; null: there is none.</summary>
    public ExtensionCommand? Extending { get; init; }

    // The write of the patch itself, or of an earlier command when the patch wrote nothing. Null as long as it is not applied, which is always so when the
    // patch is only tried out.
    private PutCommand? Written => (Put ?? Before?.Write) is { Etag.Value: > 0 } put ? put : null;

    public string ChangeVectorOf(INamedDatabase database) =>
        Extending is { DocumentVersion.IsMissing: false } ? database.Replica.TextOf(Extending.DocumentVersion)
        : Written is { } put ? database.Replica.TextOf(put.Version) : Before?.ChangeVector ?? "";

    public DateTime LastModified => new((Written?.LastModifiedTicks ?? Before?.LastModifiedTicks) ?? 0, DateTimeKind.Utc);

    /// <summary>Writes the document in its current form, or null.</summary>
    public void WriteDocument(Utf8JsonWriter json, INamedDatabase database)
    {
        if (After is not { } form)
        {
            json.WriteNullValue();
            return;
        }

        DocumentFlags flags = (Written?.Flags ?? Before?.Flags) ?? DocumentFlags.None;
        string id = Written?.StoredId ?? Id;
        json.WriteRawValue(
            ViewedDocument.WithStamp(form, id, ChangeVectorOf(database), LastModified.Ticks, flags, Before).Span, skipInputValidation: true);
    }
}

/// <summary>Writes nothing, but demands the index of a compare exchange value that a script has read.</summary>
/// <param name="key">The key in lower case.</param>
/// <param name="index">The index; 0 when there is no value.</param>
internal sealed class CheckCompareExchangeCommand(byte[] key, long index) : DocumentCommand
{
    internal override bool HasDemand => true;

    internal override bool IsOfValue => true;

    internal override bool IsDemandMet(DocumentTransaction documents, KeyEffect earlier)
    {
        Table values = CompareExchangeWrites.Values(documents);
        return index == (values.TryGetByKey(CompareExchangeTable.ByKey, key, out TableRow row) ? new CompareExchangeRow(row).Index : 0);
    }

    internal override WriteStatus Apply(DocumentTransaction documents) =>
        IsDemandMet(documents, KeyEffect.None) ? WriteStatus.Applied : WriteStatus.Conflict;
}
