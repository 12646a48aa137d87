using Microsoft.CodeAnalysis;

namespace Jackdaw.Client.Tests.Analyzers;

/// <summary>Clocks and random values in index definitions; sessions that are shared.</summary>
public sealed class IndexAndSessionRuleTests
{
    // The base class is found by its name: the rule must not depend on how it is written.
    private const string Definitions = """
        using System.Linq.Expressions;

        namespace Jackdaw.Client.Indexes
        {
            public abstract class AbstractIndexCreationTask<T>
            {
                protected Expression<Func<IEnumerable<T>, System.Collections.IEnumerable>>? Map { get; set; }
            }
        }

        public sealed class Item { public DateTime At { get; set; } public string Name { get; set; } = ""; }

        """;

    [Theory]
    [InlineData("DateTime.Now", "JD0002")]
    [InlineData("DateTime.UtcNow.AddDays(1)", "JD0002")]
    [InlineData("DateTime.Today", "JD0002")]
    [InlineData("DateTimeOffset.UtcNow", "JD0002")]
    [InlineData("TimeProvider.System.GetUtcNow()", "JD0002")]
    [InlineData("Environment.TickCount64", "JD0002")]
    [InlineData("Guid.NewGuid()", "JD0001")]
    [InlineData("Random.Shared.Next()", "JD0001")]
    [InlineData("x.At.AddDays(1)", null)]
    [InlineData("DateTime.MinValue", null)]
    [InlineData("Guid.Empty", null)]
    public async Task Definition_ReadingWhatIsNotInTheDocument_IsFound(string value, string? id)
    {
        IReadOnlyList<Diagnostic> found = await FindAsync($$"""
            public sealed class Items : Jackdaw.Client.Indexes.AbstractIndexCreationTask<Item>
            {
                public Items()
                {
                    Console.WriteLine({{value.Replace("x.", "new Item().", StringComparison.Ordinal)}}); // runs in the program
                    Map = items => from x in items select new { x.Name, Value = {{value}} };
                }
            }

            public sealed class Other
            {
                public Expression<Func<Item, object>> Map { get; } = x => {{value}};
            }
            """, Definitions);
        Assert.Equal(id is null ? [] : [id], found.Select(one => one.Id));
        Assert.All(found, one => Assert.Contains(id == "JD0002" ? "Where(x => x.At > time)" : "RandomOrdering", one.GetMessage(), StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("private static IAsyncDocumentSession s_session = null!;", "store.OpenAsyncSession()")]
    [InlineData("public static IDocumentSession? Session { get; set; }", "Keep the store")]
    [InlineData("void M(IAsyncDocumentSession session) => Task.Run(() => session.SaveChangesAsync());", "within the lambda")]
    [InlineData("void M(IDocumentSession session) => Parallel.For(0, 9, i => session.Store(i));", "within the lambda")]
    [InlineData("Task M(IAsyncDocumentSession s, int[] a) => Parallel.ForEachAsync(a, async (i, t) => await s.StoreAsync(i, t));", "within the lambda")]
    [InlineData("void M(IDocumentSession session) => Task.Factory.StartNew(() => session.SaveChanges());", "within the lambda")]
    [InlineData("Task M(IAsyncDocumentSession session) => Task.WhenAll(session.LoadAsync<string>(\"a\"), session.LoadAsync<string>(\"b\"));", "by one call")]
    [InlineData("Task M(IAsyncDocumentSession a, IAsyncDocumentSession b) => Task.WhenAll(a.LoadAsync<string>(\"a\"), b.LoadAsync<string>(\"b\"));", null)]
    [InlineData("void M(IDocumentSession session) => ThreadPool.QueueUserWorkItem(_ => session.SaveChanges());", "within the lambda")]
    [InlineData("private readonly IDocumentSession _session = null!; void M() => Task.Run(() => _session.SaveChanges());", "within the lambda")]
    [InlineData("private readonly IDocumentSession _session = null!; void M() => _session.SaveChanges();", null)]
    [InlineData("private static IDocumentStore s_store = null!; static IDocumentSession Session => s_store.OpenSession();", null)]
    [InlineData("[ThreadStatic] private static IDocumentSession? t_session;", null)]
    [InlineData("void M(IDocumentStore store) => Task.Run(async () => { using var s = store.OpenAsyncSession(); await s.SaveChangesAsync(); });", null)]
    [InlineData("void M(IDocumentStore s) => Parallel.For(0, 9, () => s.OpenSession(), (i, p, x) => { x.Store(i); return x; }, x => x.Dispose());", null)]
    [InlineData("void M(IDocumentSession session) => new List<int>().ForEach(i => session.Store(i));", null)]
    [InlineData("void M(IDocumentSession session) { string id = session.Load<string>(\"a\")!; Task.Run(() => Console.WriteLine(id)); }", null)]
    public async Task Session_InAStaticMemberOrInAnotherFlow_IsFound(string member, string? says)
    {
        IReadOnlyList<Diagnostic> found = await FindAsync(
            $"using Jackdaw.Client;\nusing Jackdaw.Client.Sessions;\npublic class Program\n{{\n{member}\n}}\n");
        Assert.Equal(says is null ? [] : ["JD0003"], found.Select(one => one.Id));
        Assert.All(found, one => Assert.Contains(says!, one.GetMessage(), StringComparison.Ordinal));
    }

    private static async Task<IReadOnlyList<Diagnostic>> FindAsync(string code, string before = "")
    {
        var analyzed = new AnalyzedCode(("code.cs", before + code));
        Assert.Empty(analyzed.Errors);
        return await analyzed.FindAsync();
    }
}
