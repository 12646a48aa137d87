namespace Jackdaw.Queries.Language;

/// <summary>Collects the tokens that a parser reads, and the words that it would accept at the end of the text. Editors colour and complete queries with
/// them. One thread at a time.</summary>
internal sealed class QueryRecorder
{
    private readonly List<QueryToken> _tokens = [];
    private readonly List<QueryExpectation> _expected = [];

    /// <summary>The tokens in the order of the text. If the parser reads a part again in another way, only the last tokens count.</summary>
    public IReadOnlyList<QueryToken> Tokens => _tokens;

    /// <summary>What may follow the text, without repetition, in the order in which the parser tried it.</summary>
    public IReadOnlyList<QueryExpectation> Expected => _expected;

    /// <summary>Where the query reads from; null before it was read.</summary>
    public FromClause? From { get; set; }

    /// <summary>The offset of the quote, bracket or comment that has no end; null when everything ends.</summary>
    public int? OpenAt { get; private set; }

    /// <summary>Whether a text in quotes has no end.</summary>
    public bool IsTextOpen { get; private set; }

    public void Add(int start, int end, QueryTokenKind kind) => _tokens.Add(new QueryToken(start, end, kind));

    /// <summary>Drops the tokens from an offset on, because the parser goes back to it.</summary>
    public void ForgetFrom(int offset)
    {
        int kept = _tokens.Count;
        while (kept > 0 && _tokens[kept - 1].Start >= offset)
        {
            kept--;
        }

        _tokens.RemoveRange(kept, _tokens.Count - kept);
    }

    /// <summary>Changes the kind of the token that begins at an offset.</summary>
    public void Mark(int start, QueryTokenKind kind)
    {
        int at = _tokens.FindLastIndex(token => token.Start == start);
        _tokens[at] = _tokens[at] with { Kind = kind };
    }

    /// <summary>Something may stand at the end of the text.</summary>
    public void Expect(ExpectedKind kind, string text)
    {
        var expectation = new QueryExpectation(kind, text);
        if (!_expected.Contains(expectation))
        {
            _expected.Add(expectation);
        }
    }

    /// <summary>Something that begins at an offset reaches to the end of the text.</summary>
    public void ReachesEnd(int start, bool isText) => (OpenAt, IsTextOpen) = (start, isText);
}
