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
}
