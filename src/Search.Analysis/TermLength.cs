using System.IO.Hashing;
using System.Text;

namespace Jackdaw.Search.Analysis;

/// <summary>Shortens terms to <see cref="TextAnalyzer.TermBytesMax"/>.</summary>
internal static class TermLength
{
    private const int LengthMax = TextAnalyzer.TermBytesMax / 3;

    private const int HashLength = 32;

    /// <summary>Whether a term may be the beginning of a longer value.</summary>
    public static bool MayBeCut(string term) =>
        term.Length is LengthMax or LengthMax - 1 && !term.AsSpan(term.Length - HashLength).ContainsAnyExcept("0123456789abcdef");

    /// <summary>The value, or its beginning and a hash of all of it, so that different values still have different terms.</summary>
    public static string Cut(string value)
    {
        if (value.Length * 3 <= TextAnalyzer.TermBytesMax || Encoding.UTF8.GetByteCount(value) <= TextAnalyzer.TermBytesMax)
        {
            return value;
        }

        string hash = XxHash128.HashToUInt128(Encoding.UTF8.GetBytes(value)).ToString("x32", null);
        int kept = LengthMax - hash.Length;
        if (char.IsHighSurrogate(value[kept - 1]))
        {
            kept--;
        }

        return string.Concat(value.AsSpan(0, kept), hash);
    }
}
