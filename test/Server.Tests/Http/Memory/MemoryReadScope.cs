using System.Text;
using Jackdaw.Server.Documents;

namespace Jackdaw.Server.Tests.Http.Memory;

internal sealed class MemoryReadScope(MemorySnapshot snapshot) : DocumentReadScope
{
    public override Etag LastEtag => snapshot.LastEtag;

    public override DocumentCounts Counts => new(snapshot.ByKey.Count, snapshot.Tombstones, snapshot.Identities.Count);

    public override bool TryGet(ReadOnlySpan<byte> key, out StoredDocument document)
    {
        bool found = snapshot.ByKey.TryGetValue(MemorySnapshot.KeyText(key), out MemoryDocument? stored);
        document = found ? stored!.ToStored() : default;
        return found;
    }

    public override DocumentCursor OpenByIdPrefix(ReadOnlySpan<byte> prefix, ReadOnlySpan<byte> after)
    {
        string first = MemorySnapshot.KeyText(prefix);
        string behind = MemorySnapshot.KeyText(after);
        return new MemoryCursor(snapshot.ByKey
            .Where(entry => entry.Key.StartsWith(first, StringComparison.Ordinal)
                && (behind.Length == 0 || string.CompareOrdinal(entry.Key, behind) > 0))
            .Select(entry => entry.Value));
    }

    public override DocumentCursor OpenByEtag(ReadOnlySpan<byte> collection, EtagOrder order, Etag start)
    {
        string wanted = Encoding.UTF8.GetString(collection);
        IEnumerable<MemoryDocument> documents = snapshot.ByKey.Values.Where(document => wanted.Length == 0
            || wanted.Equals(Encoding.UTF8.GetString(document.Collection), StringComparison.OrdinalIgnoreCase));
        return new MemoryCursor(order == EtagOrder.Ascending
            ? documents.Where(document => document.Etag.Value >= start.Value).OrderBy(document => document.Etag)
            : documents.Where(document => document.Etag.Value <= start.Value).OrderByDescending(
                document => document.Etag));
    }

    public override IReadOnlyList<CollectionCount> GetCollections() =>
        [.. snapshot.ByKey.Values
            .GroupBy(document => Encoding.UTF8.GetString(document.Collection), StringComparer.OrdinalIgnoreCase)
            .OrderBy(group => group.Key, StringComparer.OrdinalIgnoreCase)
            .Select(group => new CollectionCount(
                group.Key, group.Count(), group.Sum(document => document.Body.LongLength), 0))];

    public override IReadOnlyList<KeyValuePair<string, long>> GetIdentities(int start, int count) =>
        [.. snapshot.Identities.Skip(start).Take(count)];

    private sealed class MemoryCursor(IEnumerable<MemoryDocument> documents) : DocumentCursor
    {
        private readonly IEnumerator<MemoryDocument> _documents = documents.GetEnumerator();

        public override StoredDocument Current => _documents.Current.ToStored();

        public override bool MoveNext() => _documents.MoveNext();

        protected override void Dispose(bool disposing)
        {
            _documents.Dispose();
            base.Dispose(disposing);
        }
    }
}
