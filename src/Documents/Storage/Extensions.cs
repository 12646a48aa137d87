using System.Buffers;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Storage;

/// <summary>What documents have besides their text. Each kind has tables of its own; the row of a document holds what its metadata shows of
/// them.</summary>
internal enum ExtensionKind
{
    Attachments,
    Counters,
    TimeSeries,
}

/// <summary>One kind of extension, as the transactions of documents need it. Without state; on the writer's thread.</summary>
internal interface IDocumentExtension
{
    ExtensionKind Kind { get; }

    /// <summary>Writes the JSON array that the metadata of a document shows; nothing when the document has none of the kind.</summary>
    void Describe(DocumentTransaction documents, ReadOnlySpan<byte> key, IBufferWriter<byte> output);

    /// <summary>Removes all of the kind: the document is deleted.</summary>
    void Delete(DocumentTransaction documents, ReadOnlySpan<byte> key);
}

/// <summary>A document whose extensions a batch changes. It is written once, after the last command of the batch: then the version is
/// known.</summary>
internal sealed class ExtendedDocument
{
    private byte[]? _vector;
    private int _kinds;

    /// <summary>Written: etag of the document; None: the batch deletes it.</summary>
    public Etag Etag { get; private set; }

    /// <summary>Whether there are changes that the document does not show yet.</summary>
    public bool IsPending => _kinds != 0;

    /// <summary>Written: the version that is stored then.</summary>
    public DocumentVersion Version => new(Etag, _vector);

    /// <summary>Pending: bytes that it will show of its attachments more than the stored version does.</summary>
    public long AttachmentBytesAdded { get; private set; }

    /// <summary>While it is pending, an attachment comes, or goes.</summary>
    public void AddAttachmentBytes(int bytes) => AttachmentBytesAdded += bytes;

    public void Add(ExtensionKind kind) => _kinds |= 1 << (int)kind;

    public bool Has(ExtensionKind kind) => (_kinds & (1 << (int)kind)) != 0;

    public void SetWritten(Etag etag, byte[]? vector) => (Etag, _vector, _kinds, AttachmentBytesAdded) = (etag, vector, 0, 0);
}

/// <summary>The columns of a document's row that show its extensions. A view.</summary>
internal readonly ref struct ExtensionColumns
{
    /// <summary>The flags of all kinds.</summary>
    public const DocumentFlags AllFlags = DocumentFlags.HasAttachments | DocumentFlags.HasCounters | DocumentFlags.HasTimeSeries;

    public bool IsEmpty => Attachments.IsEmpty && Counters.IsEmpty && TimeSeries.IsEmpty;

    /// <summary>Those of a document that shows this.</summary>
    public DocumentFlags Flags => (Attachments.IsEmpty ? DocumentFlags.None : DocumentFlags.HasAttachments)
        | (Counters.IsEmpty ? DocumentFlags.None : DocumentFlags.HasCounters)
        | (TimeSeries.IsEmpty ? DocumentFlags.None : DocumentFlags.HasTimeSeries);

    public ReadOnlySpan<byte> Attachments { get; init; }

    public ReadOnlySpan<byte> Counters { get; init; }

    public ReadOnlySpan<byte> TimeSeries { get; init; }

    public ReadOnlySpan<byte> this[ExtensionKind kind] => kind switch
    {
        ExtensionKind.Attachments => Attachments,
        ExtensionKind.Counters => Counters,
        _ => TimeSeries,
    };

    /// <summary>Those of a row; for most documents the flags say that there are none.</summary>
    public static ExtensionColumns Of(DocumentRow row, DocumentFlags flags) => (flags & AllFlags) == 0 ? default : new ExtensionColumns
    {
        Attachments = row.Row.GetColumn(DocumentTable.ExtensionsColumn + (int)ExtensionKind.Attachments),
        Counters = row.Row.GetColumn(DocumentTable.ExtensionsColumn + (int)ExtensionKind.Counters),
        TimeSeries = row.Row.GetColumn(DocumentTable.ExtensionsColumn + (int)ExtensionKind.TimeSeries),
    };

    public static bool HasAny(DocumentFlags flags) => (flags & AllFlags) != 0;

    public static DocumentFlags FlagOf(ExtensionKind kind) => kind switch
    {
        ExtensionKind.Attachments => DocumentFlags.HasAttachments,
        ExtensionKind.Counters => DocumentFlags.HasCounters,
        _ => DocumentFlags.HasTimeSeries,
    };

    /// <summary>The same in memory of their own.</summary>
    public ExtensionColumns Detach() => IsEmpty ? default : new ExtensionColumns
    {
        Attachments = Attachments.ToArray(),
        Counters = Counters.ToArray(),
        TimeSeries = TimeSeries.ToArray(),
    };
}
