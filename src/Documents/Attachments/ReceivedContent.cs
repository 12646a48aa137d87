namespace Jackdaw.Documents.Attachments;

/// <summary>A content that arrived and that a command gives to an attachment.</summary>
/// <param name="Hash">SHA-256: 32 bytes.</param>
/// <param name="Size">Bytes.</param>
/// <param name="Number">Of its chunks, which are stored and belong to nobody yet; 0: the bytes are given.</param>
/// <param name="Bytes">All of it, at most one chunk; stays unchanged until the command was answered. Empty when there is a number.</param>
internal sealed record ReceivedContent(byte[] Hash, long Size, long Number, ReadOnlyMemory<byte> Bytes);
