using System.Text;
using Jackdaw.Documents.Reading;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Revisions.Walks;

/// <summary>The bytes of the revisions of each collection. They are added up when somebody asks, because nobody else needs them and each write of a revision
/// would pay for a sum that is kept.</summary>
internal static class RevisionSizes
{
    /// <summary>Reads all revisions that are not purged.</summary>
    /// <returns>Bytes of their rows by the name of the collection in lower case; a collection without revisions is absent.</returns>
    public static IReadOnlyDictionary<string, long> Read(RenewedRead read)
    {
        Dictionary<string, long> sizes = new(StringComparer.Ordinal);
        long next = 0;
        while (Step(read, sizes, ref next))
        {
            read.Renew();
        }

        return sizes;
    }

    // One snapshot. Returns whether there are more.
    private static bool Step(RenewedRead read, Dictionary<string, long> sizes, ref long next)
    {
        TableNumberCursor cursor = RevisionTable.Open(read.Scope.Transaction).OpenNumbers(RevisionTable.ByEtag);
        var trees = new RevisionTrees(read.Scope.Transaction.Trees);
        for (bool on = cursor.Seek(next); on; on = cursor.MoveNext())
        {
            var revision = new RevisionRow(cursor.Row);
            if (!trees.IsPurged(revision.DocumentKey, revision.Etag))
            {
                string collection = Encoding.UTF8.GetString(revision.CollectionKey);
                sizes[collection] = sizes.GetValueOrDefault(collection) + revision.Row.Bytes.Length;
            }

            next = cursor.Number + 1;
            if (read.IsSpentAfter(0))
            {
                return true;
            }
        }

        return false;
    }
}
