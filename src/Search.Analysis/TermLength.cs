using System.Buffers;
using System.IO.Hashing;
using System.Text;

namespace Jackdaw.Search.Analysis;

/// <summary>Shortens terms to <see cref="TextAnalyzer.TermBytesMax"/>.</summary>
internal static class TermLength
{
    private const int HashLength = 32;

    /// <summary>Characters of the beginning that a cut term keeps.</summary>
    private const int KeptMax = (TextAnalyzer.TermBytesMax / 3) - HashLength;

    private static readonly SearchValues<char> s_hashDigits = SearchValues.Create("0123456789abcdef");

    /// <summary>Whether a term looks as if its value was cut.</summary>
    public static bool IsCut(ReadOnlySpan<char> term)
    {
        int kept = term.Length - HashLength;
        return kept is KeptMax or KeptMax - 1 && !term[kept..].ContainsAnyExcept(s_hashDigits);
    }

    /// <summary>The value, or its beginning and a hash of all of it, so that different values still have different terms.</summary>
    public static string Cut(string value)
    {
        if (value.Length * 3 <= TextAnalyzer.TermBytesMax || Encoding.UTF8.GetByteCount(value) <= TextAnalyzer.TermBytesMax)
        {
            return value;
        }

        string hash = XxHash128.HashToUInt128(Encoding.UTF8.GetBytes(value)).ToString("x32", null);
        int kept = KeptMax;
        if (char.IsHighSurrogate(value[kept - 1]))
        {
            kept--;
        }

        return string.Concat(value.AsSpan(0, kept), hash);
    }
}
