using System.Text;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Analysis;

/// <summary>Texts of searches as the analyzers of fields see them.</summary>
public static class AnalyzedText
{
    /// <summary>The words of a text.</summary>
    /// <exception cref="InvalidSearchException">The analyzer, which a user wrote, fails on the text.</exception>
    public static IReadOnlyList<TextToken> Of(IndexField field, string text)
    {
        TextAnalyzer analyzer = TextAnalyzers.Of(field);
        try
        {
            return analyzer.Analyze(text);
        }
        catch (Exception fault) when (ReferenceEquals(analyzer, field.CustomAnalyzer))
        {
            throw new InvalidSearchException(
                $"The analyzer '{analyzer.Name}' of field '{field.Name}' failed on a text of the search: {fault.GetBaseException().Message} "
                + "Correct the analyzer, or search for another text.", fault);
        }
    }

    /// <summary>A part of a word, before or after a wildcard, in the form that words have in the index. An analyzer that a user wrote is asked, because it may
    /// fold accents or replace characters; what it does not make one word of is only normalized. A part has no limit of length.</summary>
    /// <exception cref="InvalidSearchException">The analyzer, which a user wrote, fails on the part.</exception>
    public static string PartOf(IndexField field, string part)
    {
        TextAnalyzer analyzer = TextAnalyzers.Of(field);
        bool isAsked = part.Length > 0 && ReferenceEquals(analyzer, field.CustomAnalyzer);
        return isAsked && Of(field, part) is [{ Term: var word }] ? word : analyzer.WholeForm(part);
    }

    /// <summary>A pattern with its parts in the form that words have in the index.</summary>
    /// <param name="hasSingle">Whether a question mark means any one character, beside the star for any text.</param>
    /// <exception cref="InvalidSearchException">The analyzer, which a user wrote, fails on a part.</exception>
    public static string PatternOf(IndexField field, string pattern, bool hasSingle)
    {
        var form = new StringBuilder();
        int start = 0;
        for (int i = 0; i <= pattern.Length; i++)
        {
            if (i == pattern.Length || pattern[i] == '*' || (hasSingle && pattern[i] == '?'))
            {
                form.Append(PartOf(field, pattern[start..i]));
                form.Append(i < pattern.Length ? pattern[i].ToString() : "");
                start = i + 1;
            }
        }

        return form.ToString();
    }
}
