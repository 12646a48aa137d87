namespace Jackdaw.Queries.Language;

/// <summary>Keeps what a parser reads, and what it would take at the end of the text. Editors colour and complete queries from it. One thread at a
/// time.</summary>
internal sealed class QueryRecorder
{
    private readonly List<QueryToken> _tokens = [];
    private readonly List<QueryExpectation> _expected = [];

    /// <summary>What was read, in the order of the text. A part that was read twice in different ways is there as it was read last.</summary>
    public IReadOnlyList<QueryToken> Tokens => _tokens;

    /// <summary>What may stand at the end of the text, each once, in the order in which it was tried.</summary>
    public IReadOnlyList<QueryExpectation> Expected => _expected;

    /// <summary>Where the query reads from; null before it was read.</summary>
    public FromClause? From { get; set; }

    /// <summary>The offset of the quote, bracket or comment that has no end; null when everything ends.</summary>
    public int? OpenAt { get; private set; }

    /// <summary>Whether a text in quotes has no end.</summary>
    public bool IsTextOpen { get; private set; }

    public void Add(int start, int end, QueryTokenKind kind) => _tokens.Add(new QueryToken(start, end, kind));

    /// <summary>The parser goes back, and reads the text from an offset in another way.</summary>
    public void ForgetFrom(int offset)
    {
        int kept = _tokens.Count;
        while (kept > 0 && _tokens[kept - 1].Start >= offset)
        {
            kept--;
        }

        _tokens.RemoveRange(kept, _tokens.Count - kept);
    }

    /// <summary>What was read at an offset turned out to be something else.</summary>
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
