using System.Buffers;
using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Json;

namespace Jackdaw.Server.Notices;

/// <summary>Makes the keys by which names are compared: UTF-8 in lower case, character by character, like the keys of documents. So the key of a name begins
/// with the key of each prefix of the name.</summary>
internal static class TextKeys
{
    public static byte[] Of(string text)
    {
        byte[] utf8 = Encoding.UTF8.GetBytes(text);
        byte[] key = new byte[BytesMax(utf8.Length)];
        return key[..Write(utf8, key)];
    }

    /// <summary>Appends the key of a UTF-8 text.</summary>
    public static TextExtent Append(PooledBuffer buffer, ReadOnlySpan<byte> text)
    {
        int start = buffer.Length;
        int length = Write(text, buffer.Reserve(BytesMax(text.Length)));
        buffer.Advance(length);
        return new TextExtent(start, length);
    }

    // A character of 2 bytes can have a lower case of 3 bytes; no character grows more.
    private static int BytesMax(int textBytes) => (textBytes * 3 / 2) + 1;

    private static int Write(ReadOnlySpan<byte> text, Span<byte> key)
    {
        if (Ascii.ToLower(text, key, out int length) == OperationStatus.Done)
        {
            return length;
        }

        if (DocumentIds.LowerBeyondAscii(text, key, ref length) != DocumentIdFault.None)
        {
            text.CopyTo(key); // not UTF-8, so it is equal to itself only
            length = text.Length;
        }

        return length;
    }
}
