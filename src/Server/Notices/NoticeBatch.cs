using Jackdaw.Documents.Identity;
using Jackdaw.Json;

namespace Jackdaw.Server.Notices;

/// <summary>Notices that are handed out together; shared by all readers. Immutable, except for its successor.</summary>
/// <param name="bytes">Holds the texts of the entries.</param>
/// <param name="entries">The notices in their order.</param>
/// <param name="last">The last etag that was reported before the end of the batch.</param>
/// <param name="end">The bytes of all batches up to the end of this one.</param>
internal sealed class NoticeBatch(byte[] bytes, NoticeEntry[] entries, Etag last, long end)
{
    private NoticeBatch? _next;

    public ReadOnlySpan<NoticeEntry> Entries => entries;

    public Etag Last { get; } = last;

    public long End { get; } = end;

    /// <summary>The batch after this one; null while there is none.</summary>
    public NoticeBatch? Next
    {
        get => Volatile.Read(ref _next);
        set => Volatile.Write(ref _next, value);
    }

    public ReadOnlySpan<byte> Text(TextExtent extent) => extent.IsNull ? default : bytes.AsSpan(extent.Start, extent.Length);
}
