using System.Globalization;
using System.Text.Json;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>Conditions with values that the server fills in: the time, compare exchange values; and those that parameters turn on and off.</summary>
public sealed class BoundConditionTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await PutAsync("users/1", "Ann", DateTime.UtcNow.AddDays(-1), 1);
        await PutAsync("users/2", "Bob", DateTime.UtcNow.AddDays(-30), 2);
        await PutAsync("users/3", "Cid", DateTime.UtcNow.AddDays(2), 3);
        await PutValueAsync("email", "\"ANN\"");
        await PutValueAsync("config", """{"Name":"bob","Age":3,"Tags":["a","b"],"None":null,"Deep":{"Id":"users/2"}}""");
        await _server.PutIndexAsync("Names", "from u in docs.Users select new { u.Name, u.At, u.Age }");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("At > now()", "users/3")]
    [InlineData("At < NOW()", "users/1,users/2")]
    [InlineData("At > now('-7d')", "users/1,users/3")]
    [InlineData("At > now($offset)", "users/1,users/3")]
    [InlineData("At between now('-7d') and now()", "users/1")]
    [InlineData("At < today()", "users/1,users/2")]
    [InlineData("At > today() and Name != 'x'", "users/3")]
    [InlineData("Name = cmpxchg('email')", "users/1")]
    [InlineData("Name = cmpxchg('EMAIL')", "users/1")]
    [InlineData("Name = cmpxchg($key)", "users/1")]
    [InlineData("Name = cmpxchg('config').Name", "users/2")]
    [InlineData("Age >= cmpxchg('config').Age", "users/3")]
    [InlineData("startsWith(Name, cmpxchg('email'))", "users/1")]
    [InlineData("Name = cmpxchg('missing')", "")]
    [InlineData("Name = cmpxchg('config').None", "")]
    [InlineData("Name != cmpxchg('config').Missing", "users/1,users/2,users/3")]
    [InlineData("id() = cmpxchg('config').Deep.Id", "users/2")]
    [InlineData("when($key != null, Name = 'ann')", "users/1")]
    [InlineData("when($none != null, Name = $none)", "users/1,users/2,users/3")]
    [InlineData("when($none = null, Name = 'ann')", "users/1")]
    [InlineData("Age > 1 and not when($none != null, Name = $none)", "users/2,users/3")]
    [InlineData("Age > 1 and not when($none = null, Name = 'bob')", "users/3")]
    [InlineData("Age = 1 or when($three = 3, Age = $three)", "users/1,users/3")]
    [InlineData("Age = 1 or when($three < 3, Age = $three)", "users/1")]
    [InlineData("when($tags in ('B', 'c'), Age = 2) and when($tags all in ('a', 'b'), Name = 'bob')", "users/2")]
    [InlineData("when($tags in ('c'), Age = 2) and when($tags all in ('a', 'c'), Name = 'bob')", "users/1,users/2,users/3")]
    [InlineData("when($yes = true and ($key = 'EMAIL' or $three = 4), Age = 2)", "users/2")]
    [InlineData("exact(when($yes != true, Name = 'x')) and Age = 2", "users/2")]
    [InlineData("when(not $yes = true, Age = 2)", "users/1,users/2,users/3")]
    [InlineData("when($yes = true, when($three = 3, Name = cmpxchg('email')))", "users/1")]
    public async Task Where_BoundValues_FindTheSameInAllIndexes(string condition, string ids)
    {
        foreach (string from in (string[])["from Users", "from index 'Names'"])
        {
            Answer answer = await AskAsync($"{from} where {condition}");
            Assert.True(answer.Status == 200, answer.Text);
            Assert.Equal(ids, string.Join(',', Ids(answer).Order(StringComparer.Ordinal)));
        }
    }

    [Theory]
    [InlineData("Name = cmpxchg('email')", "users/1")]
    [InlineData("Age >= cmpxchg('config').Age", "users/3")]
    [InlineData("when($none != null, Name = $none)", "users/1,users/2,users/3")]
    [InlineData("when($yes = true, Name = 'bob')", "users/2")]
    public async Task Filter_BoundValues_AreACollectionQuery(string condition, string ids)
    {
        Answer answer = await AskAsync($"from Users filter {condition}");
        Assert.True(answer.Status == 200, answer.Text);
        Assert.Equal("collection/Users", answer.Json.GetProperty("IndexName").GetString());
        Assert.Equal(ids, string.Join(',', Ids(answer)));
    }

    [Theory]
    [InlineData("where At > now('7')", "1:23: 'now' takes a text such as")]
    [InlineData("where At > now('-1d1y')", "the larger units first")]
    [InlineData("where At > now('1d1d')", "the larger units first")]
    [InlineData("where At > now('-9999y')", "the years 1 to 9999")]
    [InlineData("where At > now('99999999999999999999s')", "the years 1 to 9999")]
    [InlineData("where At > now(5)", "'now' takes a text")]
    [InlineData("where At > now().Year", "has no members")]
    [InlineData("filter At > now()", "'now' cannot be used in 'filter'")]
    [InlineData("filter At > today()", "'today' cannot be used in 'filter'")]
    [InlineData("where cmpxchg('email')", "'cmpxchg' is a value, not a condition")]
    [InlineData("where Name = cmpxchg('config')", "an array or an object")]
    [InlineData("where Name = cmpxchg('config').Tags", "an array or an object")]
    [InlineData("where Name = cmpxchg($none)", "'$none' was not sent")]
    [InlineData("where when($key > 5, Age = 1)", "cannot compare a value of the kind String with one of the kind Long")]
    [InlineData("where when($yes > false, Age = 1)", "compared with = and != only")]
    [InlineData("where when(Age = 1, Age = 1)", "compares parameters with values")]
    [InlineData("where when(when($yes = true, $yes = true), Age = 1)", "compares parameters with values")]
    public async Task Post_WhatHasNoValue_IsRefusedWithItsPlace(string rest, string message)
    {
        Answer answer = await AskAsync($"from Users {rest}");
        answer.AssertProblem(400, "InvalidQueryException", message);
    }

    [Theory]
    [InlineData("from Users where At > now()")]
    [InlineData("from Users where At > today()")]
    public async Task Post_ValuesOfTheMoment_HaveNoETag(string query) => Assert.Null((await AskAsync(query)).Header("ETag"));

    [Fact]
    public async Task Post_When_HasAnETagAndOneIndexForAllParameters()
    {
        const string query = "from Users where when($key != null, Name = $key) and when($three != null, Age = $three)";
        Answer both = await AskAsync(query);
        Assert.NotNull(both.Header("ETag"));
        Answer none = await _server.QueryAsync(query);
        Assert.Equal("Auto/Users/ByAgeAndName", both.Json.GetProperty("IndexName").GetString());
        Assert.Equal("Auto/Users/ByAgeAndName", none.Json.GetProperty("IndexName").GetString());
        Assert.NotEqual(both.Header("ETag"), none.Header("ETag"));
    }

    [Theory]
    [InlineData("-7d", "2024-02-23T00:00:00.0000000Z")]
    [InlineData("+2d", "2024-03-03T00:00:00.0000000Z")]
    [InlineData("90m", "2024-03-01T12:00:00.0000000Z")]
    [InlineData("-1y6mo", "2022-09-01T00:00:00.0000000Z")]
    [InlineData("-1y", "2023-01-01T00:00:00.0000000Z")]
    [InlineData("1d2h3m4s", "2024-03-02T12:33:09.0000000Z")]
    [InlineData("0s", "2024-03-01T10:30:05.0000000Z")]
    public void TryMove_Offset_IsAddedAndFlooredToItsSmallestUnit(string offset, string moved)
    {
        var now = DateTime.Parse("2024-03-01T10:30:05.1234567Z", CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal);
        Assert.True(MomentText.TryMove(now, offset, out DateTime time));
        Assert.Equal(moved, MomentText.Of(time));
    }

    [Theory]
    [InlineData("")]
    [InlineData("-")]
    [InlineData("d")]
    [InlineData("1")]
    [InlineData("1w")]
    [InlineData("1D")]
    [InlineData("1 d")]
    [InlineData("1d-1h")]
    [InlineData("1h1d")]
    [InlineData("1h1h")]
    [InlineData("8000y")]
    [InlineData("999999999999d")]
    [InlineData("999999999999mo")]
    public void TryMove_NoOffset_IsRefused(string offset) => Assert.False(MomentText.TryMove(new DateTime(2024, 3, 1), offset, out _));

    private static IEnumerable<string> Ids(Answer answer) =>
        answer.Json.GetProperty("Results").EnumerateArray().Select(row => row.GetProperty("@metadata").GetProperty("@id").GetString()!);

    private Task<Answer> AskAsync(string query) => _server.QueryAsync(query, more: new
    {
        QueryParameters = new { offset = "-7d", key = "email", three = 3, yes = true, tags = (string[])["a", "b"] },
    });

    private Task PutAsync(string id, string name, DateTime at, int age) =>
        _server.PutAsync(id, "Users", JsonSerializer.Serialize(new { Name = name, At = MomentText.Of(at), Age = age }));

    private async Task PutValueAsync(string key, string value)
    {
        Answer answer = await _server.DbAsync("PUT", $"/cmpxchg?key={key}&index=0", $$"""{"Object":{{value}}}""");
        Assert.True(answer.Status is 200 or 201, answer.Text);
    }
}
