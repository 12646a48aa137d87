namespace Jackdaw.Scripting.Texts;

/// <summary>The order of texts that people expect, by the Unicode Collation Algorithm with its default table: first letters count, then accents, then
/// case. Any thread.</summary>
/// <remarks>Spaces and punctuation count too and come first, then symbols, digits and letters. No language has an order of its own.</remarks>
internal static class TextOrder
{
    // Weights of code points that the table lacks are computed: ideographs come after all letters, in the order of their code points.
    private const int IdeographPrimary = 0xFB40;
    private const int RareIdeographPrimary = 0xFB80;
    private const int OtherPrimary = 0xFBC0;

    /// <summary>Below 0 when the first text comes first, 0 when both are equal, also when they differ in characters that are ignored.</summary>
    /// <param name="isByAccent">Whether accents count.</param>
    /// <param name="isByCase">Whether case counts.</param>
    public static int Compare(string first, string second, bool isByAccent = true, bool isByCase = true)
    {
        if (string.Equals(first, second, StringComparison.Ordinal))
        {
            return 0;
        }

        List<CollationElement> left = ElementsOf(first);
        List<CollationElement> right = ElementsOf(second);
        return CompareBy(left, right, static element => element.Primary) is not 0 and int primary ? primary
            : isByAccent && CompareBy(left, right, static element => element.Secondary) is not 0 and int secondary ? secondary
            : !isByCase ? 0
            : isByAccent ? CompareBy(left, right, static element => element.Tertiary)
            : CompareBy(left, right, static element => element.Primary == 0 ? 0 : element.Tertiary);
    }

    private static int CompareBy(List<CollationElement> left, List<CollationElement> right, Func<CollationElement, int> weightOf)
    {
        int l = 0;
        int r = 0;
        while (true)
        {
            int leftWeight = NextOf(left, ref l, weightOf);
            int rightWeight = NextOf(right, ref r, weightOf);
            if (leftWeight != rightWeight || leftWeight == 0)
            {
                return leftWeight.CompareTo(rightWeight);
            }
        }
    }

    // The next weight that counts; 0 at the end.
    private static int NextOf(List<CollationElement> elements, ref int index, Func<CollationElement, int> weightOf)
    {
        while (index < elements.Count)
        {
            if (weightOf(elements[index++]) is not 0 and int weight)
            {
                return weight;
            }
        }

        return 0;
    }

    private static List<CollationElement> ElementsOf(string text)
    {
        List<int> points = UnicodeNormalization.Decompose(text);
        var elements = new List<CollationElement>(points.Count);
        UnicodeTables tables = UnicodeTables.Instance;
        for (int i = 0; i < points.Count; i++)
        {
            if (tables.Contractions.TryGetValue(points[i], out List<(int[] More, CollationElement[] Elements)>? known)
                && known.Find(one => StartsAt(points, i + 1, one.More)) is { More: { } rest } found)
            {
                elements.AddRange(found.Elements);
                i += rest.Length;
            }
            else if (tables.Weights.TryGetValue(points[i], out CollationElement[]? own))
            {
                elements.AddRange(own);
            }
            else
            {
                AddComputed(elements, points[i]);
            }
        }

        return elements;
    }

    private static bool StartsAt(List<int> points, int index, int[] sought)
    {
        for (int i = 0; i < sought.Length; i++)
        {
            if (index + i >= points.Count || points[index + i] != sought[i])
            {
                return false;
            }
        }

        return true;
    }

    private static void AddComputed(List<CollationElement> elements, int point)
    {
        int first = point is >= 0x4E00 and <= 0x9FFF or >= 0xFA0E and <= 0xFA29 ? IdeographPrimary
            : point is (>= 0x3400 and <= 0x4DBF) or (>= 0x20000 and <= 0x323AF) ? RareIdeographPrimary
            : OtherPrimary;
        elements.Add(new CollationElement(first + (point >> 15), 0x20, 2));
        elements.Add(new CollationElement((point & 0x7FFF) | 0x8000, 0, 0));
    }
}
