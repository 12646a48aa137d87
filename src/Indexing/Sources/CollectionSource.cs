using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Indexing.Sources;

/// <summary>The documents of one collection, or all documents.</summary>
/// <param name="collection">Its key, in lower case; empty: all documents.</param>
internal class CollectionSource(string collection) : IndexSource
{
    /// <summary>How many changes are counted one by one, which takes some ten milliseconds. Beyond that the distance of etags is an upper bound.</summary>
    private const int CountedMax = 20_000;

    private readonly byte[] _utf8 = Encoding.UTF8.GetBytes(collection);

    /// <summary>The beginning of its keys.</summary>
    public const string Kind = "collection";

    /// <summary>All documents.</summary>
    public static CollectionSource All { get; } = new("");

    /// <summary>In lower case; empty: all documents.</summary>
    public string Collection => collection;

    public override string Key { get; } = KeyOf(collection);

    public override string Description => collection.Length == 0 ? "documents" : $"collection '{collection}'";

    public static string KeyOf(string collection) => $"{Kind}:{collection}";

    /// <summary>The sources of some collections.</summary>
    /// <param name="names">Names in any casing; none for all documents.</param>
    public static CollectionSource[] Of(IEnumerable<string> names) =>
        names.Select(CollectionNameComparer.KeyOf).Distinct().Select(key => new CollectionSource(key)).ToArray() is { Length: > 0 } some ? some : [All];

    public override Etag LastEtag(DocumentReadScope read) => read.LastChangeOf(_utf8);

    public override bool IsConcernedBy(SourceChange change) =>
        change.Kind is ChangeKind.DocumentPut or ChangeKind.DocumentDelete or ChangeKind.DocumentMove && Has(change.Collection);

    /// <summary>Whether documents of a collection belong here.</summary>
    /// <param name="name">In any casing.</param>
    public bool Has(string name) => collection.Length == 0 ? !HiddenCollection.IsNamed(name) : CollectionNameComparer.AreSame(name, collection);

    /// <summary>Whether documents of a collection, named in UTF-8, belong here.</summary>
    public bool Has(ReadOnlySpan<byte> name) => collection.Length == 0 ? !HiddenCollection.IsNamed(name) : CollectionNameComparer.AreSame(name, _utf8);

    public override SourceCursor OpenChanges(DocumentReadScope read, Etag after) => new Cursor(read.OpenChanges(_utf8, after));

    public override SourceLag LagOf(DocumentReadScope read, Etag reached)
    {
        CollectionCount? known = read.FindCollection(_utf8);
        long total = collection.Length == 0 ? read.Counts.Documents : known?.Documents ?? 0;
        string name = collection.Length == 0 ? "@all_docs" : known?.Name ?? collection;
        Etag last = LastEtag(read);
        (long documents, long tombstones) = last.Value <= reached.Value ? (0, 0) : Count(read, reached, last, total);
        return new SourceLag(name, reached, last, documents, tombstones, total);
    }

    private (long Documents, long Tombstones) Count(DocumentReadScope read, Etag reached, Etag last, long total)
    {
        (long documents, long tombstones) = (0, 0);
        for (SourceCursor cursor = OpenChanges(read, reached); cursor.MoveNext();)
        {
            documents += cursor.IsDeletion ? 0 : 1;
            tombstones += cursor.IsDeletion ? 1 : 0;
            if (documents + tombstones == CountedMax)
            {
                return (Math.Min(total, documents + last.Value - cursor.Etag.Value), tombstones);
            }
        }

        return (documents, tombstones);
    }

    private sealed class Cursor(ChangeCursor changes) : SourceCursor
    {
        public override Etag Etag => changes.Etag;

        public override ReadOnlySpan<byte> Key => changes.Key;

        public override bool IsDeletion => changes.IsTombstone;

        public override bool MoveNext() => changes.MoveNext();

        public override bool TryGetDocument(out StoredDocument document)
        {
            document = changes.IsTombstone ? default : changes.Document;
            return !changes.IsTombstone;
        }
    }
}
