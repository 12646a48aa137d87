using System.Text;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Documents.Identity;

/// <summary>Makes keys of ids that a caller gave.</summary>
internal static class DocumentKey
{
    /// <summary>Makes the key of one id. Allocates nothing.</summary>
    /// <param name="id">UTF-8.</param>
    /// <param name="key">At least <see cref="DocumentIds.KeyBytesMax"/> bytes.</param>
    /// <returns>Bytes of the key; 0 for an empty id.</returns>
    /// <exception cref="RefusedException">The text cannot be an id.</exception>
    public static int Make(ReadOnlySpan<byte> id, Span<byte> key)
    {
        DocumentIdFault fault = DocumentIds.TryMakeKey(id, key, out int length);
        return fault is DocumentIdFault.None or DocumentIdFault.Empty ? length : throw Refuse(fault);
    }

    /// <summary>The key of a text; empty for null and empty.</summary>
    /// <exception cref="RefusedException">The text cannot be an id.</exception>
    public static byte[] Make(string? text) => string.IsNullOrEmpty(text) ? [] : Make(Encoding.UTF8.GetBytes(text));

    /// <summary>The key of an id in UTF-8.</summary>
    /// <exception cref="RefusedException">The text cannot be an id.</exception>
    public static byte[] Make(ReadOnlySpan<byte> id)
    {
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        return key[..Make(id, key)].ToArray();
    }

    /// <summary>Makes an id for a document that comes without one. The id is its own key.</summary>
    public static byte[] NewGuid() => Encoding.ASCII.GetBytes(Guid.NewGuid().ToString());

    /// <summary>The exception for a text that cannot be an id.</summary>
    public static RefusedException Refuse(DocumentIdFault fault) => new(RefusalKind.InvalidArgument, DocumentIds.Describe(fault));
}
