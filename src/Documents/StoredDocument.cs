using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents;

/// <summary>One stored document, seen through a read scope.</summary>
/// <remarks>The spans point into pages of the snapshot: valid until the scope is disposed (or its cursor moves), never
/// across an await. Everything is read on demand: reading the etag does not touch the pages of the body.</remarks>
public readonly ref struct StoredDocument
{
    /// <summary>UTF-8, in the casing of the first write.</summary>
    public required ReadOnlySpan<byte> Id { get; init; }

    /// <summary>The id's key, as <see cref="DocumentIds.TryMakeKey(ReadOnlySpan{byte}, Span{byte}, out int)"/> makes
    /// it.</summary>
    public required ReadOnlySpan<byte> Key { get; init; }

    public required Etag Etag { get; init; }

    /// <summary>Empty when it is only the local replica's entry for the etag.</summary>
    public ReadOnlySpan<byte> ChangeVector { get; init; }

    /// <summary>The version of the document.</summary>
    public DocumentVersion Version => new(Etag, ChangeVector);

    /// <summary>Ticks of the UTC time of the write, as in <see cref="DateTime.Ticks"/>.</summary>
    public required long LastModifiedTicks { get; init; }

    /// <summary>UTF-8; <c>@empty</c> for a document without one.</summary>
    public required ReadOnlySpan<byte> Collection { get; init; }

    public required DocumentFlags Flags { get; init; }

    /// <summary>Canonical UTF-8 JSON without whitespace whose end is <c>"@metadata":{...}}</c>.</summary>
    public required ReadOnlySpan<byte> Body { get; init; }

    /// <summary>Offset in <see cref="Body"/> of the opening brace of the value of <c>@metadata</c>.</summary>
    public required int MetadataOffset { get; init; }

    /// <summary>JSON array of what <c>@attachments</c> shows; empty for none.</summary>
    public ReadOnlySpan<byte> Attachments { get; init; }

    /// <summary>JSON array of what <c>@counters</c> shows; empty for none.</summary>
    public ReadOnlySpan<byte> Counters { get; init; }

    /// <summary>JSON array of what <c>@timeseries</c> shows; empty for none.</summary>
    public ReadOnlySpan<byte> TimeSeries { get; init; }

    /// <summary>The body, and in its metadata what it shows of its extensions. A copy only when it has any.</summary>
    public ReadOnlySpan<byte> BodyWithExtensions
    {
        get
        {
            if (Attachments.IsEmpty && Counters.IsEmpty && TimeSeries.IsEmpty)
            {
                return Body;
            }

            ReadOnlySpan<byte> separator = Body[MetadataOffset + 1] == '}' ? default : ","u8;
            ReadOnlySpan<byte> attachments = Attachments.IsEmpty ? default : "\"@attachments\":"u8;
            ReadOnlySpan<byte> afterAttachments = Attachments.IsEmpty || (Counters.IsEmpty && TimeSeries.IsEmpty) ? default : ","u8;
            ReadOnlySpan<byte> counters = Counters.IsEmpty ? default : "\"@counters\":"u8;
            ReadOnlySpan<byte> afterCounters = Counters.IsEmpty || TimeSeries.IsEmpty ? default : ","u8;
            ReadOnlySpan<byte> timeSeries = TimeSeries.IsEmpty ? default : "\"@timeseries\":"u8;
            return (byte[])
            [
                .. Body[..^2], .. separator, .. attachments, .. Attachments, .. afterAttachments,
                .. counters, .. Counters, .. afterCounters, .. timeSeries, .. TimeSeries, .. "}}"u8,
            ];
        }
    }
}
