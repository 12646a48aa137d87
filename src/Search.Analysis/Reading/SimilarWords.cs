using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Analysis.Reading;

/// <summary>A word of a field that is searched for.</summary>
/// <param name="Boost">The factor of its score.</param>
public readonly record struct WeightedWord(string Field, string Term, float Boost);

/// <summary>Finds the characteristic words of a source, which are frequent in the source and rare among all entries. One search, one thread.</summary>
/// <remarks>The source's words are added first, either as texts or as terms with their numbers; then the best are chosen.</remarks>
public sealed class SimilarWords(SimilarOptions options, IndexFields fields, CancellationToken cancellation)
{
    private readonly Dictionary<(string Field, string Term), int> _counts = [];
    private readonly Dictionary<string, int> _tokens = [];

    /// <summary>The texts of a source that consists of texts, with the fields for which they are meant.</summary>
    /// <param name="names">The fields of the index that could be meant when the options name none.</param>
    public static IEnumerable<KeyValuePair<string, string>> TextsOf(SimilarNode node, IEnumerable<string> names)
    {
        ILookup<string, string> byLastPart = (node.Options.Fields ?? names).Distinct()
            .ToLookup(name => name[(name.LastIndexOf('.') + 1)..], StringComparer.OrdinalIgnoreCase);
        return node.Texts.SelectMany(text => byLastPart[text.Key].Select(field => KeyValuePair.Create(field, text.Value)));
    }

    /// <summary>Counts the words of a text of the source.</summary>
    /// <exception cref="InvalidSearchException">The analyzer, which a user wrote, fails on the text.</exception>
    public void AddText(string field, string text)
    {
        foreach (TextToken token in AnalyzedText.Of(fields.Find(field), text))
        {
            int read = _tokens[field] = _tokens.GetValueOrDefault(field) + 1;
            if (read > options.TokensMax)
            {
                break;
            }

            (string, string) word = (field, token.Term);
            _counts[word] = _counts.GetValueOrDefault(word) + 1;
        }
    }

    /// <summary>Adds a term that the source has, in the form of the field's terms.</summary>
    /// <param name="count">The number of times that the source has it.</param>
    public void AddTerm(string field, string term, int count) => _counts[(field, term)] = count;

    /// <summary>The best words, in descending order.</summary>
    /// <param name="entries">The entries of the index.</param>
    /// <param name="frequencyOf">The number of entries that have a term of a field.</param>
    /// <param name="most">The most words that the engine can search for at once.</param>
    public IReadOnlyList<WeightedWord> Choose(long entries, Func<string, string, long> frequencyOf, int most)
    {
        entries = Math.Max(1, entries);
        double share = options.DocumentFrequencyPercentMax is { } percent ? (double)entries * percent / 100 : double.MaxValue;
        double frequencyMax = Math.Min(options.DocumentFrequencyMax, share);
        List<(string Field, string Term, double Score)> words = [];
        foreach (((string field, string term), int count) in _counts)
        {
            cancellation.ThrowIfCancellationRequested();
            long frequency = count >= options.TermFrequencyMin && IsWanted(term) ? frequencyOf(field, term) : 0;
            if (frequency > 0 && frequency >= options.DocumentFrequencyMin && frequency <= frequencyMax)
            {
                words.Add((field, term, count * (1 + Math.Log((double)entries / (frequency + 1)))));
            }
        }

        double best = words.Count == 0 ? 1 : words.Max(word => word.Score);
        return
        [
            .. words.OrderByDescending(word => word.Score).ThenBy(word => word.Field, StringComparer.Ordinal).ThenBy(word => word.Term, Utf8Order.Instance)
                .Take(Math.Clamp(options.QueryTermsMax, 0, most))
                .Select(word => new WeightedWord(
                    word.Field, word.Term, options.IsBoosted && best > 0 ? (float)(options.BoostFactor * word.Score / best) : 1)),
        ];
    }

    private bool IsWanted(string term) =>
        term.Length >= options.WordLengthMin && (options.WordLengthMax == 0 || term.Length <= options.WordLengthMax) && !options.StopWords.Contains(term);

    /// <summary>The order of terms in an index: that of their bytes in UTF-8, which is that of their code points.</summary>
    private sealed class Utf8Order : IComparer<string>
    {
        public static readonly Utf8Order Instance = new();

        public int Compare(string? x, string? y)
        {
            int same = x.AsSpan().CommonPrefixLength(y);
            if (same == x!.Length || same == y!.Length)
            {
                return x.Length.CompareTo(y!.Length);
            }

            // Surrogates stand for code points above all others.
            (char a, char b) = (x[same], y[same]);
            return char.IsSurrogate(a) == char.IsSurrogate(b) ? a.CompareTo(b) : char.IsSurrogate(a) ? 1 : -1;
        }
    }
}
