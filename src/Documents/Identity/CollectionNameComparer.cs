using System.Text;

namespace Jackdaw.Documents.Identity;

/// <summary>Compares names of collections without case, as the keys of collections do: by the lower case of each character.</summary>
/// <remarks>Comparing upper cases, as the comparers of .NET do, gives other answers for characters such as U+1E9E or U+212A, whose lower case has
/// another upper case.</remarks>
internal sealed class CollectionNameComparer : IEqualityComparer<string>
{
    public static CollectionNameComparer Instance { get; } = new();

    private CollectionNameComparer()
    {
    }

    /// <summary>The name in the form in which it is compared and stored.</summary>
    public static string KeyOf(string name) => name.ToLowerInvariant();

    /// <summary>Whether two names are those of one collection.</summary>
    public static bool AreSame(string? left, string? right) =>
        ReferenceEquals(left, right) || (left is not null && right is not null
            && (Ascii.EqualsIgnoreCase(left, right)
                || (!(Ascii.IsValid(left) && Ascii.IsValid(right)) && KeyOf(left).Equals(KeyOf(right), StringComparison.Ordinal))));

    /// <summary>Whether two names in UTF-8 are those of one collection. Allocates only beyond ASCII.</summary>
    public static bool AreSame(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right) =>
        left.SequenceEqual(right) || Ascii.EqualsIgnoreCase(left, right)
        || (!(Ascii.IsValid(left) && Ascii.IsValid(right)) && AreSame(Encoding.UTF8.GetString(left), Encoding.UTF8.GetString(right)));

    public bool Equals(string? x, string? y) => AreSame(x, y);

    public int GetHashCode(string obj) => KeyOf(obj).GetHashCode(StringComparison.Ordinal);
}
