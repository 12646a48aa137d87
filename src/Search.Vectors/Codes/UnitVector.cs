namespace Jackdaw.Search.Vectors.Codes;

/// <summary>Vectors of length 1, whose products are cosines.</summary>
internal static class UnitVector
{
    /// <summary>Writes the direction of a vector. The length is computed in double, in which the square of no float overflows.</summary>
    /// <param name="given">Finite numbers, not all 0.</param>
    /// <param name="unit">As long as the given one.</param>
    public static void Write(ReadOnlySpan<float> given, Span<float> unit)
    {
        double sum = 0;
        foreach (float number in given)
        {
            sum += (double)number * number;
        }

        double length = Math.Sqrt(sum);
        for (int i = 0; i < given.Length; i++)
        {
            unit[i] = (float)(given[i] / length) + 0f; // not -0, so that equal vectors have equal bytes
        }
    }
}
