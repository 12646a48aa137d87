using System.Text.Json;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Http.Handlers.QueryEditing;

/// <summary>What the server tells editors about queries, with the names that are in the database.</summary>
public sealed class QueryParseTests(ITestOutputHelper log) : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        const string ann = """
            {"Name":"Ann's","Age":30,"Home":{"City":"Oslo","Zip code":"01"},"Tags":["x","y"],"Lines":[{"Item":"tea"}],"my field":true,"from":1}
            """;
        await _server.PutAsync("users/1", "Users", ann);
        await _server.PutAsync("users/2", "Users", """{"Name":"Bob","Age":31.5,"Nick":null}""");
        await _server.PutAsync("orders/1", "Odd orders", """{"Total":1}""");
        Assert.Equal(201, (await _server.PutIndexAsync("Users/By Name", "from u in docs.Users select new { u.Name, Town = u.Home.City }")).Status);
        await _server.SettledAsync();
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("from |", "'Odd orders',Users,@all_docs,index")]
    [InlineData("from us|", "Users")]
    [InlineData("from 'odd|", "'Odd orders'")]
    [InlineData("from index |", "'Users/By Name'")]
    [InlineData("from Users wh|", "where")]
    [InlineData("from Users order |", "by")]
    [InlineData("from Users where Ho|", "Home,Home.City,Home.'Zip code'")]
    [InlineData("from Users where Home.|", "City,'Zip code'")]
    [InlineData("from Users where Home.'Z|", "'Zip code'")]
    [InlineData("from Users where Lines[].|", "Item")]
    [InlineData("from Users where 'my f|", "'my field'")]
    [InlineData("from Users as u where u.|", "Name,Age,Home,Tags,Lines,'my field','from',Nick")]
    [InlineData("from Users as u where u.Home.|", "City,'Zip code'")]
    [InlineData("from Users as u where A|", "u.Age,any(),u.Name")]
    [InlineData("from Users where Name = |", "'Bob','Ann\\'s',$city,true,false,null,now(),today(),cmpxchg()")]
    [InlineData("from Users where Name = 'b|", "'Bob'")]
    [InlineData("from Users as u where u.Home.City in ('x', |", "'Oslo',$city,true,false,null,now(),today(),cmpxchg()")]
    [InlineData("from Users where Tags = |", "'x','y',$city,true,false,null,now(),today(),cmpxchg()")]
    [InlineData("from Users where Age |", "=,!=,<,<=,>,>=,between,all in,in,and,or")]
    [InlineData("from Users where Age between 1 and |", "31.5,30,$city,true,false,null,now(),today(),cmpxchg()")]
    [InlineData("from Users where Name = $|", "city")]
    [InlineData("from index 'Users/By Name' where T|", "Town,startsWith()")]
    [InlineData("from index 'Users/By Name' where Town = 'o|", "'oslo'")]
    [InlineData("from index 'Nobody' where |", "$city,not,exact()")]
    [InlineData("from Users limit |", "$city")]
    [InlineData("from Users select |", "Name,Age,Home")]
    [InlineData("declare function shown(u) { return u; } from Users as u select sh|", "shown()")]
    [InlineData("from Users as |", "")]
    [InlineData("from Users where Name = 'x' // |", "")]
    [InlineData("from Users select { Name: |", "")]
    public async Task Completion_OffersWhatIsThere(string text, string expected)
    {
        JsonElement completion = (await ParseAsync(text)).GetProperty("Completion");
        string[] items = [.. completion.GetProperty("Items").EnumerateArray().Select(item => item.GetProperty("Text").GetString()!)];
        log.WriteLine(string.Join(',', items));

        foreach (string item in expected.Split(',', StringSplitOptions.RemoveEmptyEntries))
        {
            Assert.Contains(item, items);
        }

        Assert.True(expected.Length > 0 || items.Length == 0, string.Join(',', items));
        int first = expected.Split(',').TakeWhile(item => char.IsLetterOrDigit(item.TrimStart('\'', '$').FirstOrDefault())).Take(1).Count();
        Assert.Equal(expected.Split(',').Take(first), items.Take(first));
    }

    // Each word that is offered can be inserted: the text up to its end is a beginning of a query.
    [Fact]
    public async Task EveryOfferedWord_IsAccepted()
    {
        int seed = Environment.TickCount;
        log.WriteLine($"seed {seed}");
        var random = new Random(seed);
        int offered = 0;
        for (int round = 0; round < 60; round++)
        {
            string text = "";
            for (int step = 0; step < 12; step++)
            {
                JsonElement completion = (await ParseAsync(text + "|")).GetProperty("Completion");
                JsonElement[] items = [.. completion.GetProperty("Items").EnumerateArray().Where(item => item.GetProperty("Kind").GetString() != "Method")];
                string word = items.Length > 0 ? items[random.Next(items.Length)].GetProperty("Text").GetString()! : Filler(random);
                offered += items.Length > 0 ? 1 : 0;
                string next = $"{text}{word} ";
                JsonElement answer = await ParseAsync(next + "|");
                JsonElement[] faults = [.. answer.GetProperty("Remarks").EnumerateArray()];
                bool isMistake = faults.Length > 0 && faults[0].GetProperty("Message").GetString()!.StartsWith("found ", StringComparison.Ordinal)
                    && faults[0].GetProperty("Start").GetInt32() < next.TrimEnd().Length;
                Assert.False(isMistake && items.Length > 0, $"seed {seed}: '{word}' was offered after '{text}': {faults.FirstOrDefault()}");
                if (isMistake)
                {
                    break;
                }

                text = next;
            }
        }

        Assert.True(offered > 200, $"only {offered} words were offered");
    }

    [Theory]
    [InlineData("from Users where Nam", 17, 20, "Error", "an operator")]
    [InlineData("from Users where Name = 'x", 24, 25, "Error", "has no end")]
    [InlineData("from Users select unheard(Name)", 18, 25, "Error", "no method 'unheard'")]
    [InlineData("from Nobody", 5, 11, "Warning", "There is no document in a collection 'Nobody'")]
    [InlineData("from 'Users/By Name'", 5, 20, "Warning", "from index 'Users/By Name'")]
    [InlineData("from index 'Nobody' where a = 1", 11, 19, "Error", "There is no index 'Nobody'")]
    [InlineData("from Users where", 16, 16, "Error", "found the end of the query")]
    [InlineData("from Users where startsWith(Name)", 17, 27, "Error", "takes 2 arguments")]
    public async Task Remarks_SayWhatIsWrongAndWhere(string text, int start, int end, string severity, string message)
    {
        JsonElement remark = Assert.Single((await ParseAsync(text + "|")).GetProperty("Remarks").EnumerateArray().ToArray());

        Assert.Contains(message, remark.GetProperty("Message").GetString(), StringComparison.Ordinal);
        Assert.Equal((start, end), (remark.GetProperty("Start").GetInt32(), remark.GetProperty("End").GetInt32()));
        Assert.Equal(severity, remark.GetProperty("Severity").GetString());
    }

    [Fact]
    public async Task Completion_OfNamesWithDots_DoesNotFail()
    {
        await _server.PutAsync("dots/1", "Dots", """{"a.b":1,"a":{"b":{"c":1,"dd":2}},"x":[{"y.z":1}]}""");
        JsonElement items = (await ParseAsync("from Dots where a.b.|")).GetProperty("Completion").GetProperty("Items");

        Assert.Equal(["c", "dd"], items.EnumerateArray().Select(item => item.GetProperty("Text").GetString()));
    }

    [Theory]
    [InlineData("from users where Name = $n and Age > $a or Name = $n limit $t")]
    [InlineData("from @all_docs where id() = $n and $a = $n or id() = $t")]
    [InlineData("declare function f(x) { return x + $n; } from Users as u where u.A = $a select { B: f(u.B), C: `${u.C} ${$t}`, D: $a, E: my$var }")]
    [InlineData("from Users where A = $n update { this.A = $a; this.B = [$t,$n]; }")]
    public async Task Parameters_AreNamedOnce(string text)
    {
        JsonElement answer = await ParseAsync(text + "|");

        Assert.Equal(["n", "a", "t"], answer.GetProperty("Parameters").EnumerateArray().Select(name => name.GetString()));
        Assert.Equal(text.Contains("update", StringComparison.Ordinal), answer.GetProperty("HasUpdate").GetBoolean());
    }

    [Theory]
    [InlineData("""{}""", "no member 'Query'")]
    [InlineData("""{"Query":1}""", "Query")]
    [InlineData("""{"Query":"from X","Position":7}""", "'Position' is 7; it must be 0 to 6")]
    [InlineData("""{"Query":"from X","Position":-1}""", "'Position' is -1")]
    [InlineData("""{"Query":"from X","Position":1.5}""", "whole number")]
    [InlineData("""{"Query":"from X","QueryParameters":[]}""", "'QueryParameters' must be an object")]
    public async Task WrongBodies_AreRefused(string body, string message) =>
        (await _server.DbAsync("POST", "/queries/parse", body)).AssertProblem(400, "ArgumentException", message);

    [Fact]
    public async Task LongestText_IsRead_LongerIsRefused()
    {
        string start = "from Users where Name = '";
        string longest = start + new string('x', 256 * 1024 - start.Length - 1) + "'";
        Assert.Empty((await ParseAsync(longest + "|")).GetProperty("Remarks").EnumerateArray());

        Answer refused = await _server.DbAsync("POST", "/queries/parse", JsonSerializer.Serialize(new { Query = longest + " " }));
        refused.AssertProblem(400, "ArgumentException", "262145 characters");
    }

    private static string Filler(Random random) => random.Next(5) switch
    {
        0 => "x",
        1 => "1",
        2 => "=",
        3 => ",",
        _ => "'t'",
    };

    private async Task<JsonElement> ParseAsync(string marked)
    {
        int position = marked.IndexOf('|', StringComparison.Ordinal);
        object body = new { Query = marked.Remove(position, 1), Position = position, QueryParameters = new { city = "Oslo" } };
        Answer answer = await _server.DbAsync("POST", "/queries/parse", JsonSerializer.Serialize(body));
        Assert.True(answer.Status == 200, answer.Text);
        return answer.Json;
    }
}
