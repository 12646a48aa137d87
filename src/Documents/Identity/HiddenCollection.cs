using System.Text;

namespace Jackdaw.Documents.Identity;

/// <summary>The collection in which the Studio keeps what people save, such as queries. Lists, counts and indexes of all documents leave its documents out, as
/// they are not the application's; who names the collection or an id finds them.</summary>
internal static class HiddenCollection
{
    /// <summary>Its key.</summary>
    public static ReadOnlySpan<byte> Key => "@studio"u8;

    public static bool Is(ReadOnlySpan<byte> collectionKey) => collectionKey.SequenceEqual(Key);

    /// <param name="name">UTF-8, in any casing.</param>
    public static bool IsNamed(ReadOnlySpan<byte> name) => Ascii.EqualsIgnoreCase(name, Key);

    /// <param name="name">In any casing.</param>
    public static bool IsNamed(string name) => name.Equals("@studio", StringComparison.OrdinalIgnoreCase);
}
