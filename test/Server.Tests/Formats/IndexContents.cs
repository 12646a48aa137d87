using System.Text.Json;
using Jackdaw.Indexing;
using Jackdaw.Pal.Native;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Formats;

/// <summary>Indexes of every kind that there was in version 2 of the format, over documents, counters and compare exchange values.</summary>
/// <param name="data">A data folder.</param>
internal sealed class IndexContents(string data)
{
    /// <summary>When the indexes were built; whoever opens them later does so at another time.</summary>
    private static readonly TimeSpan s_built = TimeSpan.FromDays(1);

    private static readonly string[] s_indexes = ["Auto/Users/ByName", "Cities", "CityCounters", "Domains", "Likes", "LikesScript", "Names", "Totals"];

    public async Task WriteAsync()
    {
        await using ServerFixture server = await StartAsync(s_built);
        foreach ((string id, string json) in new[]
        {
            ("users/1", """{"Name":"Ann","City":"cities/1"}"""), ("users/2", """{"Name":"Bob","City":"cities/2"}"""),
            ("users/3", """{"Name":"Cid","City":"cities/1"}"""),
        })
        {
            await server.PutAsync(id, "Users", json);
        }

        await server.PutAsync("cities/1", "Cities", """{"Name":"Oslo"}""");
        await server.PutAsync("cities/2", "Cities", """{"Name":"Rome"}""");
        await server.PutAsync("orders/1", "Orders", """{"Company":"x","Sum":1}""");
        await server.PutAsync("orders/2", "Orders", """{"Company":"x","Sum":2}""");
        await server.PutAsync("orders/3", "Orders", """{"Company":"y","Sum":4}""");
        await CountAsync(server, "users/1", "Likes", 3);
        await CountAsync(server, "users/2", "Likes", 5);
        await PutValueAsync(server, "mail/ann", 0, "x.org");
        await PutIndexesAsync(server);
        Assert.Equal("users/2", await server.IdsAsync("from Users where Name = 'Bob'"));
        await server.SettledAsync();

        // So that each has followed something, too.
        await CountAsync(server, "users/1", "Likes", 1);
        await PutValueAsync(server, "mail/bob", 0, "y.org");
        await server.PutAsync("cities/2", "Cities", """{"Name":"Roma"}""");
        await server.SettledAsync();
    }

    /// <summary>Opens them with this program: they answer from what was stored at once, and are built again, because their entries were made by older
    /// rules.</summary>
    public async Task CheckAsync()
    {
        // On the disk, before anything opens: an index may have been replaced by the time that the last one is open.
        HashSet<string> folders = [.. Directory.GetDirectories(data, "*", SearchOption.AllDirectories).Select(path => Path.GetFileName(path))];
        await using ServerFixture server = await StartAsync(s_built * 2);
        foreach (DatabaseIndex index in server.Indexes.All)
        {
            Assert.True(await index.WaitForOpenAsync(TimeSpan.FromMinutes(1), default), index.Name);
        }

        await CheckAnswersAsync(server, waits: false);
        await server.SettledAsync();
        await CheckAnswersAsync(server, waits: true);
        await Eventually.IsTrueAsync(() => server.Indexes.All.All(index => index.Record.Replaces is null && !folders.Contains(index.Record.Folder)));
        await CheckAnswersAsync(server, waits: true);
        Assert.Equal(s_indexes, server.Indexes.All.Select(index => index.Name));
        foreach (DatabaseIndex index in server.Indexes.All)
        {
            Assert.True(index.Failures.Last is null, $"{index.Name}: {index.Failures.Last}");
        }

        await CheckChangesAsync(server);
    }

    private static async Task CheckAnswersAsync(ServerFixture server, bool waits)
    {
        foreach ((string query, string ids) in new[]
        {
            ("from Users where Name = 'Bob'", "users/2"),
            ("from index 'Names' where Name = 'ann'", "users/1"),
            ("from index 'Likes' where Value > 3 order by id()", "users/1,users/2"),
            ("from index 'LikesScript' where Value = 4", "users/1"),
            ("from index 'Domains' where Domain = 'x.org'", "users/1"),
            ("from index 'Domains' where Domain = 'y.org'", "users/2"),
            ("from index 'Cities' where City = 'Roma'", "users/2"),
            ("from index 'CityCounters' where City = 'Oslo' and Value = 4", "users/1"),
        })
        {
            Assert.Equal(ids, await FindAsync(server, query, waits));
        }

        Assert.Equal("""{"Company":"x","Sum":3} {"Company":"y","Sum":4}""", await FindAsync(server, "from index 'Totals' order by Company", waits));
    }

    // Documents, counters and values that come later, and ones that go.
    private static async Task CheckChangesAsync(ServerFixture server)
    {
        await server.PutAsync("users/4", "Users", """{"Name":"Dan","City":"cities/1"}""");
        await CountAsync(server, "users/4", "Likes", 50);
        await CountAsync(server, "users/2", "Likes", 45);
        await PutValueAsync(server, "mail/dan", 0, "x.org");
        await server.PutAsync("orders/4", "Orders", """{"Company":"y","Sum":8}""");
        await server.DeleteAsync("users/1");
        await server.PutAsync("cities/1", "Cities", """{"Name":"Bergen"}""");
        foreach ((string query, string ids) in new[]
        {
            ("from Users where Name = 'Dan'", "users/4"),
            ("from index 'Names' where Name in ('ann', 'dan')", "users/4"),
            ("from index 'Likes' where Value = 50 order by id()", "users/2,users/4"),
            ("from index 'LikesScript' where Value = 50 order by id()", "users/2,users/4"),
            ("from index 'LikesScript' where Value = 4", ""),
            ("from index 'Domains' where Domain = 'x.org'", "users/4"),
            ("from index 'Cities' where City = 'Bergen' order by id()", "users/3,users/4"),
            ("from index 'CityCounters' where City = 'Bergen'", "users/4"),
        })
        {
            Assert.Equal(ids, await FindAsync(server, query, waits: true));
        }

        Assert.Equal("""{"Company":"x","Sum":3} {"Company":"y","Sum":12}""", await FindAsync(server, "from index 'Totals' order by Company", waits: true));
    }

    private static async Task PutIndexesAsync(ServerFixture server)
    {
        foreach ((string name, string map, string? reduce) in new[]
        {
            ("Names", "map('Users', u => ({ Name: u.Name.toLowerCase() }))", null),
            ("Totals", "from o in docs.Orders select new { o.Company, o.Sum }",
                "from r in results group r by r.Company into g select new { Company = g.Key, Sum = g.Sum(x => x.Sum) }"),
            ("Likes", "from c in counters.Users.Likes select new { c.Value }", null),
            ("LikesScript", "counters.map('Users', 'Likes', c => ({ Value: c.Value }))", null),
            ("Domains", "from u in docs.Users select new { Domain = LoadCompareExchangeValue(\"mail/\" + u.Name).Domain }", null),
            ("Cities", "from u in docs.Users select new { City = LoadDocument(u.City, \"Cities\").Name }", null),
            ("CityCounters", "from c in counters.Users let u = LoadDocument(c.DocumentId, \"Users\") " +
                "select new { c.Value, City = LoadDocument(u.City, \"Cities\").Name }", null),
        })
        {
            Answer answer = await server.PutIndexAsync(name, map, reduce);
            Assert.True(answer.Status == 201, answer.Text);
        }
    }

    private static async Task<string> FindAsync(ServerFixture server, string query, bool waits)
    {
        Answer answer = await server.QueryAsync(query, waits);
        Assert.True(answer.Status == 200, answer.Text);
        Assert.False(answer.Json.GetProperty("IsStale").GetBoolean(), answer.Text);
        return string.Join(query.Contains("Totals", StringComparison.Ordinal) ? ' ' : ',', answer.Json.GetProperty("Results").EnumerateArray()
            .Select(row => row.GetProperty("@metadata").TryGetProperty("@id", out JsonElement id) ? id.GetString() : QueryRequests.WithoutMetadata(row)));
    }

    private static async Task CountAsync(ServerFixture server, string id, string counter, int delta)
    {
        Answer answer = await server.DbAsync("POST", "/counters", $$$"""
            {"Documents":[{"DocumentId":"{{{id}}}","Operations":[{"Type":"Increment","CounterName":"{{{counter}}}","Delta":{{{delta}}}}]}]}
            """);
        Assert.True(answer.Status == 200, answer.Text);
    }

    private static async Task PutValueAsync(ServerFixture server, string key, long index, string domain)
    {
        Answer answer = await server.DbAsync(
            "PUT", $"/cmpxchg?key={Uri.EscapeDataString(key)}&index={index}", $$$"""{"Object":{"Domain":"{{{domain}}}"}}""");
        Assert.True(answer.Json.GetProperty("Successful").GetBoolean(), answer.Text);
    }

    private async Task<ServerFixture> StartAsync(TimeSpan at)
    {
        var time = new ManualTime();
        time.Advance(at);
        return await ServerFixture.StartAsync(new ServerSetup { Platform = new NativePlatform(), DataDir = data, Database = "shop", DatabaseTime = time });
    }
}
