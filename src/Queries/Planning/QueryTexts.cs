using System.Collections.Concurrent;

namespace Jackdaw.Queries.Planning;

/// <summary>Queries that were read lately, by their texts. Any thread, without locks.</summary>
/// <remarks>Two generations: when the young one is full it becomes the old one, and what is asked for again is taken over. So a text that
/// is in use stays, and one that came once goes.</remarks>
internal sealed class QueryTexts
{
    /// <summary>Texts of a generation: programs have some hundred different ones, with parameters for what varies.</summary>
    public const int GenerationMax = 512;

    /// <summary>Longest text that is kept, in characters: those that programs write are shorter. Trees take about 40 bytes for a
    /// character, so that both generations together stay below 80 MB, and are below 5 MB with usual texts.</summary>
    public const int TextLengthMax = 2048;

    private volatile ConcurrentDictionary<string, QueryText> _young = new(StringComparer.Ordinal);
    private volatile ConcurrentDictionary<string, QueryText> _old = new(StringComparer.Ordinal);
    private int _count; // of the young generation, about: those who add at the same moment may pass the bound by one each

    /// <param name="parse">Throws for what is no query; that is not kept.</param>
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

    /// <summary>Texts that are kept.</summary>
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
