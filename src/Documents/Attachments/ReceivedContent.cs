namespace Jackdaw.Documents.Attachments;

/// <summary>A content that has arrived, and that a command gives to an attachment.</summary>
/// <param name="Hash">SHA-256: 32 bytes.</param>
/// <param name="Size">The size in bytes.</param>
/// <param name="Number">The number of its chunks, which are stored and belong to nobody yet; 0 when the bytes are given instead.</param>
/// <param name="Bytes">All bytes of the content, at most one chunk. They must not change until the command is answered. Empty when there is a number.</param>
internal sealed record ReceivedContent(byte[] Hash, long Size, long Number, ReadOnlyMemory<byte> Bytes);
