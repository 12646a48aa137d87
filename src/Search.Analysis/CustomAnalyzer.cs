using System.IO.Hashing;
using System.Reflection;
using System.Text;
using System.Text.RegularExpressions;
using Jackdaw.Search.Entries;
using Lucene.Net.Analysis;
using Lucene.Net.Analysis.Core;
using Lucene.Net.Analysis.TokenAttributes;
using Lucene.Net.Util;

namespace Jackdaw.Search.Analysis;

/// <summary>Makes analyzers of classes that users wrote against Lucene's API.</summary>
public static class CustomAnalyzer
{
    private const LuceneVersion Version = LuceneVersion.LUCENE_48;

    private static readonly Dictionary<string, Type> s_readyBases = new(StringComparer.Ordinal)
    {
        ["StandardAnalyzer"] = typeof(ReadyStandardAnalyzer),
        ["RavenStandardAnalyzer"] = typeof(ReadyStandardAnalyzer),
        ["ClassicAnalyzer"] = typeof(ReadyStandardAnalyzer),
        ["NGramAnalyzer"] = typeof(ReadyNGramAnalyzer),
        ["SimpleAnalyzer"] = typeof(ReadySimpleAnalyzer),
        ["StopAnalyzer"] = typeof(ReadyStopAnalyzer),
        ["WhitespaceAnalyzer"] = typeof(ReadyWhitespaceAnalyzer),
        ["LowerCaseWhitespaceAnalyzer"] = typeof(ReadyLowerCaseWhitespaceAnalyzer),
        ["KeywordAnalyzer"] = typeof(ReadyKeywordAnalyzer),
        ["LowerCaseKeywordAnalyzer"] = typeof(ReadyLowerCaseKeywordAnalyzer),
        ["CollationAnalyzer"] = typeof(ReadyLowerCaseKeywordAnalyzer),
        ["EnglishAnalyzer"] = typeof(ReadyEnglishAnalyzer),
    };

    /// <summary>The files of the assemblies against which such a class is compiled.</summary>
    public static IReadOnlyList<string> AssemblyFiles { get; } =
    [
        typeof(Analyzer).Assembly.Location, typeof(StopAnalyzer).Assembly.Location, typeof(J2N.Text.ICharSequence).Assembly.Location,
        typeof(ReadyAnalyzer).Assembly.Location,
    ];

    /// <summary>The full name of the base class of such classes.</summary>
    public static string BaseClass { get; } = typeof(Analyzer).FullName!;

    /// <summary>The namespace of the classes that <see cref="FindReadyBase"/> names.</summary>
    public static string ReadyNamespace { get; } = typeof(ReadyAnalyzer).Namespace!;

    /// <summary>Whether code may name a class because analyzers derive from it.</summary>
    internal static bool IsReady(string type) => type == typeof(ReadyAnalyzer).FullName || s_readyBases.Values.Any(ready => ready.FullName == type);

    /// <summary>The class from which an analyzer derives that names a ready analyzer as its base class; null if the name is not one.</summary>
    public static string? FindReadyBase(string name) => s_readyBases.GetValueOrDefault(name)?.Name;

    /// <summary>The version of Lucene in C#, wherever code names an older one.</summary>
    public static string VersionOfToday { get; } = $"global::{typeof(LuceneVersion).FullName}.{nameof(LuceneVersion.LUCENE_48)}";

    /// <summary>What to import today in place of a name of Lucene.Net 3; empty for nothing. Null if the name needs no change.</summary>
    public static string? FindImport(string name) => name switch
    {
        "Lucene.Net.Util.Version" => "",
        "Lucene.Net.Analysis.Tokenattributes" => typeof(ICharTermAttribute).Namespace,
        _ => null,
    };

    /// <summary>Whether a type can be an analyzer.</summary>
    public static bool IsAnalyzer(Type type) => type is { IsAbstract: false, IsClass: true } && typeof(Analyzer).IsAssignableFrom(type);

    /// <summary>Adds the form of today to a refusal of code that may be written in the forms of Lucene.Net 3.</summary>
    public static string AddAdvice(string code, string message) =>
        !code.Contains("TokenStream TokenStream(", StringComparison.Ordinal) && !code.Contains("ReusableTokenStream", StringComparison.Ordinal)
        && !Regex.IsMatch(code, @":\s*(?:\w+\.)*\w+Analyzer\b", RegexOptions.NonBacktracking)
            ? message
            : $$"""
            {{message}}
            Analyzers are written for Lucene.Net 4.8: they derive from Analyzer and say in CreateComponents which tokenizer and filters they have,
            or they derive from a ready analyzer such as StandardAnalyzer and put filters around those of base.CreateComponents(fieldName, reader).
            A copy of the standard analyzer, to which you can add filters, is:
            public class MyAnalyzer : Analyzer { protected override TokenStreamComponents CreateComponents(string fieldName, TextReader reader) {
            Tokenizer source = new StandardTokenizer(LuceneVersion.LUCENE_48, reader);
            TokenStream result = new StandardFilter(LuceneVersion.LUCENE_48, source);
            result = new LowerCaseFilter(LuceneVersion.LUCENE_48, result);
            result = new StopFilter(LuceneVersion.LUCENE_48, result, StopAnalyzer.ENGLISH_STOP_WORDS_SET);
            return new TokenStreamComponents(source, result); } }
            """.ReplaceLineEndings(" ");

    /// <summary>Makes an analyzer and tests it on a short text.</summary>
    /// <param name="type">The type, which has a constructor without parameters, or one with Lucene's version.</param>
    /// <param name="guard">Limits the user's code.</param>
    /// <param name="code">The code of the type.</param>
    /// <exception cref="MissingMethodException">The type has no such constructor.</exception>
    public static TextAnalyzer Make(string name, Type type, AnalysisGuard guard, string code)
    {
        guard.Begin();
        Analyzer made;
        try
        {
            made = (Analyzer)(type.GetConstructor(Type.EmptyTypes) is { } plain ? plain.Invoke(null)
                : type.GetConstructors().FirstOrDefault(IsOfVersion)?.Invoke([Version])
                ?? throw new MissingMethodException($"The class '{type.Name}' needs a constructor without parameters."));
        }
        finally
        {
            guard.End();
        }

        var tokens = new GuardedAnalyzer(made, guard);
        IReadOnlyList<TextToken> tried = new TextAnalyzer(name, tokens, lowersCase: false).Analyze("Aa bB 12 the");

        // Words of wildcards and ranges are not analysed: they are turned into lower case when the analyzer does so.
        bool lowersCase = !tried.Any(token => token.Term.Any(char.IsUpper));
        return new TextAnalyzer(name, tokens, lowersCase) { CodeHash = (long)XxHash3.HashToUInt64(Encoding.UTF8.GetBytes(code)) };
    }

    private static bool IsOfVersion(ConstructorInfo constructor) =>
        constructor.GetParameters() is [{ } parameter] && parameter.ParameterType == typeof(LuceneVersion);

    /// <summary>Watches over each call of the user's code: the making of a stream, and every token of it.</summary>
    private sealed class GuardedAnalyzer(Analyzer made, AnalysisGuard guard) : AnalyzerWrapper(PER_FIELD_REUSE_STRATEGY)
    {
        public override int GetPositionIncrementGap(string fieldName) => 0;

        public override int GetOffsetGap(string fieldName) => 1;

        protected override TextReader InitReader(string fieldName, TextReader reader)
        {
            try
            {
                return base.InitReader(fieldName, reader);
            }
            catch (Exception fault)
            {
                throw guard.Failed(fault);
            }
            finally
            {
                guard.End();
            }
        }

        protected override Analyzer GetWrappedAnalyzer(string fieldName)
        {
            guard.Begin();
            return made;
        }

        protected override TokenStreamComponents WrapComponents(string fieldName, TokenStreamComponents components)
        {
            guard.End();
            return new TokenStreamComponents(components.Tokenizer, new GuardedTokens(components.TokenStream, guard));
        }
    }

    private sealed class GuardedTokens : TokenFilter
    {
        private readonly AnalysisGuard _guard;
        private readonly ICharTermAttribute _term;
        private readonly IOffsetAttribute _offset;
        private int _lastStart;

        public GuardedTokens(TokenStream made, AnalysisGuard guard)
            : base(made)
        {
            _guard = guard;
            _term = AddAttribute<ICharTermAttribute>();
            _offset = AddAttribute<IOffsetAttribute>();
        }

        public override void Reset()
        {
            _lastStart = 0;
            _guard.Begin();
            Run(base.Reset);
        }

        public override bool IncrementToken()
        {
            try
            {
                _guard.Step();
                bool isToken = m_input.IncrementToken();
                return isToken && Check();
            }
            catch (Exception fault)
            {
                throw _guard.Failed(fault);
            }
        }

        public override void End()
        {
            Run(base.End);
            _guard.End();
        }

        protected override void Dispose(bool disposing)
        {
            try
            {
                Run(() => base.Dispose(disposing));
            }
            finally
            {
                _guard.End();
            }
        }

        private void Run(Action part)
        {
            try
            {
                part();
            }
            catch (Exception fault)
            {
                throw _guard.Failed(fault);
            }
        }

        // The engine would refuse such a word in the middle of a batch; here it fails as a mistake of this text.
        private bool Check()
        {
            if (_term.Length * 3 > TextAnalyzer.TermBytesMax)
            {
                throw new InvalidOperationException($"it makes a word of {_term.Length} characters, and {TextAnalyzer.TermBytesMax / 3} are the most");
            }

            if (_offset.StartOffset < _lastStart)
            {
                throw new InvalidOperationException("it makes words whose offsets in the text decrease");
            }

            _lastStart = _offset.StartOffset;
            return true;
        }
    }
}
