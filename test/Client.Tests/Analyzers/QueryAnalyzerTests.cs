using System.Reflection;
using System.Text.RegularExpressions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;
using Microsoft.CodeAnalysis;

namespace Jackdaw.Client.Tests.Analyzers;

/// <summary>The rule says at compile time what the translator says at run time, or nothing.</summary>
public sealed class QueryAnalyzerTests
{
    private static readonly (string Path, string Text) s_code = ("samples.cs", Code());

    [Fact]
    public async Task Queries_EachSample_AreFoundOrLeftAlone()
    {
        var code = new AnalyzedCode(s_code);
        Assert.Empty(code.Errors);
        ILookup<int, Diagnostic> found = (await code.FindAsync()).ToLookup(one => one.Location.GetLineSpan().StartLinePosition.Line);
        int first = QuerySamples.Program.Split('\n').Length;
        for (int i = 0; i < QuerySamples.All.Count; i++)
        {
            (string query, string? says) = QuerySamples.All[i];
            Diagnostic[] here = [.. found[first + i]];
            Assert.True(here.Length == (says is null ? 0 : 1), $"{query}: {string.Join<Diagnostic>("; ", here)}");
            Assert.All(here, one => Assert.Equal("JD0001", one.Id));
            Assert.All(here, one => Assert.Contains(says!, one.GetMessage(), StringComparison.Ordinal));
        }

        Assert.Equal(QuerySamples.All.Count(sample => sample.Says is not null), found.Sum(line => line.Count()));
    }

    /// <summary>The same samples run: each that is found is refused with the same words, each other one is translated.</summary>
    [Fact]
    public async Task Queries_EachSample_AreRefusedAlikeWhenTheyRun()
    {
        Type samples = new AnalyzedCode(s_code).Load().GetType("Samples", throwOnError: true)!;
        await using var store = new DocumentStore("http://127.0.0.1:1", "none");
        using IAsyncDocumentSession session = store.Initialize().OpenAsyncSession();
        for (int i = 0; i < QuerySamples.All.Count; i++)
        {
            (string query, string? says) = QuerySamples.All[i];
            string? refusal = Refusal(samples.GetMethod($"Sample{i}")!, session);
            Assert.True((refusal is null) == (says is null), $"{query}: {refusal ?? "is translated"}");
            if (says is not null)
            {
                Assert.Contains(says, refusal, StringComparison.Ordinal);
            }
        }
    }

    [Fact]
    public async Task Queries_OfLocalVariables_AreFollowedWhereTheyAreSetOnce()
    {
        const string methods = """
            public static void Once(IAsyncDocumentSession session)
            {
                var q = session.Query<Item>();
                var found = q.Where(x => x.Name!.Trim() == text);
                var page = session.Query<Item>().Take(5).Statistics(out _);
                var late = page.Where(x => x.Age > 5);
            }

            public static void Twice(IAsyncDocumentSession session, IDocumentQueryable<Item> given, IQueryable<Item> unknown)
            {
                var q = session.Query<Item>();
                q = given;
                var found = q.Where(x => x.Name!.Trim() == text);
                var certain = q.Last();
                var uncertain = unknown.Where(x => x.Name!.Trim() == text).Last();
                var inMemory = new List<Item>().AsQueryable().Last(x => x.Name!.Contains(text));
                var rows = session.Query<Item>().Select(x => new Item { Name = text }).Statistics(out _);
                var constant = rows.Where(x => x.Name!.Contains("a"));
            }
            """;
        var code = new AnalyzedCode(("samples.cs", $"{QuerySamples.Program}\n{methods}\n}}"));
        Assert.Empty(code.Errors);
        IReadOnlyList<Diagnostic> found = await code.FindAsync();
        Assert.Equal(
            ["'x.Name!.Trim()", "'Where'", "'Last'"], found.Select(one => one.GetMessage().Split(' ')[0]));
    }

    /// <summary>All code of these tests, with their queries begun as a program begins them: only what tests refusals is found.</summary>
    [Fact]
    [Trait("Tier", "Full")]
    public async Task Queries_OfAllTests_AreFoundOnlyInTestsOfRefusals()
    {
        string folder = Path.Combine(RepositoryFolder.Path, "test", "Client.Tests");
        (string Path, string Text)[] files =
        [
            .. Directory.EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories)
                .Where(file => !file.Contains($"{Path.DirectorySeparatorChar}obj{Path.DirectorySeparatorChar}", StringComparison.Ordinal))
                .Select(file => (Path.GetRelativePath(folder, file), Begun(file, File.ReadAllText(file)))),
            ("session.cs", "internal static class Begin { public static Jackdaw.Client.Sessions.IAsyncDocumentSession Session => null!; }"),
        ];
        var code = new AnalyzedCode(files);
        Assert.True(code.Errors.Count < 20, string.Join(Environment.NewLine, code.Errors)); // generated code is missing
        IReadOnlyList<Diagnostic> found = await code.FindAsync();
        ILookup<bool, Diagnostic> inRefusals =
            found.ToLookup(one => Path.GetFileName(one.Location.SourceTree!.FilePath)
                is "RefusalTests.cs" or "RefusedExpressionTests.cs" or "DocumentQueryMistakeTests.cs");
        Assert.Empty(inRefusals[false].Select(one => one.ToString()));
        Assert.InRange(inRefusals[true].Count(), 20, 100);
    }

    // Golden tests begin with a property that stands for a session's query; those of document queries begin otherwise.
    private static string Begun(string file, string text) => file.Contains("DocumentQueries", StringComparison.Ordinal) ? text : Regex.Replace(
        Regex.Replace(text, @"(?<![.\w])Users\b(?=[.),])", "Begin.Session.Query<User>()"), @"(?<![.\w])Orders\b(?=[.),])", "Begin.Session.Query<Order>()");

    private static string Code()
    {
        IEnumerable<string> samples = QuerySamples.All.Select((sample, i) =>
            $"public static object? Sample{i}(IAsyncDocumentSession session) {{ var q = session.Query<Item>(); return {sample.Query}; }}");
        return $"{QuerySamples.Program}\n{string.Join('\n', samples)}\n}}\n";
    }

    private static string? Refusal(MethodInfo sample, IAsyncDocumentSession session)
    {
        try
        {
            object query = sample.Invoke(null, [session])!;
            query.ToString();
            return null;
        }
        catch (TargetInvocationException refused) when (refused.InnerException is QueryTranslationException inner)
        {
            return inner.Message;
        }
        catch (QueryTranslationException refused)
        {
            return refused.Message;
        }
    }
}
