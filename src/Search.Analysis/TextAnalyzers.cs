using System.Diagnostics.CodeAnalysis;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Lucene.Net.Analysis.Core;
using Lucene.Net.Analysis.En;
using Lucene.Net.Analysis.Standard;
using Lucene.Net.Util;

namespace Jackdaw.Search.Analysis;

/// <summary>The analyzers by name, as users of index definitions write them.</summary>
public static class TextAnalyzers
{
    private const LuceneVersion Version = LuceneVersion.LUCENE_48;

    /// <summary>The length of the shortest part that <see cref="NGram"/> makes of a word, in characters.</summary>
    public const int NGramMin = ReadyNGramAnalyzer.UsualMin;

    /// <summary>The length of the longest part.</summary>
    public const int NGramMax = ReadyNGramAnalyzer.UsualMax;

    /// <summary>The whole value in lower case; the default.</summary>
    public static TextAnalyzer LowerCaseKeyword { get; } = new("LowerCaseKeywordAnalyzer", null, lowersCase: true);

    /// <summary>The whole value as it is, for exact comparisons.</summary>
    public static TextAnalyzer Keyword { get; } = new("KeywordAnalyzer", null, lowersCase: false);

    /// <summary>Words without English stop words; e-mail addresses and host names stay whole. The default of full text.</summary>
    public static TextAnalyzer Standard { get; } =
        new("StandardAnalyzer", new ClassicAnalyzer(Version), lowersCase: true, isWildcardPlain: true) { HasPlainWords = true };

    /// <summary>Runs of letters, without English stop words.</summary>
    public static TextAnalyzer Stop { get; } = new("StopAnalyzer", new StopAnalyzer(Version), lowersCase: true);

    /// <summary>Runs of letters.</summary>
    public static TextAnalyzer Simple { get; } = new("SimpleAnalyzer", new SimpleAnalyzer(Version), lowersCase: true);

    /// <summary>The words between spaces, as they are.</summary>
    public static TextAnalyzer Whitespace { get; } = new("WhitespaceAnalyzer", new WhitespaceAnalyzer(Version), lowersCase: false);

    /// <summary>The words between spaces, in lower case.</summary>
    public static TextAnalyzer LowerCaseWhitespace { get; } = new("LowerCaseWhitespaceAnalyzer", new ReadyLowerCaseWhitespaceAnalyzer(), lowersCase: true);

    /// <summary>All parts of 2 to 6 characters of the standard analyzer's words.</summary>
    public static TextAnalyzer NGram { get; } = MakeNGram(NGramMin, NGramMax);

    /// <summary>English words reduced to their stems.</summary>
    public static TextAnalyzer English { get; } = new("EnglishAnalyzer", new EnglishAnalyzer(Version), lowersCase: true);

    private static readonly Dictionary<string, TextAnalyzer> s_byName = new(StringComparer.OrdinalIgnoreCase)
    {
        [LowerCaseKeyword.Name] = LowerCaseKeyword,
        [Keyword.Name] = Keyword,
        [Standard.Name] = Standard,
        ["RavenStandardAnalyzer"] = Standard,
        ["ClassicAnalyzer"] = Standard,
        [Stop.Name] = Stop,
        [Simple.Name] = Simple,
        [Whitespace.Name] = Whitespace,
        [LowerCaseWhitespace.Name] = LowerCaseWhitespace,
        [NGram.Name] = NGram,
        [English.Name] = English,
        ["CollationAnalyzer"] = LowerCaseKeyword,
    };

    /// <summary>All names.</summary>
    public static IReadOnlyCollection<string> Names => s_byName.Keys;

    /// <summary>All parts of the standard analyzer's words whose lengths lie between two bounds.</summary>
    /// <param name="min">The length of the shortest part in characters; at least 1.</param>
    /// <param name="max">The length of the longest part; at least <paramref name="min"/>.</param>
    public static TextAnalyzer MakeNGram(int min, int max) =>
        new("NGramAnalyzer", new ReadyNGramAnalyzer(min, max), lowersCase: true, isWildcardPlain: true);

    /// <summary>The analyzer that makes the terms of a field.</summary>
    /// <exception cref="InvalidSearchException">No analyzer has the name that the field gives.</exception>
    public static TextAnalyzer Of(IndexField field) => field.Indexing switch
    {
        IndexingMode.Exact => Keyword,
        IndexingMode.Text when field.CustomAnalyzer is TextAnalyzer custom => custom,
        IndexingMode.Text when field.Analyzer is null => Standard,
        IndexingMode.Text => TryGet(field.Analyzer, out TextAnalyzer? found) ? found : throw new InvalidSearchException(
            $"Field '{field.Name}' names the analyzer '{field.Analyzer}', which does not exist: use StandardAnalyzer or another built-in one."),
        _ => LowerCaseKeyword,
    };

    /// <summary>Finds an analyzer by its name, or by a full type name, whose last part before a comma counts.</summary>
    public static bool TryGet(string name, [NotNullWhen(true)] out TextAnalyzer? analyzer)
    {
        string type = name.Split(',')[0].Trim();
        return s_byName.TryGetValue(type[(type.LastIndexOf('.') + 1)..], out analyzer);
    }
}
