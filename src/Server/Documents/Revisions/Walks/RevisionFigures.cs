using System.Text.Json;
using Jackdaw.Server.Documents.Operations;

namespace Jackdaw.Server.Documents.Revisions.Walks;

/// <summary>How far a walk over all documents with revisions has come. Written by its worker, read by any thread.</summary>
/// <param name="resultType">Name of the result's type as clients know it.</param>
/// <param name="changedMember">Name of the member for <see cref="Changed"/>.</param>
internal sealed class RevisionFigures(string resultType, string changedMember) : OperationFigures
{
    private long _documents;
    private long _revisions;
    private long _changed;
    private long _total;

    /// <summary>Documents that were looked at.</summary>
    public long Documents => Volatile.Read(ref _documents);

    /// <summary>Revisions that were looked at.</summary>
    public long Revisions => Volatile.Read(ref _revisions);

    /// <summary>Documents that were reverted, or revisions that were removed.</summary>
    public long Changed => Volatile.Read(ref _changed);

    /// <summary>Documents with revisions, when the walk began.</summary>
    public long Total
    {
        get => Volatile.Read(ref _total);
        set => Volatile.Write(ref _total, value);
    }

    public void Add(long documents, long revisions, long changed)
    {
        Interlocked.Add(ref _documents, documents);
        Interlocked.Add(ref _revisions, revisions);
        Interlocked.Add(ref _changed, changed);
    }

    public override void WriteProgress(Utf8JsonWriter json)
    {
        json.WriteStartObject();
        json.WriteString("$type"u8, "Raven.Client.Documents.Operations.DeterminateProgress, Raven.Client"u8);
        json.WriteNumber("Processed"u8, Documents);
        json.WriteNumber("Total"u8, Math.Max(Total, Documents));
        WriteFigures(json);
        json.WriteEndObject();
    }

    public override void WriteResult(Utf8JsonWriter json)
    {
        json.WriteStartObject();
        json.WriteString("$type"u8, $"Raven.Client.Documents.Operations.Revisions.{resultType}, Raven.Client");
        json.WriteString("Message"u8, $"{Documents} documents and {Revisions} of their revisions were looked at, {changedMember}: {Changed}.");
        WriteFigures(json);
        json.WriteStartObject("Warnings"u8);
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private void WriteFigures(Utf8JsonWriter json)
    {
        json.WriteNumber("ScannedDocuments"u8, Documents);
        json.WriteNumber("ScannedRevisions"u8, Revisions);
        json.WriteNumber(changedMember, Changed);
    }
}
