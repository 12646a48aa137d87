using System.Text;

namespace Jackdaw.Search.Analysis.Reading;

/// <summary>Splits the text of a full-text search.</summary>
public static class TextWords
{
    /// <summary>The words between spaces; a text in double quotes is one word.</summary>
    public static List<string> Split(string text)
    {
        List<string> words = [];
        var word = new StringBuilder();
        bool isQuoted = false;
        foreach (char c in text + ' ')
        {
            if (c != '"' && (isQuoted || !char.IsWhiteSpace(c)))
            {
                word.Append(c);
                continue;
            }

            isQuoted ^= c == '"';
            if (word.Length > 0)
            {
                words.Add(word.ToString());
                word.Clear();
            }
        }

        if (word.Length > 0)
        {
            words.Add(word.ToString().TrimEnd()); // a quote that is not closed
        }

        return words;
    }
}
