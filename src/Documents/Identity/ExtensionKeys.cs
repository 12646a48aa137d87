using System.Diagnostics;

namespace Jackdaw.Documents.Identity;

/// <summary>Keys of what belongs to a document under a name, as attachments and counters: the key of the document, a zero, the name in lower
/// case. Neither part holds a zero.</summary>
/// <remarks>Names keep their casing and are found without regard to it, as ids of documents. Pure functions, no
/// allocation.</remarks>
internal static class ExtensionKeys
{
    /// <summary>Longest key, in bytes.</summary>
    public const int KeyBytesMax = DocumentIds.KeyBytesMax + 1 + DocumentIds.KeyBytesMax;

    /// <summary>Makes a key.</summary>
    /// <param name="document">Key of the document.</param>
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

    /// <summary>Writes what the keys of all that belongs to a document begin with.</summary>
    /// <returns>The bytes written.</returns>
    public static int MakePrefix(ReadOnlySpan<byte> document, Span<byte> prefix)
    {
        document.CopyTo(prefix);
        prefix[document.Length] = 0;
        return document.Length + 1;
    }

    /// <summary>The document's part of a key.</summary>
    public static ReadOnlySpan<byte> DocumentOf(ReadOnlySpan<byte> key) => key[..Separator(key)];

    /// <summary>The name's part of a key.</summary>
    public static ReadOnlySpan<byte> NameOf(ReadOnlySpan<byte> key) => key[(Separator(key) + 1)..];

    private static int Separator(ReadOnlySpan<byte> key)
    {
        int separator = key.IndexOf((byte)0);
        Debug.Assert(separator > 0);
        return separator;
    }
}
