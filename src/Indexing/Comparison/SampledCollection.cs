using Jackdaw.Documents;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Sources;

namespace Jackdaw.Indexing.Comparison;

/// <summary>The newest documents of a collection, as they were when the sample was taken. What is written later does not belong to it.</summary>
/// <param name="collection">As in <see cref="CollectionSource"/>.</param>
/// <param name="before">The documents have higher etags.</param>
/// <param name="last">No document has a higher one.</param>
internal sealed class SampledCollection(string collection, Etag before, Etag last) : CollectionSource(collection)
{
    /// <summary>Takes a sample.</summary>
    /// <param name="wanted">The most documents.</param>
    /// <param name="ended">Ends the walk over them.</param>
    public static SampledCollection Take(DocumentReadScope read, CollectionSource source, int wanted, CancellationToken ended)
    {
        Etag last = read.LastEtag;
        using DocumentCursor cursor = read.OpenByEtag(System.Text.Encoding.UTF8.GetBytes(source.Collection), EtagOrder.Descending, last);
        for (int taken = 0; cursor.MoveNext(); taken++)
        {
            ended.ThrowIfCancellationRequested();
            if (taken == wanted)
            {
                return new SampledCollection(source.Collection, cursor.Current.Etag, last);
            }
        }

        return new SampledCollection(source.Collection, Etag.None, last);
    }

    public override Etag LastEtag(DocumentReadScope read)
    {
        Etag newest = base.LastEtag(read);
        return newest.Value < last.Value ? newest : last;
    }

    public override SourceCursor OpenChanges(DocumentReadScope read, Etag after) =>
        new Cursor(base.OpenChanges(read, after.Value < before.Value ? before : after), last);

    private sealed class Cursor(SourceCursor changes, Etag last) : SourceCursor
    {
        public override Etag Etag => changes.Etag;

        public override ReadOnlySpan<byte> Key => changes.Key;

        public override bool IsDeletion => changes.IsDeletion;

        public override bool MoveNext() => changes.MoveNext() && changes.Etag.Value <= last.Value;

        public override bool TryGetDocument(out StoredDocument document) => changes.TryGetDocument(out document);
    }
}
