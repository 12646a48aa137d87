using System.Buffers;
using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Json;

namespace Jackdaw.Server.Notices;

/// <summary>Names as they are compared: UTF-8 in lower case, character by character, as the keys of documents are. So the key of a prefix
/// begins the keys of all that begin with it.</summary>
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

    // A character of 2 bytes can have a lower case of 3; none grows more.
    private static int BytesMax(int textBytes) => (textBytes * 3 / 2) + 1;

    private static int Write(ReadOnlySpan<byte> text, Span<byte> key)
    {
        if (Ascii.ToLower(text, key, out int length) == OperationStatus.Done)
        {
            return length;
        }

        if (DocumentIds.LowerBeyondAscii(text, key, ref length) != DocumentIdFault.None)
        {
            text.CopyTo(key); // no UTF-8: equal to itself only
            length = text.Length;
        }

        return length;
    }
}
