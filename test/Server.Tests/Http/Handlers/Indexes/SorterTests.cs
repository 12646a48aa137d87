using System.Text.Json;
using System.Text.RegularExpressions;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Sorters that users write: what they compare, where they are found, and what is refused.</summary>
public sealed class SorterTests(ITestOutputHelper output) : IAsyncLifetime
{
    private const string ByNumber =
        "public class ByNumber : IComparer<SortValue> { public int Compare(SortValue a, SortValue b) => a.Number.Value.CompareTo(b.Number.Value); }";

    private const string ByText =
        "public class ByText : IComparer<SortValue> { public int Compare(SortValue a, SortValue b) => string.CompareOrdinal(a.Text, b.Text); }";

    private const string ByDate = """
        namespace Shop
        {
            public class ByDate : IComparer<SortValue>
            {
                public int Compare(SortValue a, SortValue b)
                {
                    if (a.Date == null || b.Date == null) return (a.Date == null ? 0 : 1) - (b.Date == null ? 0 : 1);
                    return a.Date.Value.CompareTo(b.Date.Value);
                }
            }
        }
        """;

    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    /// <summary>A sorter that compares as a plain order does gives the same pages, in both directions, wherever nulls are placed.</summary>
    [Fact]
    public async Task Order_BySorterThatComparesAsAPlainOrder_GivesTheSamePages()
    {
        int seed = Environment.TickCount;
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        for (int i = 0; i < 300; i++)
        {
            string number = random.Next(6) == 0 ? "null" : random.Next(-40, 40).ToString(System.Globalization.CultureInfo.InvariantCulture);
            string text = random.Next(6) == 0 ? "null" : $"\"{(char)('a' + random.Next(20))}{(char)('A' + random.Next(9))}\"";
            string date = $"\"20{random.Next(10, 25)}-0{random.Next(1, 9)}-1{random.Next(0, 9)}T00:00:00Z\"";
            await _server.DbAsync("PUT", $"/docs?id=items/{i}", $"{{\"N\":{number},\"T\":{text},\"D\":{date},\"@metadata\":{{\"@collection\":\"Items\"}}}}");
        }

        await PutAsync(("ByNumber", ByNumber), ("ByText", ByText), ("ByDate", ByDate));
        (string Custom, string Plain)[] pairs = [("custom(N, 'ByNumber')", "N as double"), ("custom(T, 'ByText')", "T"), ("custom(D, 'bydate')", "D")];
        foreach ((string custom, string plain) in pairs)
        {
            foreach (string more in (string[])[" nulls first", " desc nulls first", " nulls last", " desc nulls last"])
            {
                await AssertSameAsync(custom + more, plain + more, random);
            }
        }

        await AssertSameAsync("custom(T, 'ByText')", "T", random); // the sorter itself places nulls, as the smallest
    }

    [Fact]
    public async Task Sorter_OfTheServer_IsUsedUnlessTheDatabaseHasItsOwn()
    {
        await PutUsersAsync();
        Assert.Equal(204, (await _server.SendAsync("PUT", "/admin/sorters", Body(("ByText", ByText)))).Status);

        Assert.Equal("users/1,users/2", await _server.IdsAsync("from Users order by custom(Name, 'ByText')"));
        await PutAsync(("ByText", ByText.Replace("a.Text, b.Text", "b.Text, a.Text", StringComparison.Ordinal)));
        Assert.Equal("users/2,users/1", await _server.IdsAsync("from Users order by custom(Name, 'ByText')"));
        Assert.Contains("b.Text, a.Text", (await _server.DbAsync("GET", "/sorters")).Text, StringComparison.Ordinal);
        Assert.Contains("a.Text, b.Text", (await _server.SendAsync("GET", "/sorters")).Text, StringComparison.Ordinal);

        Assert.Equal(204, (await _server.DbAsync("DELETE", "/admin/sorters?name=ByText")).Status);
        Assert.Equal("users/1,users/2", await _server.IdsAsync("from Users order by custom(Name, 'ByText')"));
        await _server.RestartAsync();
        Assert.Equal("users/1,users/2", await _server.IdsAsync("from Users order by custom(Name, 'ByText')"));
        Assert.Equal(204, (await _server.SendAsync("DELETE", "/admin/sorters?name=ByText")).Status);
        Assert.Equal(404, (await _server.SendAsync("DELETE", "/admin/sorters?name=ByText")).Status);
        (await _server.QueryAsync("from Users order by custom(Name, 'ByText')"))
            .AssertProblem(500, "SorterDoesNotExistException", "no sorter with 'ByText' name");
    }

    [Fact]
    public async Task Answer_OrderedByASorterThatChanged_HasAnotherETag()
    {
        await PutUsersAsync();
        await PutAsync(("ByText", ByText));
        string before = (await _server.QueryAsync("from Users order by custom(Name, 'ByText')")).Header("ETag")!;
        Assert.Equal(before, (await _server.QueryAsync("from Users order by custom(Name, 'ByText')")).Header("ETag"));

        await PutAsync(("ByText", ByText.Replace("a.Text, b.Text", "b.Text, a.Text", StringComparison.Ordinal)));

        Assert.NotEqual(before, (await _server.QueryAsync("from Users order by custom(Name, 'ByText')")).Header("ETag"));
    }

    [Fact]
    public async Task Put_CodeForFieldComparator_IsRefusedWithAFormThatWorks()
    {
        const string old = "using Lucene.Net.Search; public class MySorter : FieldComparator { public override int Compare(int a, int b) { return 0; } }";
        Answer refused = await _server.DbAsync("PUT", "/admin/sorters", Body(("MySorter", old)));
        refused.AssertProblem(500, "SorterCompilationException", "FieldComparator", "every search engine");

        string shown = Regex.Match(refused.Json.GetProperty("Message").GetString()!, "public class .* }").Value;
        await PutAsync(("MySorter", shown));
    }

    [Theory]
    [InlineData("public class S { }", "no class 'S' that implements IComparer<SortValue>")]
    [InlineData("public class S : IComparer<SortValue> { public int Compare(SortValue a, SortValue b) => a.Nope; }", "Nope")]
    [InlineData("public class S : IComparer<SortValue> { public int Compare(SortValue a, SortValue b) => System.IO.File.ReadAllText(a.Text).Length; }", "File")]
    [InlineData("public class S : IComparer<SortValue> { public int Compare(SortValue a, SortValue b) { while (true) { } } }", "was stopped")]
    public async Task Put_CodeThatCannotBeUsed_IsRefused(string code, string message)
    {
        (await _server.DbAsync("PUT", "/admin/sorters", Body(("S", code)))).AssertProblem(500, "SorterCompilationException", message);
        Assert.Equal("""{"Sorters":[]}""", (await _server.DbAsync("GET", "/sorters")).Text);
    }

    [Fact]
    public async Task Order_BySorterThatThrows_IsAnErrorThatNamesIt()
    {
        await PutUsersAsync();
        const string body = "if ((a.Text + b.Text).Contains(\"ann\")) throw new InvalidOperationException(\"not Ann\"); return 0;";
        await PutAsync(("Bad", $"public class Bad : IComparer<SortValue> {{ public int Compare(SortValue a, SortValue b) {{ {body} }} }}"));

        (await _server.QueryAsync("from Users order by custom(Name, 'Bad')")).AssertProblem(400, "InvalidQueryException", "'Bad'", "not Ann");
    }

    private async Task AssertSameAsync(string custom, string plain, Random random)
    {
        string[] expected = await _server.RowsAsync($"from Items order by {plain} select id() as Id", new { PageSize = 1000 });
        List<string> found = [];
        while (found.Count < expected.Length)
        {
            int size = random.Next(1, 150);
            found.AddRange(await _server.RowsAsync($"from Items order by {custom} select id() as Id", new { Start = found.Count, PageSize = size }));
        }

        Assert.True(expected.SequenceEqual(found), $"{custom} is not {plain}");
    }

    private async Task PutUsersAsync()
    {
        await _server.DbAsync("PUT", "/docs?id=users/1", """{"Name":"Ann","@metadata":{"@collection":"Users"}}""");
        await _server.DbAsync("PUT", "/docs?id=users/2", """{"Name":"Bob","@metadata":{"@collection":"Users"}}""");
    }

    private async Task PutAsync(params (string Name, string Code)[] sorters)
    {
        Answer put = await _server.DbAsync("PUT", "/admin/sorters", Body(sorters));
        Assert.True(put.Status == 204, put.Text);
    }

    private static string Body(params (string Name, string Code)[] sorters) =>
        JsonSerializer.Serialize(new { Sorters = sorters.Select(sorter => new { sorter.Name, sorter.Code }) });
}
