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

    /// <summary>The same analyzer as Lucene's type, for the engine that uses Lucene; null for whole values.</summary>
    internal Analyzer? Tokens => _tokens;

    /// <inheritdoc/>
    public string Normalize(string value) => TermLength.Cut(WholeForm(value));

    /// <summary>The same form without the limit of length.</summary>
    public string WholeForm(string value) => _lowersCase ? value.ToLowerInvariant() : value;

    /// <summary>Whether a term looks as if it were only the beginning of a value, with a hash of the whole.</summary>
    public static bool IsCut(string term) => TermLength.IsCut(term);

    /// <inheritdoc/>
    public IReadOnlyList<TextToken> Analyze(string text)
    {
        if (_tokens is null)
        {
            return [new TextToken(Normalize(text), 0, 0, text.Length)];
        }

        List<TextToken> tokens = [];
        using TokenStream stream = _tokens.GetTokenStream("", text);
        ICharTermAttribute term = stream.AddAttribute<ICharTermAttribute>();
        IPositionIncrementAttribute step = stream.AddAttribute<IPositionIncrementAttribute>();
        IOffsetAttribute offset = stream.AddAttribute<IOffsetAttribute>();
        stream.Reset();
        int position = -1;
        while (stream.IncrementToken())
        {
            position += step.PositionIncrement;
            tokens.Add(new TextToken(term.ToString()!, position, offset.StartOffset, offset.EndOffset));
        }

        stream.End();
        return tokens;
    }
}
