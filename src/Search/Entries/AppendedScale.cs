namespace Jackdaw.Search.Entries;

/// <summary>The scale that helpers of clients append when they make whole numbers of floats: the greatest of the floats without its sign, in 4 bytes. It does
/// not belong to the vector, which is compared by its direction.</summary>
/// <remarks>
/// 1. Nothing in a vector says that it has a scale. Where the dimensions of a field are set, a vector with four numbers more has one.
/// 2. Elsewhere it has one if it looks so: the others reach to 127, as the helpers make them, and the last four are a float of a usual size. A vector without
/// a scale may look so by accident. So the four numbers become 0 and stay: the length is right either way.
/// </remarks>
internal static class AppendedScale
{
    /// <summary>The numbers that are appended.</summary>
    public const int Bytes = sizeof(float);

    /// <summary>What helpers make of the greatest number, if they round it or cut it off.</summary>
    private const float GreatestMin = 126;

    /// <summary>Numbers of embeddings are far below this, and the greatest of them is far above the reciprocal.</summary>
    private const float Usual = 65_536;

    /// <summary>The vector without its scale.</summary>
    /// <param name="numbers">Whole numbers from -128 to 127. They may be changed.</param>
    /// <param name="dimensions">Those that are set for the field; null for none.</param>
    public static float[] Remove(float[] numbers, int? dimensions)
    {
        int own = numbers.Length - Bytes;
        if (own <= 0 || numbers.Length == dimensions || !IsScale(numbers.AsSpan(own)))
        {
            return numbers;
        }

        bool isScaled = dimensions is null && IsScaled(numbers.AsSpan(0, own));
        if (own == dimensions || (isScaled && numbers.Length > Embedding.DimensionsMax))
        {
            return numbers[..own];
        }

        if (isScaled)
        {
            numbers.AsSpan(own).Clear();
        }

        return numbers;
    }

    private static bool IsScaled(ReadOnlySpan<float> numbers)
    {
        float greatest = 0;
        foreach (float number in numbers)
        {
            greatest = Math.Max(greatest, Math.Abs(number));
        }

        return greatest is >= GreatestMin and < sbyte.MaxValue + 1;
    }

    private static bool IsScale(ReadOnlySpan<float> bytes)
    {
        int bits = 0;
        for (int i = Bytes - 1; i >= 0; i--)
        {
            bits = (bits << 8) | (byte)(sbyte)bytes[i];
        }

        return BitConverter.Int32BitsToSingle(bits) is >= 1 / Usual and < Usual;
    }
}
