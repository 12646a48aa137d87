using System.Text.Json;
using Jackdaw.Documents.Operations;

namespace Jackdaw.Documents.Revisions.Walks;

/// <summary>The progress of a walk over all documents with revisions. Its worker writes it, any thread reads it.</summary>
/// <param name="resultType">The name by which clients know the type of the result.</param>
/// <param name="changedMember">The name of the member for <see cref="Changed"/>.</param>
internal sealed class RevisionFigures(string resultType, string changedMember) : OperationFigures
{
    /// <summary>The most warnings that are kept; the others are counted.</summary>
    public const int WarningsMax = 1024;

    private readonly Lock _lock = new(); // guards the warnings
    private readonly Dictionary<string, string> _warnings = new(StringComparer.Ordinal);
    private long _moreWarnings;
    private long _documents;
    private long _revisions;
    private long _changed;
    private long _total;

    /// <summary>The number of documents that were examined.</summary>
    public long Documents => Volatile.Read(ref _documents);

    /// <summary>The number of revisions that were examined.</summary>
    public long Revisions => Volatile.Read(ref _revisions);

    /// <summary>The number of documents that were reverted, or of revisions that were removed.</summary>
    public long Changed => Volatile.Read(ref _changed);

    /// <summary>The number of documents with revisions when the walk began.</summary>
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

    /// <summary>Adds a warning about a document.</summary>
    /// <param name="id">The id of the document.</param>
    public void Warn(string id, string warning)
    {
        lock (_lock)
        {
            if (_warnings.Count < WarningsMax)
            {
                _warnings[id] = warning;
            }
            else
            {
                _moreWarnings++;
            }
        }
    }

    public override string ResultType => resultType;

    public override void WriteProgress(Utf8JsonWriter json)
    {
        json.WriteNumber("Processed"u8, Documents);
        json.WriteNumber("Total"u8, Math.Max(Total, Documents));
        WriteFigures(json);
    }

    public override void WriteResult(Utf8JsonWriter json)
    {
        json.WriteString("Message"u8, $"{Documents} documents and {Revisions} of their revisions were examined, {changedMember}: {Changed}.");
        WriteFigures(json);
        WriteWarnings(json);
    }

    private void WriteWarnings(Utf8JsonWriter json)
    {
        json.WriteStartObject("Warnings"u8);
        lock (_lock)
        {
            foreach ((string id, string warning) in _warnings)
            {
                json.WriteString(id, warning);
            }

            if (_moreWarnings > 0)
            {
                json.WriteString("..."u8, $"{_moreWarnings} more documents have warnings.");
            }
        }

        json.WriteEndObject();
    }

    private void WriteFigures(Utf8JsonWriter json)
    {
        json.WriteNumber("ScannedDocuments"u8, Documents);
        json.WriteNumber("ScannedRevisions"u8, Revisions);
        json.WriteNumber(changedMember, Changed);
    }
}
