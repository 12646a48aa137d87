namespace Jackdaw.Search.Segments.Writing;

/// <summary>Numbers of tokens in a byte: exact up to 40, then in steps of at most an eighth.</summary>
internal static class TokenCounts
{
    /// <summary>The codes.</summary>
    public const int Codes = byte.MaxValue + 1;

    private const int ExactMax = 40;
    private const int StepsPerDouble = 8;

    private static readonly int[] s_counts = MakeCounts();

    /// <summary>The number that a code stands for.</summary>
    public static int Decode(long code) => s_counts[code];

    /// <summary>The code of a number: that of the largest one that is not above it.</summary>
    public static long Encode(long count)
    {
        if (count <= ExactMax)
        {
            return count;
        }

        int index = Array.BinarySearch(s_counts, (int)Math.Min(count, int.MaxValue));
        return index >= 0 ? index : ~index - 1;
    }

    /// <summary>Replaces numbers by their codes.</summary>
    /// <param name="sum">The sum of the numbers.</param>
    public static Span<long> Encode(Span<long> counts, out long sum)
    {
        sum = 0;
        foreach (ref long count in counts)
        {
            sum += count;
            count = Encode(count);
        }

        return counts;
    }

    private static int[] MakeCounts()
    {
        int[] counts = new int[Codes];
        double next = ExactMax;
        for (int code = 0; code < counts.Length; code++)
        {
            next = code > ExactMax ? Math.Max(next + 1, next * (1 + (1.0 / StepsPerDouble))) : code;
            counts[code] = (int)Math.Min(next, int.MaxValue - Codes + code);
        }

        return counts;
    }
}
