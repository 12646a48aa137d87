using System.Text.RegularExpressions;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Search.Analysis;

namespace Jackdaw.Indexing.Tests.Definitions.Running;

/// <summary>Analyzers that users derive from the ready ones.</summary>
public sealed partial class CompiledAnalyzerTests
{
    private const string Text = "The quick-brown Foxes of Rogério ran to shop@example.com, 12 times";

    public static TheoryData<string> Names => new(TextAnalyzers.Names);

    /// <summary>Each ready analyzer, by each form in which a class changes it, makes its own words, without accents.</summary>
    [Theory]
    [MemberData(nameof(Names))]
    public async Task Analyzer_DerivedFromAReadyOne_MakesItsWordsWithOneMoreFilter(string ready)
    {
        string[] forms =
        [
            """
            protected override TokenStreamComponents CreateComponents(string fieldName, TextReader reader)
            {
                TokenStreamComponents words = base.CreateComponents(fieldName, reader);
                return new TokenStreamComponents(words.Tokenizer, new ASCIIFoldingFilter(words.TokenStream));
            }
            """,
            "public override TokenStream TokenStream(string fieldName, TextReader reader) => new ASCIIFoldingFilter(base.TokenStream(fieldName, reader));",
        ];
        string[] expected = [.. WordsOf(TextAnalyzers.TryGet(ready, out TextAnalyzer? made) ? made : null!)];
        Assert.Contains(expected, word => word.Contains('é', StringComparison.Ordinal));
        foreach (string form in forms)
        {
            using CompiledAnalyzer derived = await CompileAsync(ready, form);
            Assert.Equal(expected.Select(word => word.Replace('é', 'e')), WordsOf(derived.Analyzer));
        }
    }

    /// <summary>As people wrote it for Lucene.Net 3, with its versions and names.</summary>
    [Fact]
    public async Task Analyzer_WrittenForLucene3_Compiles()
    {
        const string code = """
            using System.IO;
            using Lucene.Net.Analysis;
            using Lucene.Net.Analysis.Standard;
            using Lucene.Net.Analysis.Tokenattributes;
            using Version = Lucene.Net.Util.Version;

            namespace Shop.Search
            {
                public class My : StandardAnalyzer
                {
                    public My() : base(Lucene.Net.Util.Version.LUCENE_30) { }

                    public override TokenStream TokenStream(string fieldName, TextReader reader)
                    {
                        return new Lucene.Net.Analysis.Miscellaneous.ASCIIFoldingFilter(base.TokenStream(fieldName, reader));
                    }
                }
            }
            """;
        using CompiledAnalyzer derived = await CompiledAnalyzer.CompileAsync(new UserCode("My", code), default);
        Assert.Contains("rogerio", WordsOf(derived.Analyzer));
        using CompiledAnalyzer aliased = await CompiledAnalyzer.CompileAsync(
            new UserCode("My", code.Replace("Lucene.Net.Util.Version.LUCENE_30", "Version.LUCENE_30", StringComparison.Ordinal)), default);
        Assert.Contains("rogerio", WordsOf(aliased.Analyzer));
    }

    [Fact]
    public async Task Analyzer_DerivedFromAClassOfItsOwnWithAReadyName_KeepsThatClass()
    {
        const string code = """
            using Lucene.Net.Analysis; using Lucene.Net.Analysis.Core; using Lucene.Net.Util;
            public class StandardAnalyzer : Analyzer
            {
                protected override TokenStreamComponents CreateComponents(string fieldName, TextReader reader) =>
                    new TokenStreamComponents(new WhitespaceTokenizer(LuceneVersion.LUCENE_48, reader));
            }
            public class My : StandardAnalyzer { }
            """;
        using CompiledAnalyzer derived = await CompiledAnalyzer.CompileAsync(new UserCode("My", code), default);
        Assert.Contains("quick-brown", WordsOf(derived.Analyzer));
    }

    [Fact]
    public async Task Analyzer_WhoseStreamForgetsItsBase_SaysWhatToDo()
    {
        AnalyzerCompilationException refused = await Assert.ThrowsAsync<AnalyzerCompilationException>(() => CompileAsync(
            "StandardAnalyzer", "public override TokenStream TokenStream(string fieldName, TextReader reader) => "
                + "new ASCIIFoldingFilter(new WhitespaceTokenizer(LuceneVersion.LUCENE_48, reader));"));
        Assert.Contains("override CreateComponents", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Examples_OfTheGuide_Compile()
    {
        MatchCollection examples = Example().Matches(File.ReadAllText(DocumentedDefinitionTests.GuidePath()));
        Assert.NotEmpty(examples);
        foreach (Match example in examples.Cast<Match>())
        {
            string name = Regex.Match(example.Value, @"class (\w+)").Groups[1].Value;
            using CompiledAnalyzer compiled = await CompiledAnalyzer.CompileAsync(new UserCode(name, example.Groups[1].Value), default);
            Assert.Contains("rogerio", WordsOf(compiled.Analyzer));
        }
    }

    private static Task<CompiledAnalyzer> CompileAsync(string ready, string form) => CompiledAnalyzer.CompileAsync(new UserCode("My", $$"""
        using System.IO;
        using Lucene.Net.Analysis;
        using Lucene.Net.Analysis.Core;
        using Lucene.Net.Analysis.En;
        using Lucene.Net.Analysis.Miscellaneous;
        using Lucene.Net.Analysis.Standard;
        using Lucene.Net.Util;
        public class My : {{ready}} { {{form}} }
        """), default);

    private static IEnumerable<string> WordsOf(TextAnalyzer analyzer) => analyzer.Analyze(Text).Select(token => token.Term);

    [GeneratedRegex("```csharp analyzer\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex Example();
}
