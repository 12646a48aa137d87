using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Analyzers that users write: their endpoints, what they find, what they may not do, and what they cost.</summary>
public sealed class AnalyzerTests : IAsyncLifetime
{
    /// <summary>Splits at spaces, makes lower case, and drops all vowels: "The Quick" is "th" and "qck".</summary>
    private const string Vowels = """
        using Lucene.Net.Analysis;
        using Lucene.Net.Analysis.Core;
        using Lucene.Net.Analysis.TokenAttributes;
        using Lucene.Net.Util;

        namespace Shop.Search
        {
            public sealed class NoVowels : Analyzer
            {
                protected override TokenStreamComponents CreateComponents(string fieldName, TextReader reader)
                {
                    var words = new WhitespaceTokenizer(LuceneVersion.LUCENE_48, reader);
                    return new TokenStreamComponents(words, new VowelFilter(new LowerCaseFilter(LuceneVersion.LUCENE_48, words)));
                }
            }

            public sealed class VowelFilter : TokenFilter
            {
                private readonly ICharTermAttribute _term;

                public VowelFilter(TokenStream input) : base(input) { _term = AddAttribute<ICharTermAttribute>(); }

                public override bool IncrementToken()
                {
                    if (!m_input.IncrementToken()) return false;
                    var kept = new System.Text.StringBuilder();
                    foreach (char letter in _term.ToString()) { if ("aeiou".IndexOf(letter) < 0) kept.Append(letter); }
                    _term.SetEmpty().Append(kept.ToString());
                    return true;
                }
            }
        }
        """;

    /// <summary>Does something bad at the word "quack".</summary>
    private const string Failing = """
        using Lucene.Net.Analysis; using Lucene.Net.Analysis.Core; using Lucene.Net.Analysis.TokenAttributes; using Lucene.Net.Util;
        public sealed class A : Analyzer { CREATE }
        public sealed class F : TokenFilter
        {
            private readonly ICharTermAttribute _term;
            private bool _isEndless;
            public F(TokenStream input) : base(input) { _term = AddAttribute<ICharTermAttribute>(); }
            public override bool IncrementToken()
            {
                if (_isEndless) { return true; }
                if (!m_input.IncrementToken()) { return false; }
                return _term.ToString() == "quack" ? Run() : true;
            }
            private bool Run() { BODY }
        }
        """;

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("texts/1", "Texts", """{"Text":"The Quick brown Fox","Tag":"x"}""");
        await _server.PutAsync("texts/2", "Texts", """{"Text":"a quack","Tag":"y"}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("search(name, 'Rogério')")]
    [InlineData("search(name, 'Rogério*')")]
    [InlineData("search(name, 'Rogerio*')")]
    [InlineData("search(name, 'ROGÉ*')")]
    [InlineData("search(name, '*gério')")]
    [InlineData("search(name, '*GERIO')")]
    [InlineData("search(name, '*géri*')")]
    [InlineData("search(name, 'Ro*ério')")]
    [InlineData("startsWith(name, 'Rogé')")]
    [InlineData("endsWith(name, 'ério')")]
    [InlineData("lucene(name, 'R?gé*')")]
    public async Task CustomAnalyzer_OfWordsWithWildcards_IsAsked(string condition)
    {
        const string folding = """
            using Lucene.Net.Analysis; using Lucene.Net.Analysis.Core; using Lucene.Net.Analysis.Miscellaneous; using Lucene.Net.Util;
            public sealed class Folding : Analyzer
            {
                protected override TokenStreamComponents CreateComponents(string fieldName, TextReader reader)
                {
                    var words = new WhitespaceTokenizer(LuceneVersion.LUCENE_48, reader);
                    return new TokenStreamComponents(words, new ASCIIFoldingFilter(new LowerCaseFilter(LuceneVersion.LUCENE_48, words)));
                }
            }
            """;
        await _server.DbAsync("PUT", "/admin/analyzers", JsonSerializer.Serialize(new { Analyzers = new[] { new { Name = "Folding", Code = folding } } }));
        await _server.PutAsync("c/1", "Cs", """{"name":"Rogério"}""");
        await _server.PutAsync("c/2", "Cs", """{"name":"Rogerio"}""");
        await _server.PutAsync("c/3", "Cs", """{"name":"Roger"}""");
        await _server.PutIndexAsync("N", "from c in docs.Cs select new { c.name }", more: new
        {
            Fields = new { name = new { Indexing = "Search", Analyzer = "Folding", Storage = "Yes", TermVector = "WithPositionsAndOffsets" } },
        });
        Answer answer = await _server.QueryAsync($"from index 'N' where {condition} order by id() include highlight(name, 20, 1)");
        Assert.True(answer.Status == 200, answer.Text);
        bool isForAll = new[] { "ROGÉ", "Rogé'", "?" }.Any(part => condition.Contains(part, StringComparison.Ordinal));
        Assert.Equal(isForAll ? "c/1,c/2,c/3" : "c/1,c/2",
            string.Join(',', answer.Json.GetProperty("Results").EnumerateArray().Select(row => row.GetProperty("@metadata").GetProperty("@id").GetString())));
        if (!condition.StartsWith("lucene", StringComparison.Ordinal))
        {
            Assert.Single(answer.Json.GetProperty("Highlightings").GetProperty("name").GetProperty("c/1").EnumerateArray());
        }
    }

    [Fact]
    public async Task Query_OfAFieldWithACustomAnalyzer_AnalysesBothSidesByIt()
    {
        Assert.Equal(204, (await PutAnalyzerAsync("NoVowels", Vowels)).Status);
        await PutIndexAsync("novowels");
        Assert.Equal("texts/1,texts/2", await _server.IdsAsync("from index 'I' where search(Text, 'QUICK')"));
        Assert.Equal("texts/1", await _server.IdsAsync("from index 'I' where search(Text, '\"quock brewn\"')"));
        Assert.Equal("texts/1", await _server.IdsAsync("from index 'I' where Text = 'fx'"));
        await _server.RestartAsync();
        await _server.PutAsync("texts/3", "Texts", """{"Text":"FAX"}""");
        Assert.Equal("texts/1,texts/3", await _server.IdsAsync("from index 'I' where search(Text, 'fox')"));
        JsonElement listed = Assert.Single((await _server.DbAsync("GET", "/analyzers")).Json.GetProperty("Analyzers").EnumerateArray());
        Assert.Equal("NoVowels", listed.GetProperty("Name").GetString());
        Assert.Equal(Vowels, listed.GetProperty("Code").GetString());
    }

    [Fact]
    public async Task Put_OfAChangedAnalyzer_BuildsItsIndexesAgain()
    {
        await PutAnalyzerAsync("NoVowels", Vowels);
        await PutIndexAsync("Shop.Search.NoVowels, Shop");
        Assert.Equal("texts/1,texts/2", await _server.IdsAsync("from index 'I' where search(Text, 'quick')"));
        Assert.Equal(204, (await PutAnalyzerAsync("NoVowels", Vowels.Replace("\"aeiou\"", "\"xyz\"", StringComparison.Ordinal))).Status);
        Assert.Equal("texts/1", await _server.IdsAsync("from index 'I' where search(Text, 'quick')"));
        Assert.Equal("texts/1", await _server.IdsAsync("from index 'I' where search(Text, 'fo')"));
    }

    [Fact]
    public async Task Delete_OfAnAnalyzer_NeedsThatNoIndexUsesIt()
    {
        await PutAnalyzerAsync("NoVowels", Vowels);
        await PutIndexAsync("NoVowels");
        Answer refused = await _server.DbAsync("DELETE", "/admin/analyzers?name=NoVowels");
        Assert.Contains("Index 'I' uses the analyzer 'NoVowels'", refused.Text, StringComparison.Ordinal);
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/indexes?name=I")).Status);
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/admin/analyzers?name=novowels")).Status);
        Assert.Equal(404, (await _server.DbAsync("DELETE", "/admin/analyzers?name=novowels")).Status);
        Assert.Equal("""{"Analyzers":[]}""", (await _server.DbAsync("GET", "/analyzers")).Text);
    }

    [Fact]
    public async Task PutIndex_WithAnUnknownAnalyzer_NamesTheNearest()
    {
        await PutAnalyzerAsync("NoVowels", Vowels);
        Answer answer = await _server.PutIndexAsync("I", "from t in docs.Texts select new { t.Text }", null, Analyzed("NoVowel"));
        answer.AssertProblem(500, "IndexCompilationException", "Cannot find analyzer type 'NoVowel' for field: Text; the nearest name is 'NoVowels'");
        answer = await _server.PutIndexAsync("I", "from t in docs.Texts select new { t.Text }", null, Analyzed("StandardAnalyser"));
        answer.AssertProblem(500, "IndexCompilationException", "the nearest name is 'StandardAnalyzer'");
    }

    [Theory]
    [InlineData("public class A : Analyzer {", "A(")]
    [InlineData("public class B : Lucene.Net.Analysis.Analyzer { BODY }", "no class 'A'")]
    [InlineData("public class A { }", "no class 'A' that derives from Lucene.Net.Analysis.Analyzer")]
    [InlineData("public sealed class A : Analyzer { public A(int x) { } BODY }", "needs a constructor without parameters")]
    [InlineData("class { BODY long X() { return System.DateTime.Now.Ticks; } }", "System.DateTime.Now is not allowed in the code of analyzers")]
    [InlineData("class { BODY string X() { return System.IO.File.ReadAllText(\"/etc/passwd\"); } }", "System.IO.File")]
    [InlineData("class { BODY object X() { return new StreamReader(\"/etc/passwd\"); } }", "System.IO.StreamReader")]
    [InlineData("class { BODY void X() { System.Diagnostics.Process.Start(\"ls\"); } }", "Process")]
    [InlineData("class { BODY void X() { new System.Threading.Thread(() => { }).Start(); } }", "System.Threading.Thread")]
    [InlineData("class { BODY object X() { return GetType(); } }", "GetType")]
    [InlineData("class { BODY unsafe void X() { } }", "'unsafe'")]
    [InlineData("class { BODY object X() { return new System.Net.Http.HttpClient(); } }", "Net")]
    [InlineData("class { BODY object X() { return new Lucene.Net.Analysis.Util.FilesystemResourceLoader(); } }", "FilesystemResourceLoader")]
    [InlineData("class { BODY object X() { return Lucene.Net.Analysis.Util.TokenizerFactory.ForName(\"x\", null); } }", "TokenizerFactory")]
    [InlineData("class { BODY object X(TextReader r, int n) { return new KeywordTokenizer(r, n); } }", "must be a constant")]
    [InlineData("class { BODY object X(TextReader r) { return new KeywordTokenizer(r, 2000000000); } }", "must be a constant")]
    [InlineData("class { BODY static int s_n; }", "Static members must not change")]
    [InlineData("public sealed class A : Analyzer { public A() { while (true) { } } BODY }", "steps")]
    [InlineData("public sealed class A : Analyzer { public A() { throw new System.Exception(\"no\"); } BODY }", "cannot be used: no")]
    public async Task Put_OfWhatIsNoAnalyzer_IsRefused(string code, string message)
    {
        Answer answer = await PutAnalyzerAsync("A",
            "using Lucene.Net.Analysis; using Lucene.Net.Analysis.Core; using Lucene.Net.Util;\n" + code.Replace("BODY", Body, StringComparison.Ordinal)
            .Replace("class {", "public sealed class A : Analyzer {", StringComparison.Ordinal));
        answer.AssertProblem(500, "AnalyzerCompilationException", message);
        Assert.Equal("""{"Analyzers":[]}""", (await _server.DbAsync("GET", "/analyzers")).Text);
    }

    [Theory]
    [InlineData("while (true) { }", "steps")]
    [InlineData("bool b = Run(); return !b;", "nested too deeply")]
    [InlineData("string s = \"x\"; while (true) { s += s; }", "MB")]
    [InlineData("throw new System.InvalidOperationException(\"broken\");", "broken")]
    [InlineData("_isEndless = true; return true;", "The definition was stopped")]
    [InlineData("_term.SetEmpty(); for (int i = 0; i < 3000; i++) { _term.Append(\"word\"); } return true;", "a word of 12000 characters")]
    public async Task Index_WhoseAnalyzerFails_HasAnErrorOfItsDocumentAndGoesOn(string body, string message)
    {
        string code = Failing.Replace("BODY", body, StringComparison.Ordinal)
            .Replace("CREATE", Body.Replace("words)", "new F(words))", StringComparison.Ordinal), StringComparison.Ordinal);
        Answer put = await PutAnalyzerAsync("A", code);
        Assert.True(put.Status == 204, put.Text);
        await PutIndexAsync("A");
        Assert.Equal("texts/1", await _server.IdsAsync("from index 'I' where search(Text, 'Quick')"));
        Assert.Contains(message, Assert.Single(_server.Indexes.Find("I")!.Failures.List()).Message, StringComparison.Ordinal);
        Answer query = await _server.QueryAsync("from index 'I' where search(Text, 'quack')");
        string problem = query.Json.GetProperty("Message").GetString()!;
        Assert.Equal((400, true), (query.Status, query.Json.GetProperty("Type").GetString()!.EndsWith("InvalidQueryException", StringComparison.Ordinal)));
        Assert.Contains("analyzer 'A' of field 'Text'", problem, StringComparison.Ordinal);
        Assert.Contains(message, problem, StringComparison.Ordinal);
    }

    private const string Body = "protected override TokenStreamComponents CreateComponents(string f, TextReader r) "
        + "{ var words = new WhitespaceTokenizer(LuceneVersion.LUCENE_48, r); return new TokenStreamComponents(words, words); }";

    private static object Analyzed(string analyzer) => new { Fields = new { Text = new { Analyzer = analyzer } } };

    private Task<Answer> PutAnalyzerAsync(string name, string code) =>
        _server.DbAsync("PUT", "/admin/analyzers", JsonSerializer.Serialize(new { Analyzers = new[] { new { Name = name, Code = code } } }));

    private async Task PutIndexAsync(string analyzer)
    {
        Answer put = await _server.PutIndexAsync("I", "from t in docs.Texts select new { t.Text, t.Tag }", null, Analyzed(analyzer));
        Assert.True(put.Status == 201, put.Text);
    }
}
