using System.IO.Hashing;
using Jackdaw.Documents;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Queries.Planning;

namespace Jackdaw.Queries.Rows;

/// <summary>The documents of a collection, or those with a prefix, in an order that looks random: by hashes of their keys with a seed. The
/// same seed gives the same order.</summary>
/// <remarks>A page holds the keys with the lowest hashes after those of the page before. Each page takes a walk over all documents, which
/// remembers keys only. No document comes twice, because its hash does not change when it is written.</remarks>
/// <param name="collection">Empty for all collections.</param>
/// <param name="prefix">The prefix of the ids; null for any.</param>
/// <param name="pageMax">The number of keys of a page.</param>
internal sealed class RandomOrder(byte[] collection, byte[]? prefix, int seed, int pageMax)
{
    /// <summary>The most keys of one page: as many as of one search of an index; some 6 MB.</summary>
    public const int PageMax = 64 * 1024;

    private static readonly Comparer<(ulong Hash, byte[] Key)> s_byHash = Comparer<(ulong Hash, byte[] Key)>.Create(Compare);

    // The highest comes out first and makes room for a lower one.
    private readonly PriorityQueue<byte[], (ulong Hash, byte[] Key)> _lowest =
        new(Comparer<(ulong Hash, byte[] Key)>.Create((left, right) => Compare(right, left)));

    private (ulong Hash, byte[] Key)? _last;
    private Etag _nextEtag = Etag.None;
    private byte[] _lastKey = [];
    private bool _isOver;

    /// <summary>The number of keys of a page for a plan: as many as the plan wants, unless a filter or repeated rows may leave some
    /// out.</summary>
    public static int PageSizeOf(QueryPlan plan)
    {
        bool isBounded = plan.Candidates.Order == CandidateOrder.ByEtag && !plan.LeavesOutRows && plan.Take < PageMax && plan.Skip < PageMax;
        return isBounded ? (int)Math.Clamp(plan.Skip + plan.Take, 1, PageMax) : PageMax;
    }

    /// <summary>A list of keys in this order.</summary>
    public static IReadOnlyList<byte[]> Shuffle(IReadOnlyList<byte[]> keys, int seed) =>
        [.. keys.Select(key => (Hash: HashOf(key, seed), Key: key)).Order(s_byHash).Select(one => one.Key)];

    /// <summary>Goes on gathering the next page.</summary>
    /// <param name="read">Its snapshot must be renewed before the next call.</param>
    /// <param name="keys">The page; empty when it needs more snapshots.</param>
    /// <returns>False when there are no more pages.</returns>
    public bool TryGather(RenewedRead read, out IReadOnlyList<byte[]> keys)
    {
        keys = [];
        if (_isOver)
        {
            return false;
        }

        using DocumentCursor cursor = prefix is null
            ? read.Scope.OpenByEtag(collection, EtagOrder.Ascending, _nextEtag)
            : read.Scope.OpenByIdPrefix(prefix, _lastKey, isNamed: collection.Length > 0);
        while (cursor.TryNext(out StoredDocument document))
        {
            Offer(document.Key);
            if (read.IsSpentAfter(0))
            {
                _nextEtag = new Etag(document.Etag.Value + 1);
                _lastKey = document.Key.ToArray();
                return true;
            }
        }

        keys = TakePage();
        return true;
    }

    private IReadOnlyList<byte[]> TakePage()
    {
        List<(ulong Hash, byte[] Key)> page = [.. _lowest.UnorderedItems.Select(item => item.Priority)];
        page.Sort(s_byHash);
        _isOver = page.Count < pageMax;
        _last = page.Count > 0 ? page[^1] : _last;
        _lowest.Clear();
        (_nextEtag, _lastKey) = (Etag.None, []);
        return [.. page.Select(one => one.Key)];
    }

    private void Offer(ReadOnlySpan<byte> key)
    {
        ulong hash = HashOf(key, seed);
        if (hash < _last?.Hash || (_lowest.Count == pageMax && hash > HighestHash()))
        {
            return;
        }

        (ulong, byte[]) one = (hash, key.ToArray());
        if (_last is { } last && Compare(one, last) <= 0)
        {
            return;
        }

        _lowest.Enqueue(one.Item2, one);
        if (_lowest.Count > pageMax)
        {
            _lowest.Dequeue();
        }
    }

    private ulong HighestHash() => _lowest.TryPeek(out _, out (ulong Hash, byte[] Key) highest) ? highest.Hash : ulong.MaxValue;

    private static ulong HashOf(ReadOnlySpan<byte> key, int seed) => XxHash3.HashToUInt64(key, seed);

    private static int Compare((ulong Hash, byte[] Key) left, (ulong Hash, byte[] Key) right) =>
        left.Hash != right.Hash ? left.Hash.CompareTo(right.Hash) : left.Key.AsSpan().SequenceCompareTo(right.Key);
}
