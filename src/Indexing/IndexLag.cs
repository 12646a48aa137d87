using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Storage;
using Jackdaw.Indexing.Building;

namespace Jackdaw.Indexing;

/// <summary>How much of one collection an index has still to read, in one snapshot.</summary>
/// <param name="Collection">As documents name it; @all_docs for all.</param>
/// <param name="Read">Etag of the last change that it has read.</param>
/// <param name="Last">Etag of the last change there is.</param>
/// <param name="Documents">Documents that it has still to read; above <see cref="CountedMax"/> an upper bound.</param>
/// <param name="Tombstones">Likewise.</param>
/// <param name="TotalDocuments">Documents of the collection.</param>
internal sealed record IndexLag(string Collection, Etag Read, Etag Last, long Documents, long Tombstones, long TotalDocuments)
{
    /// <summary>Changes that are counted one by one: some ten milliseconds. Beyond, the distance of etags bounds the number.</summary>
    private const int CountedMax = 20_000;

    /// <summary>The lags of an index in each of its collections.</summary>
    public static List<IndexLag> Of(StoredReadScope read, IndexBuilder builder)
    {
        IReadOnlyList<string> collections = builder.Collections.Count == 0 ? [""] : builder.Collections;
        return [.. collections.Select(name => Of(read, name, builder.Progress.Of(name)))];
    }

    private static IndexLag Of(StoredReadScope read, string collection, Etag reached)
    {
        byte[] key = Encoding.UTF8.GetBytes(collection);
        CollectionCount? known = read.GetCollections().Cast<CollectionCount?>()
            .FirstOrDefault(one => one!.Value.Name.Equals(collection, StringComparison.OrdinalIgnoreCase));
        long total = collection.Length == 0 ? read.Counts.Documents : known?.Documents ?? 0;
        string name = collection.Length == 0 ? "@all_docs" : known?.Name ?? collection;
        Etag last = read.LastChangeOf(key);
        (long documents, long tombstones) = last.Value <= reached.Value ? (0, 0) : Count(read, key, reached, last, total);
        return new IndexLag(name, reached, last, documents, tombstones, total);
    }

    private static (long Documents, long Tombstones) Count(StoredReadScope read, byte[] key, Etag reached, Etag last, long total)
    {
        (long documents, long tombstones) = (0, 0);
        for (ChangeCursor cursor = read.OpenChanges(key, reached); cursor.MoveNext();)
        {
            documents += cursor.IsTombstone ? 0 : 1;
            tombstones += cursor.IsTombstone ? 1 : 0;
            if (documents + tombstones == CountedMax)
            {
                return (Math.Min(total, documents + last.Value - cursor.Etag.Value), tombstones);
            }
        }

        return (documents, tombstones);
    }
}
