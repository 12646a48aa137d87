namespace Jackdaw.Search.Entries;

/// <summary>Turns texts into terms, in the same way for indexing and for searching. Any thread.</summary>
public interface ITextAnalyzer
{
    /// <summary>The name of the analyzer in definitions.</summary>
    string Name { get; }

    /// <summary>True when a whole value is one term, as conditions of equality, orders and prefixes need it.</summary>
    bool IsWholeValue { get; }

    /// <summary>True when the text around a wildcard is only turned into lower case and not analysed, so that it is not removed as a stop word.</summary>
    bool IsWildcardPlain { get; }

    /// <summary>The form that a whole value or a single token has in the index: in lower case where the analyzer lowers the case. It is not trimmed.</summary>
    string Normalize(string value);

    /// <summary>All tokens of a text, in order.</summary>
    IReadOnlyList<TextToken> Analyze(string text);
}

/// <summary>One token of an analysed text.</summary>
/// <param name="Term">The text that is indexed.</param>
/// <param name="Position">The place in the text, from 0. A word that the analyzer removes leaves no gap.</param>
/// <param name="Start">The index of its first character in the text.</param>
/// <param name="End">The index after its last character.</param>
public readonly record struct TextToken(string Term, int Position, int Start, int End);
