using System.Text;
using Jackdaw.Server.Documents;

namespace Jackdaw.Server.Queries.Execution;

/// <summary>Collections by name, whose casing does not count.</summary>
internal static class CollectionNames
{
    public static bool AreEqual(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right) =>
        Ascii.EqualsIgnoreCase(left, right) || (!(Ascii.IsValid(left) && Ascii.IsValid(right)) && string.Equals(
            Encoding.UTF8.GetString(left), Encoding.UTF8.GetString(right), StringComparison.OrdinalIgnoreCase));

    /// <summary>A collection as it is stored; null when it has no documents.</summary>
    public static CollectionCount? Find(DocumentReadScope read, string name)
    {
        foreach (CollectionCount collection in read.GetCollections())
        {
            if (collection.Name.Equals(name, StringComparison.OrdinalIgnoreCase))
            {
                return collection;
            }
        }

        return null;
    }
}
