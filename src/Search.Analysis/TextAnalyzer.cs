using Jackdaw.Search.Entries;
using Lucene.Net.Analysis;
using Lucene.Net.Analysis.TokenAttributes;

namespace Jackdaw.Search.Analysis;

/// <summary>Turns texts into terms: at indexing and at searching alike. Any thread.</summary>
public sealed class TextAnalyzer : ICustomAnalyzer
{
    /// <summary>Longest term in bytes of UTF-8. A longer one keeps its beginning and a hash of the whole: the engine
    /// refuses terms above 32 KB, and long ones bloat every list of terms.</summary>
    public const int TermBytesMax = 8 * 1024;

    private readonly Analyzer? _tokens;
    private readonly bool _lowersCase;

    internal TextAnalyzer(string name, Analyzer? tokens, bool lowersCase, bool isWildcardPlain = false)
    {
        Name = name;
        _tokens = tokens;
        _lowersCase = lowersCase;
        IsWildcardPlain = isWildcardPlain;
    }

    /// <summary>Name in <see cref="TextAnalyzers"/>.</summary>
    public string Name { get; }

    /// <summary>True when a value is one term as a whole, which equality, order and prefixes are for.</summary>
    public bool IsWholeValue => _tokens is null;

    /// <summary>True when the text around a wildcard is only lower-cased, not analysed: stop words must not eat it.</summary>
    internal bool IsWildcardPlain { get; }

    /// <summary>The engine's form; null for whole values.</summary>
    internal Analyzer? Tokens => _tokens;

    /// <summary>A whole value or a single token as the index has it: lower case where the analyzer lowers case. Not trimmed.</summary>
    public string Normalize(string value) => TermLength.Cut(_lowersCase ? value.ToLowerInvariant() : value);

    /// <summary>All tokens of a text, in order.</summary>
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
