using System.Diagnostics;
using Jackdaw.Documents.Extensions;
using Jackdaw.Json;

namespace Jackdaw.Documents.Parsing;

/// <summary>The names of the members of @metadata that the server owns.</summary>
internal static class MetadataNames
{
    /// <summary>The longest text that can mean one of these names: each of its characters as a \u escape.</summary>
    private const int TextBytesMax = DocumentExtension.MetadataNameBytesMax * JsonText.EscapedByteMax;

    public static ReadOnlySpan<byte> Metadata => "@metadata"u8;

    /// <summary>Whether the text of a name means <c>@metadata</c>.</summary>
    public static bool IsMetadata(ReadOnlySpan<byte> text, StringTraits traits)
        => traits == StringTraits.None ? text.SequenceEqual(Metadata) : IsMetadataEscaped(text);

    /// <summary>Finds out the kind of a name, given by its text.</summary>
    /// <param name="extensions">Their names are the server's, too.</param>
    public static MetadataMember Classify(ReadOnlySpan<byte> text, StringTraits traits, DocumentExtensions extensions)
    {
        if (traits == StringTraits.None)
        {
            return Classify(text, extensions);
        }
        if (text.Length > TextBytesMax)
        {
            return MetadataMember.Opaque;
        }
        Span<byte> name = stackalloc byte[TextBytesMax];
        return Classify(name[..JsonText.Unescape(text, name)], extensions);
    }

    private static MetadataMember Classify(ReadOnlySpan<byte> name, DocumentExtensions extensions)
    {
        if (name.Length < 3 || name[0] != '@')
        {
            return MetadataMember.Opaque;
        }
        bool isReserved = name.Length switch
        {
            3 => name.SequenceEqual("@id"u8),
            6 => name.SequenceEqual("@flags"u8),
            8 => name.SequenceEqual("@spatial"u8),
            11 => name.SequenceEqual("@projection"u8),
            12 => name.SequenceEqual("@index-score"u8),
            14 => name.SequenceEqual("@change-vector"u8) || name.SequenceEqual("@last-modified"u8),
            _ => false,
        };
        if (isReserved)
        {
            return MetadataMember.Reserved;
        }
        return name.Length switch
        {
            8 when name.SequenceEqual("@expires"u8) => MetadataMember.Expires,
            8 when name.SequenceEqual("@refresh"u8) => MetadataMember.Refresh,
            9 when name.SequenceEqual("@archived"u8) => MetadataMember.Archived,
            11 when name.SequenceEqual("@archive-at"u8) => MetadataMember.ArchiveAt,
            11 when name.SequenceEqual("@collection"u8) => MetadataMember.Collection,
            _ => extensions.IsMetadataName(name) ? MetadataMember.Reserved : MetadataMember.Opaque,
        };
    }

    private static bool IsMetadataEscaped(ReadOnlySpan<byte> text)
    {
        if (text.Length > TextBytesMax)
        {
            return false;
        }
        Span<byte> name = stackalloc byte[TextBytesMax];
        int length = JsonText.Unescape(text, name);
        Debug.Assert(length <= text.Length);
        return name[..length].SequenceEqual(Metadata);
    }
}

/// <summary>How the server treats a member of a sent @metadata.</summary>
internal enum MetadataMember
{
    /// <summary>A member of the user, which is stored as it was sent.</summary>
    Opaque,

    /// <summary>The collection.</summary>
    Collection,

    /// <summary>When the document is deleted. This member and the next three are stored as they were sent, and read.</summary>
    Expires,

    /// <summary>When the document is stored again.</summary>
    Refresh,

    /// <summary>When the document is archived.</summary>
    ArchiveAt,

    /// <summary>Whether the document is archived.</summary>
    Archived,

    /// <summary>A member that the server adds to answers, and that a client sent back. It is not stored, and reads add it again.</summary>
    Reserved,
}
