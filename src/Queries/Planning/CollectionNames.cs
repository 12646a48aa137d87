using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Rows;
using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Planning;

/// <summary>Finds collections by their names, in any casing.</summary>
internal static class CollectionNames
{
    /// <summary>A collection as it is stored; null when it has no documents.</summary>
    public static CollectionCount? Find(DocumentReadScope read, string name) => read.FindCollection(Encoding.UTF8.GetBytes(name));

    /// <summary>The name that clients get in place of the name of an index.</summary>
    public static string NameOf(QueryPlan plan, CollectionCount? collection) => NameOf(plan.Syntax.From, collection);

    /// <inheritdoc cref="NameOf(QueryPlan, CollectionCount?)"/>
    public static string NameOf(FromClause from, CollectionCount? collection) =>
        from.IsAllDocuments ? "AllDocs" : $"collection/{collection?.Name ?? from.Source}";

    /// <summary>The number of documents that the query looks at when it looks at a whole collection.</summary>
    public static long StoredCount(DocumentReadScope read, QueryPlan plan, CollectionCount? collection) =>
        plan.Collection.Length == 0 ? read.Counts.Documents : collection?.Documents ?? 0;
}
