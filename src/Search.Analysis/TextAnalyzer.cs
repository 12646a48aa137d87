using Jackdaw.Search.Entries;
using Lucene.Net.Analysis;
using Lucene.Net.Analysis.TokenAttributes;

namespace Jackdaw.Search.Analysis;

/// <summary>An analyzer that consists of Lucene's tokenizers and filters. Any thread.</summary>
public sealed class TextAnalyzer : ITextAnalyzer
{
    /// <summary>The longest term in bytes of UTF-8. A longer one is cut to its beginning and a hash of the whole, because the engine refuses terms above 32 KB,
    /// and long terms make every list of terms large.</summary>
    public const int TermBytesMax = 8 * 1024;

    /// <summary>Longer values are brought into the form of terms on the heap. They are never cut up to here.</summary>
    private const int StackLengthMax = 256;

    private readonly Analyzer? _tokens;
    private readonly bool _lowersCase;

    internal TextAnalyzer(string name, Analyzer? tokens, bool lowersCase, bool isWildcardPlain = false)
    {
        Name = name;
        _tokens = tokens is null ? null : new AdjacentWords(tokens);
        _lowersCase = lowersCase;
        IsWildcardPlain = isWildcardPlain;
    }

    /// <inheritdoc/>
    public string Name { get; }

    /// <summary>A number that another code of a user's analyzer would not have; 0 for the analyzers of the server.</summary>
    public long CodeHash { get; internal init; }

    /// <inheritdoc/>
    public bool IsWholeValue => _tokens is null;

    /// <inheritdoc/>
    public bool IsWildcardPlain { get; }

    /// <summary>Whether <see cref="PlainWords"/> gives the same tokens, where it can read a text.</summary>
    internal bool HasPlainWords { get; init; }

    /// <summary>The same analyzer as Lucene's type, for the engine that uses Lucene; null for whole values.</summary>
    internal Analyzer? Tokens => _tokens;

    /// <inheritdoc/>
    public string Normalize(string value) => TermLength.Cut(WholeForm(value));

    /// <summary>The same form without the limit of length.</summary>
    public string WholeForm(string value) => _lowersCase ? value.ToLowerInvariant() : value;

    /// <summary>Whether a term looks as if it were only the beginning of a value, with a hash of the whole.</summary>
    public static bool IsCut(ReadOnlySpan<char> term) => TermLength.IsCut(term);

    /// <inheritdoc/>
    public IReadOnlyList<TextToken> Analyze(string text)
    {
        var tokens = new TokenList();
        Analyze(text, tokens);
        return tokens.Tokens;
    }

    /// <summary>Gives all tokens of a text to a sink, in order, without an object for each. When the analyzer, which a user wrote, fails, the sink has the
    /// tokens before that.</summary>
    public void Analyze(string text, ITokenSink sink)
    {
        if (_tokens is null)
        {
            AddWhole(text, sink);
        }
        else if (HasPlainWords && PlainWords.CanRead(text))
        {
            PlainWords.Read(text, sink);
        }
        else
        {
            AddTokens(_tokens, text, sink);
        }
    }

    private static void AddTokens(Analyzer analyzer, string text, ITokenSink sink)
    {
        using TokenStream stream = analyzer.GetTokenStream("", text);
        ICharTermAttribute term = stream.AddAttribute<ICharTermAttribute>();
        IPositionIncrementAttribute step = stream.AddAttribute<IPositionIncrementAttribute>();
        IOffsetAttribute offset = stream.AddAttribute<IOffsetAttribute>();
        stream.Reset();
        while (stream.IncrementToken())
        {
            sink.Add(term.Buffer.AsSpan(0, term.Length), step.PositionIncrement, offset.StartOffset, offset.EndOffset);
        }

        stream.End();
    }

    private void AddWhole(string text, ITokenSink sink)
    {
        if (text.Length > StackLengthMax)
        {
            sink.Add(Normalize(text), 1, 0, text.Length);
            return;
        }

        Span<char> lower = stackalloc char[StackLengthMax];
        ReadOnlySpan<char> term = _lowersCase ? lower[..text.AsSpan().ToLowerInvariant(lower)] : text;
        sink.Add(term, 1, 0, text.Length);
    }

    private sealed class TokenList : ITokenSink
    {
        private int _position = -1;

        public List<TextToken> Tokens { get; } = [];

        public void Add(ReadOnlySpan<char> term, int step, int start, int end)
        {
            _position += step;
            Tokens.Add(new TextToken(term.ToString(), _position, start, end));
        }
    }
}
