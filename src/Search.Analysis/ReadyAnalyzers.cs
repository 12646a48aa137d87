using Lucene.Net.Analysis;
using Lucene.Net.Analysis.Core;
using Lucene.Net.Analysis.En;
using Lucene.Net.Analysis.NGram;
using Lucene.Net.Analysis.Standard;
using Lucene.Net.Analysis.Util;
using Lucene.Net.Util;

namespace Jackdaw.Search.Analysis;

// Users derive from these classes, so that each has the constructors that Lucene's class of that name had.

/// <summary>Words without English stop words; e-mail addresses and host names stay whole.</summary>
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

/// <summary>All parts of the standard analyzer's words whose lengths lie between two bounds.</summary>
public class ReadyNGramAnalyzer : ReadyStandardAnalyzer
{
    /// <summary>The length of the shortest part, in characters, unless another one is given.</summary>
    public const int UsualMin = 2;

    /// <summary>The length of the longest part, unless another one is given.</summary>
    public const int UsualMax = 6;

    private readonly int _min = UsualMin;
    private readonly int _max = UsualMax;

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

/// <summary>Runs of letters.</summary>
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

/// <summary>Runs of letters, without stop words.</summary>
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

/// <summary>The words between spaces, as they are.</summary>
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

/// <summary>The words between spaces, in lower case.</summary>
public class ReadyLowerCaseWhitespaceAnalyzer : ReadyWhitespaceAnalyzer
{
    private protected override TokenStream AddFilters(Tokenizer source) => new LowerCaseFilter(Version, source);
}

/// <summary>The whole value as it is.</summary>
public class ReadyKeywordAnalyzer() : ReadyAnalyzer(Today)
{
    private protected override Tokenizer MakeSource(TextReader reader) => new KeywordTokenizer(reader);
}

/// <summary>The whole value in lower case.</summary>
public class ReadyLowerCaseKeywordAnalyzer : ReadyKeywordAnalyzer
{
    private protected override TokenStream AddFilters(Tokenizer source) => new LowerCaseFilter(Version, source);
}

/// <summary>English words reduced to their stems.</summary>
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
