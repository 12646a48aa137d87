using Jackdaw.Documents;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;

namespace Jackdaw.Server.Http.Handlers.Exports;

/// <summary>A walk over the documents of a collection, newest first, that continues in the next snapshot. Documents that are written while it runs are left
/// out.</summary>
/// <param name="collection">UTF-8; empty for all documents.</param>
/// <param name="newest">Where it begins: documents with a greater etag are left out.</param>
internal sealed class ExportWalk(byte[] collection, Etag newest)
{
    private Etag _next = newest;

    /// <summary>Visits the next documents. Returns false after the last one.</summary>
    /// <param name="visit">Returns the bytes that it wrote; negative to end the walk.</param>
    public bool Step(RenewedRead read, Func<DocumentCursor, int> visit, long bytesMax)
    {
        using DocumentCursor cursor = read.Scope.OpenByEtag(collection, EtagOrder.Descending, _next);
        long bytes = 0;
        bool isSpent;
        do
        {
            if (!cursor.MoveNext())
            {
                return false;
            }

            int written = visit(cursor);
            if (written < 0)
            {
                return false;
            }

            _next = new Etag(cursor.Current.Etag.Value - 1);
            bytes += written;
            isSpent = read.IsSpentAfter(cursor.Current.Body.Length) || bytes >= bytesMax;
        }
        while (!isSpent);
        return true;
    }
}
