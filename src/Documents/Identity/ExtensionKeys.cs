using System.Diagnostics;

namespace Jackdaw.Documents.Identity;

/// <summary>Makes the keys of things that belong to a document under a name, such as attachments and counters: the key of the document, a zero, the name in
/// lower case. Neither part contains a zero.</summary>
/// <remarks>Names keep their casing and are found without regard to it, like ids of documents. The functions are pure and allocate nothing.</remarks>
internal static class ExtensionKeys
{
    /// <summary>The longest key, in bytes.</summary>
    public const int KeyBytesMax = DocumentIds.KeyBytesMax + 1 + DocumentIds.KeyBytesMax;

    /// <summary>Makes a key.</summary>
    /// <param name="document">The key of the document.</param>
    /// <param name="name">UTF-8, in any casing.</param>
    /// <param name="key">At least <see cref="KeyBytesMax"/> bytes.</param>
    /// <param name="length">Bytes of the key; 0 when there is a fault.</param>
    public static DocumentIdFault TryMake(ReadOnlySpan<byte> document, ReadOnlySpan<byte> name, Span<byte> key, out int length)
    {
        DocumentIdFault fault = DocumentIds.TryMakeKey(name, key[(document.Length + 1)..], out int nameBytes);
        length = 0;
        if (fault == DocumentIdFault.None)
        {
            length = MakePrefix(document, key) + nameBytes;
        }

        return fault;
    }

    /// <summary>Writes the beginning of the keys of all things that belong to a document.</summary>
    /// <returns>The bytes written.</returns>
    public static int MakePrefix(ReadOnlySpan<byte> document, Span<byte> prefix)
    {
        document.CopyTo(prefix);
        prefix[document.Length] = 0;
        return document.Length + 1;
    }

    /// <summary>The part of a key that is the key of the document.</summary>
    public static ReadOnlySpan<byte> DocumentOf(ReadOnlySpan<byte> key) => key[..Separator(key)];

    /// <summary>The part of a key that is the name.</summary>
    public static ReadOnlySpan<byte> NameOf(ReadOnlySpan<byte> key) => key[(Separator(key) + 1)..];

    private static int Separator(ReadOnlySpan<byte> key)
    {
        int separator = key.IndexOf((byte)0);
        Debug.Assert(separator > 0);
        return separator;
    }
}
