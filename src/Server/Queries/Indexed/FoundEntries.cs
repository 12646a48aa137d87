using System.Text;
using System.Text.Encodings.Web;
using Jackdaw.Search;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Server.Indexing.Building;
using Jackdaw.Server.Indexing.Mapping;
using Jackdaw.Server.Queries.Execution;
using Jackdaw.Server.Queries.Language;

namespace Jackdaw.Server.Queries.Indexed;

/// <summary>The entries of one page of a search: which documents they are of, and what they store.</summary>
/// <remarks>One thread, while the searcher is open. Whole documents come once each, however many entries of them match: entries of one that
/// is on the page already take no place of it.</remarks>
internal sealed class FoundEntries
{
    /// <summary>Bytes of stored values of one answer; they are held until it is sent.</summary>
    private const long StoredBytesMax = 256L << 20;

    private readonly Searcher _searcher;
    private readonly bool _isReduced;
    private readonly bool _isEachOnce;
    private readonly bool _wantsStored;
    private readonly HashSet<string> _seen = new(StringComparer.Ordinal);
    private readonly List<byte[]> _keys = [];
    private readonly List<SearchHit> _hits = [];
    private readonly List<StoredEntry> _stored = [];
    private long _storedBytes;

    /// <param name="isReduced">Entries are rows of groups.</param>
    public FoundEntries(Searcher searcher, QuerySyntax syntax, QueryRequest request, bool isReduced)
    {
        _searcher = searcher;
        _isReduced = isReduced;
        bool isProjected = syntax.Select is { IsStar: false };
        _isEachOnce = !isReduced && !isProjected && !request.SkipDuplicateChecking;
        _wantsStored = isReduced || (isProjected && request.ProjectionSource != ProjectionSource.Document);
    }

    public IReadOnlyList<byte[]> Keys => _keys;

    public IReadOnlyList<StoredEntry> Stored => _stored;

    /// <summary>The entries themselves, in the order of the keys.</summary>
    public IReadOnlyList<SearchHit> Hits => _hits;

    /// <summary>Entries that were left out.</summary>
    public long Skipped { get; private set; }

    /// <summary>Searches; when entries are left out, again for more, until the page is full.</summary>
    /// <returns>All entries that match.</returns>
    /// <exception cref="InvalidQueryException">The stored values are too large for one answer.</exception>
    public long Search(SearchRequest request, CancellationToken cancellation)
    {
        int looked = 0;
        for (int take = request.Take; ; take = (int)Math.Min(4L * take, int.MaxValue))
        {
            SearchResults results = _searcher.Search(request with { Take = take }, cancellation);
            for (; looked < results.Hits.Count && _keys.Count < request.Take; looked++)
            {
                Take(results.Hits[looked]);
            }

            if (_keys.Count == request.Take || results.Hits.Count < take || take == int.MaxValue)
            {
                return results.Total;
            }
        }
    }

    private void Take(SearchHit hit)
    {
        if (_isEachOnce && !_seen.Add(hit.Id))
        {
            Skipped++;
            return;
        }

        _hits.Add(hit);
        _keys.Add(_isReduced ? [] : Encoding.UTF8.GetBytes(hit.Id));
        if (_wantsStored)
        {
            StoredEntry stored = Read(_searcher.ReadStored(hit.Ordinal));
            _stored.Add(stored);
            _storedBytes += stored.SizeBytes + stored.Row.Length;
            if (_storedBytes > StoredBytesMax)
            {
                throw new InvalidQueryException(
                    $"What the index stores of the results is larger than {StoredBytesMax} bytes; ask for fewer with 'limit'.");
            }
        }
    }

    private static StoredEntry Read(IReadOnlyList<KeyValuePair<string, string>> values)
    {
        string? row = values.FirstOrDefault(value => value.Key == BatchWork.ReducedRow).Value;
        var entry = new StoredEntry { Row = row is null ? [] : Encoding.UTF8.GetBytes(row) };
        foreach (IGrouping<string, string> field in values.GroupBy(value => value.Key, value => value.Value))
        {
            if (StoredValues.TryGetField(field.Key, out string? name))
            {
                entry.Add(name, Encoding.UTF8.GetBytes(field.First()));
            }
            else if (field.Key != BatchWork.ReducedRow && !entry.TryGet(field.Key, out _))
            {
                entry.Add(field.Key, ToJson(field.First()));
            }
        }

        return entry;
    }

    private static byte[] ToJson(string text) =>
        Encoding.UTF8.GetBytes($"\"{JavaScriptEncoder.UnsafeRelaxedJsonEscaping.Encode(text)}\"");
}
