using System.Text;
using Jackdaw.Documents;

namespace Jackdaw.Queries.Planning;

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

    /// <summary>What clients get as the name of the index.</summary>
    public static string NameOf(QueryPlan plan, CollectionCount? collection) =>
        plan.Syntax.From.IsAllDocuments ? "AllDocs" : $"collection/{collection?.Name ?? plan.Syntax.From.Source}";

    /// <summary>Documents that the query looks at when it looks at all of a collection.</summary>
    public static long StoredCount(DocumentReadScope read, QueryPlan plan, CollectionCount? collection) =>
        plan.Collection.Length == 0 ? read.Counts.Documents : collection?.Documents ?? 0;
}
