using System.Buffers;
using System.Collections.Frozen;
using System.Text;
using Lucene.Net.Analysis.Core;

namespace Jackdaw.Search.Analysis;

/// <summary>The words of texts for which the standard analyzer has no special rule. It gives the same tokens as that analyzer, without its cost.</summary>
/// <remarks>
/// The analyzer's special rules are for host names, addresses, abbreviations, numbers, names of companies and apostrophes. Each of them needs one of a few
/// characters directly between two letters or digits. In a text of ASCII without these, words are the runs of letters and digits.
/// </remarks>
internal static class PlainWords
{
    /// <summary>The longest word; the analyzer leaves out longer ones.</summary>
    private const int LengthMax = 255;

    private static readonly SearchValues<char> s_word = SearchValues.Create("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    private static readonly SearchValues<char> s_joining = SearchValues.Create("'&@._-/,");
    private static readonly FrozenSet<string> s_stopWords = StopAnalyzer.ENGLISH_STOP_WORDS_SET.ToFrozenSet(StringComparer.Ordinal);
    private static readonly FrozenSet<string>.AlternateLookup<ReadOnlySpan<char>> s_isStopWord = s_stopWords.GetAlternateLookup<ReadOnlySpan<char>>();
    private static readonly int s_stopWordLengthMax = s_stopWords.Max(word => word.Length);

    /// <summary>Whether a text has no characters for which there are special rules.</summary>
    public static bool CanRead(ReadOnlySpan<char> text)
    {
        if (!Ascii.IsValid(text))
        {
            return false;
        }

        int at = text.IndexOfAny(s_joining);
        while (at >= 0)
        {
            if (at > 0 && at < text.Length - 1 && char.IsAsciiLetterOrDigit(text[at - 1]) && char.IsAsciiLetterOrDigit(text[at + 1]))
            {
                return false;
            }

            int next = text[(at + 1)..].IndexOfAny(s_joining);
            at = next < 0 ? -1 : at + 1 + next;
        }

        return true;
    }

    /// <summary>Gives the words of a text to a sink.</summary>
    /// <param name="text">A text that can be read.</param>
    public static void Read(ReadOnlySpan<char> text, ITokenSink sink)
    {
        Span<char> word = stackalloc char[LengthMax];
        int start = text.IndexOfAny(s_word);
        while (start >= 0)
        {
            int length = text[start..].IndexOfAnyExcept(s_word);
            int end = length < 0 ? text.Length : start + length;
            if (end - start <= LengthMax)
            {
                Ascii.ToLower(text[start..end], word, out int written);
                if (written > s_stopWordLengthMax || !s_isStopWord.Contains(word[..written]))
                {
                    sink.Add(word[..written], 1, start, end);
                }
            }

            int next = text[end..].IndexOfAny(s_word);
            start = next < 0 ? -1 : end + next;
        }
    }
}
