using System.Buffers;
using System.Text;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Attachments;

/// <summary>Rules for names and content types of attachments, and the keys that are made of them (<see cref="ExtensionKeys"/>).</summary>
internal static class AttachmentNames
{
    /// <summary>The longest name, in bytes of UTF-8.</summary>
    public const int NameBytesMax = DocumentIds.IdBytesMax;

    private static readonly SearchValues<char> s_inContentType = SearchValues.Create([.. Enumerable.Range(0x20, 0x5F).Select(code => (char)code)]);

    /// <summary>Makes the key of an attachment.</summary>
    /// <param name="documentKey">The id in lower case.</param>
    /// <param name="name">UTF-8.</param>
    /// <param name="key">Null when the text cannot be a name.</param>
    /// <returns>What is wrong with the name and what to do; null when the name is valid.</returns>
    public static string? TryMakeKey(ReadOnlySpan<byte> documentKey, ReadOnlySpan<byte> name, out byte[] key)
    {
        Span<byte> made = stackalloc byte[ExtensionKeys.KeyBytesMax];
        DocumentIdFault fault = ExtensionKeys.TryMake(documentKey, name, made, out int length);
        key = made[..length].ToArray();
        return fault switch
        {
            DocumentIdFault.None => null,
            DocumentIdFault.Empty => "The name of an attachment is missing or empty; name the attachment.",
            DocumentIdFault.TooLong => $"The name of an attachment is longer than {NameBytesMax} bytes of UTF-8; use a shorter one.",
            DocumentIdFault.HoldsNul => "The name of an attachment holds the character NUL (U+0000); leave it out.",
            _ => "The name of an attachment is not valid Unicode text; send it in UTF-8.",
        };
    }

    /// <summary>What is wrong with a content type, which is sent back as a header; null when it is valid.</summary>
    public static string? CheckContentType(string contentType)
    {
        if (contentType.Length > AttachmentLimits.ContentTypeBytesMax)
        {
            return $"The content type of an attachment is longer than {AttachmentLimits.ContentTypeBytesMax} characters; use a shorter one.";
        }

        int other = contentType.AsSpan().IndexOfAnyExcept(s_inContentType);
        return other < 0
            ? null
            : $"The content type of an attachment holds U+{(int)contentType[other]:X4}; use printable ASCII only, such as image/png.";
    }

    /// <summary>UTF-8 of a text from a request; half a surrogate pair becomes the replacement character.</summary>
    public static byte[] Encode(string text) => Encoding.UTF8.GetBytes(text);
}
