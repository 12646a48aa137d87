using System.Runtime.InteropServices;
using System.Text;

namespace Jackdaw.Scripting.Texts;

/// <summary>Normalisation of Unicode: equal characters get equal code points. Any thread.</summary>
/// <remarks>Surrogates without their other half are kept as they are.</remarks>
internal static class UnicodeNormalization
{
    /// <summary>All characters below are as they are in NFC.</summary>
    private const char ComposedMin = '\u0300';

    // Syllables of Hangul are computed from their parts.
    private const int HangulFirst = 0xAC00;
    private const int HangulCount = 11172;
    private const int LeadFirst = 0x1100;
    private const int LeadCount = 19;
    private const int VowelFirst = 0x1161;
    private const int VowelCount = 21;
    private const int TrailFirst = 0x11A7;
    private const int TrailCount = 28;

    /// <summary>The text in a form.</summary>
    public static string Normalize(string text, NormalizationForm form)
    {
        if (IsUnchanged(text, form))
        {
            return text;
        }

        bool isCompatible = form is NormalizationForm.FormKC or NormalizationForm.FormKD;
        List<int> points = Decompose(text, isCompatible);
        if (form is NormalizationForm.FormC or NormalizationForm.FormKC)
        {
            Compose(points);
        }

        var result = new StringBuilder(points.Count);
        foreach (int point in points)
        {
            Append(result, point);
        }

        return result.Length == text.Length && result.Equals(text) ? text : result.ToString();
    }

    /// <summary>Code points of the decomposed text, which is the longest form: up to 18 times the characters of the text.</summary>
    public static long LengthOf(string text, NormalizationForm form)
    {
        if (IsUnchanged(text, form))
        {
            return text.Length;
        }

        long length = 0;
        bool isCompatible = form is NormalizationForm.FormKC or NormalizationForm.FormKD;
        var parts = new List<int>();
        for (int i = 0; i < text.Length;)
        {
            parts.Clear();
            AddParts(parts, PointAt(text, ref i), isCompatible);
            length += parts.Count;
        }

        return length;
    }

    /// <summary>The code points of the canonical decomposition.</summary>
    internal static List<int> Decompose(string text, bool isCompatible = false)
    {
        var points = new List<int>(text.Length);
        for (int i = 0; i < text.Length;)
        {
            AddParts(points, PointAt(text, ref i), isCompatible);
        }

        OrderMarks(CollectionsMarshal.AsSpan(points));
        return points;
    }

    private static bool IsUnchanged(string text, NormalizationForm form) => form == NormalizationForm.FormC
        ? !text.AsSpan().ContainsAnyExceptInRange('\0', (char)(ComposedMin - 1))
        : Ascii.IsValid(text);

    private static int PointAt(string text, ref int index)
    {
        char first = text[index++];
        return char.IsHighSurrogate(first) && index < text.Length && char.IsLowSurrogate(text[index])
            ? char.ConvertToUtf32(first, text[index++])
            : first;
    }

    private static void Append(StringBuilder text, int point)
    {
        if (point < 0x10000)
        {
            text.Append((char)point);
        }
        else
        {
            text.Append((char)(0xD800 + ((point - 0x10000) >> 10))).Append((char)(0xDC00 + (point & 0x3FF)));
        }
    }

    private static void AddParts(List<int> points, int point, bool isCompatible)
    {
        if (point < 0x80)
        {
            points.Add(point);
        }
        else if (point - HangulFirst is >= 0 and < HangulCount and int syllable)
        {
            points.Add(LeadFirst + (syllable / (VowelCount * TrailCount)));
            points.Add(VowelFirst + (syllable % (VowelCount * TrailCount) / TrailCount));
            if (syllable % TrailCount is > 0 and int trail)
            {
                points.Add(TrailFirst + trail);
            }
        }
        else if (UnicodeTables.Instance.Canonical.TryGetValue(point, out int[]? parts))
        {
            foreach (int part in parts)
            {
                AddCompatible(points, part, isCompatible);
            }
        }
        else
        {
            AddCompatible(points, point, isCompatible);
        }
    }

    private static void AddCompatible(List<int> points, int point, bool isCompatible)
    {
        if (isCompatible && UnicodeTables.Instance.Compatible.TryGetValue(point, out int[]? parts))
        {
            points.AddRange(parts);
        }
        else
        {
            points.Add(point);
        }
    }

    private static byte ClassOf(int point) => point < ComposedMin ? (byte)0 : UnicodeTables.Instance.Classes.GetValueOrDefault(point);

    // Marks that follow one another are ordered by their classes; those of one class keep their order.
    private static void OrderMarks(Span<int> points)
    {
        for (int start = 0; start < points.Length; start++)
        {
            if (ClassOf(points[start]) == 0)
            {
                continue;
            }

            int end = start + 1;
            bool isOrdered = true;
            for (byte last = ClassOf(points[start]); end < points.Length && ClassOf(points[end]) is > 0 and byte next; end++)
            {
                isOrdered &= last <= next;
                last = next;
            }

            if (!isOrdered)
            {
                int[] ordered = [.. points[start..end].ToArray().OrderBy(ClassOf)];
                ordered.CopyTo(points[start..]);
            }

            start = end;
        }
    }

    private static void Compose(List<int> points)
    {
        int written = 0;
        int starter = -1;
        byte lastClass = 0;
        for (int read = 0; read < points.Count; read++)
        {
            int point = points[read];
            byte ownClass = ClassOf(point);

            // A mark is blocked by one of the same class, or by a character without a class, between it and the letter.
            bool isNear = starter >= 0 && (written == starter + 1 || (lastClass != 0 && lastClass < ownClass));
            if (isNear && TryCompose(points[starter], point, out int composed))
            {
                points[starter] = composed;
                continue;
            }

            (starter, lastClass) = ownClass == 0 ? (written, (byte)0) : (starter, ownClass);
            points[written++] = point;
        }

        points.RemoveRange(written, points.Count - written);
    }

    private static bool TryCompose(int first, int second, out int composed)
    {
        int lead = first - LeadFirst;
        int vowel = second - VowelFirst;
        if (lead is >= 0 and < LeadCount && vowel is >= 0 and < VowelCount)
        {
            composed = HangulFirst + (((lead * VowelCount) + vowel) * TrailCount);
            return true;
        }

        int syllable = first - HangulFirst;
        int trail = second - TrailFirst;
        if (syllable is >= 0 and < HangulCount && syllable % TrailCount == 0 && trail is > 0 and < TrailCount)
        {
            composed = first + trail;
            return true;
        }

        return UnicodeTables.Instance.Composed.TryGetValue(UnicodeTables.Pair(first, second), out composed);
    }
}
