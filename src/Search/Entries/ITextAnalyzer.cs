namespace Jackdaw.Search.Entries;

/// <summary>Turns texts into terms: at indexing and at searching alike. Any thread.</summary>
public interface ITextAnalyzer
{
    /// <summary>As definitions name it.</summary>
    string Name { get; }

    /// <summary>True when a value is one term as a whole, which equality, order and prefixes are for.</summary>
    bool IsWholeValue { get; }

    /// <summary>True when the text around a wildcard is only lower-cased, not analysed: stop words must not eat it.</summary>
    bool IsWildcardPlain { get; }

    /// <summary>A whole value or a single token as the index has it: lower case where the analyzer lowers case. Not trimmed.</summary>
    string Normalize(string value);

    /// <summary>All tokens of a text, in order.</summary>
    IReadOnlyList<TextToken> Analyze(string text);
}

/// <summary>One token of an analysed text.</summary>
/// <param name="Term">What is indexed.</param>
/// <param name="Position">Place in the text, from 0. Removed stop words leave a gap.</param>
/// <param name="Start">First character in the text.</param>
/// <param name="End">Character behind the last one.</param>
public readonly record struct TextToken(string Term, int Position, int Start, int End);
