namespace Jackdaw.Search.Ordering;

/// <summary>The order of texts in which runs of digits count as numbers.</summary>
public static class NaturalOrder
{
    /// <summary>Compares two texts in UTF-8: a2 comes before a10, and of equal numbers the one with fewer leading zeros comes first.</summary>
    public static int Compare(ReadOnlySpan<byte> a, ReadOnlySpan<byte> b)
    {
        int zeros = 0;
        while (!a.IsEmpty && !b.IsEmpty)
        {
            if (!IsDigit(a[0]) || !IsDigit(b[0]))
            {
                if (a[0] != b[0])
                {
                    return a[0].CompareTo(b[0]);
                }

                a = a[1..];
                b = b[1..];
                continue;
            }

            (int lengthA, int lengthB) = (DigitsOf(a), DigitsOf(b));
            ReadOnlySpan<byte> numberA = a[..lengthA].TrimStart((byte)'0');
            ReadOnlySpan<byte> numberB = b[..lengthB].TrimStart((byte)'0');
            int order = numberA.Length != numberB.Length ? numberA.Length.CompareTo(numberB.Length) : numberA.SequenceCompareTo(numberB);
            if (order != 0)
            {
                return order;
            }

            zeros = zeros != 0 ? zeros : lengthA.CompareTo(lengthB);
            a = a[lengthA..];
            b = b[lengthB..];
        }

        int rest = a.Length.CompareTo(b.Length);
        return rest != 0 ? rest : zeros;
    }

    private static bool IsDigit(byte c) => c is >= (byte)'0' and <= (byte)'9';

    private static int DigitsOf(ReadOnlySpan<byte> text)
    {
        int end = text.IndexOfAnyExceptInRange((byte)'0', (byte)'9');
        return end < 0 ? text.Length : end;
    }
}
