using Lucene.Net.Analysis;
using Lucene.Net.Analysis.Core;
using Lucene.Net.Analysis.En;
using Lucene.Net.Analysis.NGram;
using Lucene.Net.Analysis.Standard;
using Lucene.Net.Analysis.Util;
using Lucene.Net.Util;

namespace Jackdaw.Search.Analysis.Ready;

// Users derive from these classes, so that each has the constructors that Lucene's class of that name had.

/// <inheritdoc cref="TextAnalyzers.Standard"/>
public class ReadyStandardAnalyzer(LuceneVersion version, CharArraySet stopWords) : ReadyAnalyzer(version)
{
    private readonly CharArraySet _stopWords = stopWords;

    public ReadyStandardAnalyzer()
        : this(Today)
    {
    }

    public ReadyStandardAnalyzer(LuceneVersion version)
        : this(version, StopAnalyzer.ENGLISH_STOP_WORDS_SET)
    {
    }

    private protected override Tokenizer MakeSource(TextReader reader) => new ClassicTokenizer(Version, reader);

    private protected override TokenStream AddFilters(Tokenizer source) =>
        new StopFilter(Version, new LowerCaseFilter(Version, new ClassicFilter(source)), _stopWords);
}

/// <inheritdoc cref="TextAnalyzers.NGram"/>
public class ReadyNGramAnalyzer : ReadyStandardAnalyzer
{
    private readonly int _min = TextAnalyzers.NGramMin;
    private readonly int _max = TextAnalyzers.NGramMax;

    public ReadyNGramAnalyzer()
    {
    }

    public ReadyNGramAnalyzer(LuceneVersion version)
        : base(version)
    {
    }

    public ReadyNGramAnalyzer(int min, int max) => (_min, _max) = (min, max);

    private protected override TokenStream AddFilters(Tokenizer source) => new NGramTokenFilter(Version, base.AddFilters(source), _min, _max);
}

/// <inheritdoc cref="TextAnalyzers.Simple"/>
public class ReadySimpleAnalyzer : ReadyAnalyzer
{
    public ReadySimpleAnalyzer()
        : this(Today)
    {
    }

    public ReadySimpleAnalyzer(LuceneVersion version)
        : base(version)
    {
    }

    private protected override Tokenizer MakeSource(TextReader reader) => new LowerCaseTokenizer(Version, reader);
}

/// <inheritdoc cref="TextAnalyzers.Stop"/>
public class ReadyStopAnalyzer(LuceneVersion version, CharArraySet stopWords) : ReadySimpleAnalyzer(version)
{
    private readonly CharArraySet _stopWords = stopWords;

    public ReadyStopAnalyzer()
        : this(Today)
    {
    }

    public ReadyStopAnalyzer(LuceneVersion version)
        : this(version, StopAnalyzer.ENGLISH_STOP_WORDS_SET)
    {
    }

    private protected override TokenStream AddFilters(Tokenizer source) => new StopFilter(Version, source, _stopWords);
}

/// <inheritdoc cref="TextAnalyzers.Whitespace"/>
public class ReadyWhitespaceAnalyzer : ReadyAnalyzer
{
    public ReadyWhitespaceAnalyzer()
        : this(Today)
    {
    }

    public ReadyWhitespaceAnalyzer(LuceneVersion version)
        : base(version)
    {
    }

    private protected override Tokenizer MakeSource(TextReader reader) => new WhitespaceTokenizer(Version, reader);
}

/// <inheritdoc cref="TextAnalyzers.LowerCaseWhitespace"/>
public class ReadyLowerCaseWhitespaceAnalyzer : ReadyWhitespaceAnalyzer
{
    private protected override TokenStream AddFilters(Tokenizer source) => new LowerCaseFilter(Version, source);
}

/// <inheritdoc cref="TextAnalyzers.Keyword"/>
public class ReadyKeywordAnalyzer() : ReadyAnalyzer(Today)
{
    private protected override Tokenizer MakeSource(TextReader reader) => new KeywordTokenizer(reader);
}

/// <inheritdoc cref="TextAnalyzers.LowerCaseKeyword"/>
public class ReadyLowerCaseKeywordAnalyzer : ReadyKeywordAnalyzer
{
    private protected override TokenStream AddFilters(Tokenizer source) => new LowerCaseFilter(Version, source);
}

/// <inheritdoc cref="TextAnalyzers.English"/>
public class ReadyEnglishAnalyzer : ReadyAnalyzer
{
    public ReadyEnglishAnalyzer()
        : this(Today)
    {
    }

    public ReadyEnglishAnalyzer(LuceneVersion version)
        : base(version)
    {
    }

    private protected override Tokenizer MakeSource(TextReader reader) => new StandardTokenizer(Version, reader);

    private protected override TokenStream AddFilters(Tokenizer source)
    {
        TokenStream words = new EnglishPossessiveFilter(Version, new StandardFilter(Version, source));
        words = new StopFilter(Version, new LowerCaseFilter(Version, words), StopAnalyzer.ENGLISH_STOP_WORDS_SET);
        return new PorterStemFilter(words);
    }
}
