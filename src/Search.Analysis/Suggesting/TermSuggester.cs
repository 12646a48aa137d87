using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;

namespace Jackdaw.Search.Analysis.Suggesting;

/// <summary>Finds terms that are similar to others by comparing these with those terms of a field that have a part in common with them.</summary>
public static class TermSuggester
{
    /// <summary>Longer terms are not suggested.</summary>
    private const int LengthMax = TermDistance.LengthMax;

    /// <summary>The most terms that are similar enough, before the best of them are taken: some 10 MB.</summary>
    private const int FoundMax = 100_000;

    /// <summary>The best terms, without those that were asked for.</summary>
    /// <param name="fields">The settings of the fields of the index.</param>
    /// <param name="terms">All terms of the field of the request.</param>
    /// <exception cref="InvalidSearchException">A term that was asked for is too long, or too many terms are similar to it.</exception>
    public static IReadOnlyList<string> Find(
        SuggestionRequest request, IndexFields fields, IEnumerable<TermCount> terms, CancellationToken cancellation)
    {
        TextAnalyzer analyzer = TextAnalyzers.Of(fields.Find(request.Field));
        string[] asked = [.. request.Terms.Select(analyzer.Normalize)];
        Searched[] searched = [.. asked.Select(term => new Searched(TermDistance.ToCharacters(term)))];
        if (Array.Exists(searched, term => term.Characters.Length > LengthMax))
        {
            throw new InvalidSearchException($"A term for which others are suggested has at most {LengthMax} characters.");
        }

        var known = asked.ToHashSet(StringComparer.Ordinal);
        List<(string Term, long Entries, double Similarity)> found = [];
        foreach (TermCount term in terms)
        {
            cancellation.ThrowIfCancellationRequested();
            if (known.Contains(term.Term) || term.Term.Length is 0 or > 2 * LengthMax)
            {
                continue;
            }

            int[] characters = TermDistance.ToCharacters(term.Term);
            double similarity = searched.Max(one => one.Parts.AreIn(characters) ? Similarity(request.Measure, one.Characters, characters) : 0);
            if (similarity > request.Accuracy)
            {
                found.Add((term.Term, term.Entries, similarity));
                if (found.Count > FoundMax)
                {
                    throw new InvalidSearchException(
                        $"More than {FoundMax} terms of '{request.Field}' are similar enough to be suggested: ask for a higher accuracy.");
                }
            }
        }

        IOrderedEnumerable<(string Term, long Entries, double Similarity)> order = request.IsByPopularity
            ? found.OrderByDescending(term => term.Entries).ThenByDescending(term => term.Similarity)
            : found.OrderByDescending(term => term.Similarity);
        return [.. order.ThenBy(term => term.Term, StringComparer.Ordinal).Take(request.Count).Select(term => term.Term)];
    }

    private static double Similarity(SimilarityMeasure measure, int[] a, int[] b) => measure switch
    {
        SimilarityMeasure.JaroWinkler => JaroWinkler(a, b),
        SimilarityMeasure.NGram => Pairs(a, b),
        _ => 1 - ((double)EditDistance.Compute<int>(a, b) / Math.Max(1, Math.Max(a.Length, b.Length))),
    };

    private static double JaroWinkler(int[] a, int[] b)
    {
        int reach = Math.Max(0, (Math.Max(a.Length, b.Length) / 2) - 1);
        bool[] taken = new bool[b.Length];
        List<int> inA = [];
        for (int i = 0; i < a.Length; i++)
        {
            for (int j = Math.Max(0, i - reach); j < Math.Min(b.Length, i + reach + 1); j++)
            {
                if (!taken[j] && a[i] == b[j])
                {
                    taken[j] = true;
                    inA.Add(a[i]);
                    break;
                }
            }
        }

        if (inA.Count == 0)
        {
            return 0;
        }

        int moved = b.Where((_, j) => taken[j]).Zip(inA).Count(pair => pair.First != pair.Second);
        double common = inA.Count;
        double jaro = ((common / a.Length) + (common / b.Length) + ((common - (moved / 2)) / common)) / 3;
        int start = 0;
        while (start < Math.Min(4, Math.Min(a.Length, b.Length)) && a[start] == b[start])
        {
            start++;
        }

        return jaro + (start * 0.1 * (1 - jaro));
    }

    // Dice's measure over pairs of characters, where each pair counts as often as it occurs.
    private static double Pairs(int[] a, int[] b)
    {
        if (a.Length < 2 || b.Length < 2)
        {
            return a.AsSpan().SequenceEqual(b) ? 1 : 0;
        }

        var rest = a.Zip(a.Skip(1)).GroupBy(pair => pair).ToDictionary(group => group.Key, group => group.Count());
        int common = b.Zip(b.Skip(1)).Count(pair => rest.TryGetValue(pair, out int left) && left > 0 && --rest[pair] >= 0);
        return 2.0 * common / (a.Length + b.Length - 2);
    }

    private readonly record struct Searched(int[] Characters)
    {
        public WordParts Parts { get; } = new(Characters);
    }
}
