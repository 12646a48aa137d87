namespace Jackdaw.Search.Analysis;

/// <summary>One token of an analysed text.</summary>
/// <param name="Term">What is indexed.</param>
/// <param name="Position">Place in the text, from 0. Removed stop words leave a gap.</param>
/// <param name="Start">First character in the text.</param>
/// <param name="End">Character behind the last one.</param>
public readonly record struct TextToken(string Term, int Position, int Start, int End);
