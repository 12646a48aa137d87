using System.Collections.Concurrent;

namespace Jackdaw.Queries.Planning;

/// <summary>The texts that were read lately, by the texts themselves. Any thread, without locks.</summary>
/// <remarks>There are two generations. When the young one is full it becomes the old one, and a text of the old one that is asked for again
/// moves to the young one. So a text that is in use stays, and a text that came once goes.</remarks>
internal sealed class QueryTexts
{
    /// <summary>The most texts of a generation. Programs have some hundred different texts and put what varies into parameters.</summary>
    public const int GenerationMax = 512;

    /// <summary>The longest text that is cached, in characters; the texts of programs are shorter. Trees take about 40 bytes for each
    /// character, so that both generations together take less than 80 MB, and less than 5 MB with usual texts.</summary>
    public const int TextLengthMax = 2048;

    private volatile ConcurrentDictionary<string, QueryText> _young = new(StringComparer.Ordinal);
    private volatile ConcurrentDictionary<string, QueryText> _old = new(StringComparer.Ordinal);
    private int _count; // the size of the young generation; threads that add at the same moment may pass the bound by one each.

    /// <param name="parse">Throws for a text that is not a query; such a text is not cached.</param>
    public QueryText GetOrAdd(string text, Func<string, QueryText> parse)
    {
        if (_young.TryGetValue(text, out QueryText? known))
        {
            return known;
        }

        QueryText query = _old.TryGetValue(text, out QueryText? old) ? old : parse(text);
        if (text.Length <= TextLengthMax)
        {
            Add(text, query);
        }

        return query;
    }

    /// <summary>The number of cached texts.</summary>
    public int Count => _young.Count + _old.Count;

    private void Add(string text, QueryText query)
    {
        if (Interlocked.Increment(ref _count) > GenerationMax)
        {
            Interlocked.Exchange(ref _count, 1);
            _old = _young;
            _young = new ConcurrentDictionary<string, QueryText>(StringComparer.Ordinal);
        }

        _young[text] = query;
    }
}
