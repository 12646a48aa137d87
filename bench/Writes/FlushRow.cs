using System.Globalization;

namespace Jackdaw.Bench.Writes;

/// <summary>What a flush looks like.</summary>
/// <param name="IsRandom">Pages anywhere in the file; else one run.</param>
/// <param name="Pages">Pages of 8 KB.</param>
internal sealed record FlushRow(bool IsRandom, int Pages)
{
    /// <summary>Reads <c>random:8192</c> or <c>sequential:128</c>.</summary>
    public static FlushRow Parse(string text)
    {
        string[] parts = text.Split(':');
        if (parts.Length == 2 && parts[0] is "random" or "sequential"
            && int.TryParse(parts[1], CultureInfo.InvariantCulture, out int pages) && pages > 0)
        {
            return new FlushRow(parts[0] == "random", pages);
        }

        throw new ArgumentException($"'{text}' is no row; write random:8192 or sequential:128.", nameof(text));
    }

    /// <summary>Page numbers of one flush, in the order a page table without order would give them.</summary>
    public long[] Choose(Random random, long filePages)
    {
        if (!IsRandom)
        {
            long first = random.NextInt64(filePages - Pages + 1);
            return [.. Enumerable.Range(0, Pages).Select(i => first + i)];
        }

        var chosen = new HashSet<long>(Pages);
        while (chosen.Count < Pages)
        {
            chosen.Add(random.NextInt64(filePages));
        }

        return [.. chosen];
    }
}
