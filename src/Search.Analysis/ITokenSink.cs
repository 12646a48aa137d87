namespace Jackdaw.Search.Analysis;

/// <summary>Takes the tokens of a text, one after the other. It analyses no other text in between.</summary>
public interface ITokenSink
{
    /// <summary>Takes the next token.</summary>
    /// <param name="term">The text that is indexed. It is valid during the call only.</param>
    /// <param name="step">How many places the token lies after the one before it: 1 for its neighbour, 0 for a token at the same place. The first token is
    /// at place 0 when its step is 1.</param>
    /// <param name="start">The index of its first character in the text.</param>
    /// <param name="end">The index after its last character.</param>
    void Add(ReadOnlySpan<char> term, int step, int start, int end);
}
