using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Index definitions in JavaScript from their texts to queries over HTTP.</summary>
public sealed class JavaScriptMappingTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("users/1", "Users", """{"name":"Ann","age":40,"tags":["a","b"],"company":"companies/1","at":"2020-02-03T04:05:06Z"}""");
        await _server.PutAsync("users/2", "Users", """{"name":"Bob","age":30,"tags":[],"company":"companies/2"}""");
        await _server.PutAsync("users/3", "Users", """{"name":null,"age":30,"tags":["b"]}""");
        await _server.PutAsync("companies/1", "Companies", """{"name":"Acme","age":7}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("map('Users', u => ({ name: u.name }))", "where name = 'ANN'", "users/1")]
    [InlineData("map('Users', function (u) { if (u.age < 40) { return { age: u.age }; } });", "where age = 30", "users/2,users/3")]
    [InlineData("map('Users', u => u.tags.map(t => ({ tag: t })))", "where tag = 'b'", "users/1,users/3")]
    [InlineData("map('Users', u => ({ c: load(u.company, 'Companies').name }))", "where c = 'acme'", "users/1")]
    [InlineData("map('Users', u => ({ key: id(u), coll: getMetadata(u)['@collection'] }))", "where key = 'users/2' and coll = 'users'", "users/2")]
    [InlineData("map('Users', u => ({ year: new Date(u.at).getFullYear() }))", "where year = 2020", "users/1")]
    [InlineData("map('Users', u => ({ name: u.name, age: u.age }))", "where name = null", "users/3")]
    [InlineData("map('Users', u => ({ name: u.name }))", "where name = null", "users/3")]
    [InlineData(
        "map('Users', u => ({ _: u.tags.map(t => createField('tag_' + t, u.age, { indexing: 'Exact' })) }))", "where tag_b >= 30", "users/1,users/3")]
    [InlineData("map('Users', u => ({ _: { $value: u.name, $name: 'n', $options: { storage: true } } }))", "where n = 'ann'", "users/1")]
    [InlineData("map('@all_docs', d => ({ age: d.age }))", "where age < 31 order by age as long", "companies/1,users/2,users/3")]
    [InlineData("map('Users', u => ({ both: mr(u.name) }))", "where both = 'mr. bob'", "users/2")]
    public async Task Query_OfAMap_FindsItsDocuments(string map, string clauses, string ids)
    {
        Answer put = await _server.DbAsync("PUT", "/indexes", JsonSerializer.Serialize(new
        {
            Indexes = new[]
            {
                new { Name = "I", Maps = new[] { map }, AdditionalSources = new { Script = "function mr(x) { return 'Mr. ' + x; }" } },
            },
        }));
        Assert.True(put.Status == 201, put.Text);
        Assert.Equal(ids, await _server.IdsAsync($"from index 'I' {clauses}"));
    }

    [Theory]
    [InlineData("map('Places', p => ({ at: createSpatialField(p.lat, p.lng) }))", "at")]
    [InlineData("map('Places', p => ({ at: createSpatialField(p.lat ? `POINT (${p.lng} ${p.lat})` : null) }))", "at")]
    [InlineData("map('Places', p => ({ at: [createSpatialField(0, 0), createSpatialField(p.lat, p.lng)] }))", "at")]
    [InlineData("map('Places', p => ({ _: createField('where', createSpatialField(p.lat, p.lng)) }))", "where")]
    [InlineData("map('Places', p => ({ _: { $name: 'where', $value: createSpatialField(p.lat, p.lng) } }))", "where")]
    public async Task Query_OfShapes_FindsThoseWithin(string map, string field)
    {
        await _server.PutAsync("places/1", "Places", """{"lat":48.4,"lng":9.99}""");
        await _server.PutAsync("places/2", "Places", """{"lat":50.73,"lng":7.1}""");
        await _server.PutAsync("places/3", "Places", """{"lat":null,"lng":7.1}""");
        await PutAsync("I", [map], null);
        Assert.Equal("places/1", await _server.IdsAsync($"from index 'I' where spatial.within({field}, spatial.circle(20, 48.4, 10))"));
        Assert.Equal("places/2,places/1", await _server.IdsAsync(
            $"from index 'I' where spatial.within({field}, spatial.wkt('POLYGON((5 45, 12 45, 12 52, 5 52, 5 45))'))"
            + $" order by spatial.distance({field}, spatial.point(50, 7))"));
        Assert.Empty(_server.Indexes.Find("I")!.Failures.List());
    }

    [Fact]
    public async Task Query_OfShapesOfGroups_FindsThem()
    {
        await _server.PutAsync("places/1", "Places", """{"city":"Ulm","lat":48.4,"lng":9.99}""");
        await _server.PutAsync("places/2", "Places", """{"city":"Bonn","lat":50.73,"lng":7.1}""");
        await PutAsync("I", ["map('Places', p => ({ city: p.city, at: createSpatialField(p.lat, p.lng) }))"],
            "groupBy(x => x.city).aggregate(g => ({ city: g.key, at: g.values[0].at }))", new { at = new { Spatial = new { Type = "Geography" } } });
        Assert.Equal(["""{"city":"Ulm","at":"POINT (9.99 48.4)"}"""],
            await _server.RowsAsync("from index 'I' where spatial.within(at, spatial.circle(20, 48.4, 10))"));
    }

    [Fact]
    public async Task Query_OfSeveralMapsAndStoredFields_FindsBoth()
    {
        await PutAsync("I", ["map('Users', u => ({ name: u.name, n: u.age }))", "map('Companies', c => ({ name: c.name, n: [c.age, 'x'] }))"], null,
            new { name = new { Storage = "Yes" }, n = new { Storage = "Yes" } });
        Assert.Equal("companies/1,users/1,users/2", await _server.IdsAsync("from index 'I' where name != null order by name"));
        Assert.Equal(["""{"n":[7,"x"],"name":"Acme"}"""], await _server.RowsAsync("from index 'I' where n = 7 select n, name"));
    }

    [Fact]
    public async Task Reduce_AfterChanges_HasTheGroupsOfNow()
    {
        await PutAsync("I", ["map('Users', u => ({ age: u.age, count: 1, names: [u.name] }))"],
            "groupBy(x => x.age).aggregate(g => ({ age: g.key, count: g.values.reduce((s, v) => s + v.count, 0), "
            + "names: g.values.flatMap(v => v.names) }))");
        Assert.Equal(["""{"age":30,"count":2,"names":["Bob",null]}""", """{"age":40,"count":1,"names":["Ann"]}"""],
            await _server.RowsAsync("from index 'I' order by age as long"));
        await _server.PutAsync("users/1", "Users", """{"name":"Ann","age":30}""");
        await _server.DeleteAsync("users/3");
        Assert.Equal(["""{"age":30,"count":2,"names":["Bob","Ann"]}"""], await _server.RowsAsync("from index 'I' where count > 0"));
    }

    [Fact]
    public async Task Reduce_OfAnObjectKeyAndMoreRowsThanAPart_AddsThemAll()
    {
        await PutAsync("I", ["map('Many', d => ({ a: d.a, b: d.b, n: 1 }))"],
            "groupBy(x => ({ a: x.a, b: x.b })).aggregate(g => ({ a: g.key.a, b: g.key.b, n: g.values.reduce((s, v) => s + v.n, 0) }))");
        const int documents = 300;
        IEnumerable<string> commands = Enumerable.Range(0, documents).Select(i =>
            $$$$"""{"Type":"PUT","Id":"many/{{{{i}}}}","Document":{"a":null,"b":{{{{i % 2}}}},"@metadata":{"@collection":"Many"}}}""");
        Assert.Equal(201, (await _server.DbAsync("POST", "/bulk_docs", $$"""{"Commands":[{{string.Join(',', commands)}}]}""")).Status);
        await _server.DeleteAsync("many/7");
        Assert.Equal(["""{"a":null,"b":0,"n":150}""", """{"a":null,"b":1,"n":149}"""], await _server.RowsAsync("from index 'I' order by b as long"));
    }

    [Fact]
    public async Task Load_OfADocumentThatChangesOrComes_MapsItsLoadersAgain()
    {
        var sources = new { S = "function nameOf(id) { return load(id, 'Companies').name; }" };
        await PutAsync("I", ["map('Users', u => ({ c: nameOf(u.company) }))"], null, null, sources);
        Assert.Equal("users/1", await _server.IdsAsync("from index 'I' where c = 'acme'"));
        await _server.PutAsync("companies/1", "Companies", """{"name":"Other"}""");
        await _server.PutAsync("companies/2", "Companies", """{"name":"Acme"}""");
        Assert.Equal("users/2", await _server.IdsAsync("from index 'I' where c = 'acme'"));
        Assert.Equal(["collection:companies"], _server.Indexes.Find("I")!.Builder!.Sources.Loaded.Select(source => source.Key));
    }

    [Theory]
    [InlineData("map('Users', u => { throw new Error('too far'); })", "too far")]
    [InlineData("map('Users', u => { while (true) ; })", "10000 statements")]
    [InlineData("map('Users', u => { const f = () => f(); return f(); })", "function calls are nested")]
    [InlineData("map('Users', u => { let t = 'x'; while (true) t += t; })", "MB")]
    [InlineData("map('Users', u => new Array(1e9).fill({}))", "elements")]
    [InlineData("map('Users', u => ({ x: /(a+)+$/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!') }))", "regular expression")]
    [InlineData("map('Users', u => 5)", "must return an object")]
    [InlineData("map('Users', u => ({ at: createVector([1, 'x']) }))", "'at': a vector is a list of numbers")]
    [InlineData("map('Users', u => ({ at: createSpatialField('POINT(1') }))", "'at'")]
    [InlineData("map('Users', u => ({ at: createSpatialField('x', 1) }))", "must be a number")]
    [InlineData("map('Users', u => ({ at: createSpatialField(1, 1 / 0) }))", "two finite numbers")]
    [InlineData("map('Users', u => ({ at: createSpatialField(95, 1) }))", "'at'")]
    public async Task Map_ThatFails_IsAnErrorOfItsDocumentAndTheIndexGoesOn(string map, string message)
    {
        await PutAsync("I", [map.Replace("u => ", "u => u.name !== 'Ann' ? { ok: 1 } : (u => ", StringComparison.Ordinal)[..^1] + ")(u))"], null);
        Assert.Equal("users/2,users/3", await _server.IdsAsync("from index 'I' where ok = 1"));
        IndexFailureText failure = Assert.Single(_server.Indexes.Find("I")!.Failures.List().Select(one => new IndexFailureText(one.DocumentId, one.Message)));
        Assert.Equal("users/1", failure.Document);
        Assert.Contains(message, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Map_WithStepsOfItsOwn_StopsThere()
    {
        const string map = "map('Users', u => { let n = 0; for (let i = 0; i < 50; i++) n++; return { n }; })";
        Answer put = await _server.DbAsync("PUT", "/indexes",
            $$$"""{"Indexes":[{"Name":"I","Maps":["{{{map}}}"],"Configuration":{"Indexing.MaxStepsForScript":"20"}}]}""");
        Assert.Equal(201, put.Status);
        await _server.QueryAsync("from index 'I'");
        Assert.Contains("more than 20 statements", _server.Indexes.Find("I")!.Failures.Last!.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("map('Users', u => ({)", null, "Maps", "map 1")]
    [InlineData("map('Users', u => u)", "\n  groupBy(x => x)", "Reduce", "\"Line\":2,\"Column\":3")]
    [InlineData("map('Users', u => u)", "1", "Reduce", "\"Line\":1,\"Column\":1")]
    [InlineData("map('Users', u => u)", "groupBy(x => x)\n.aggregate(1)", "Reduce", "\"Line\":")]
    [InlineData("map('Users', u => u)", "\ngroupBy(1)", "Reduce", "\"Line\":2")]
    [InlineData("map('Users', u => u); groupBy(x => x).aggregate(x => x)", null, "Maps", "Move this call to the Reduce")]
    [InlineData("map('Users', u => u)", "groupBy(x => ", "Reduce", "reduce")]
    [InlineData("map('Users', async u => u)", null, "Maps", "async")]
    [InlineData("timeSeries.map('Users', 'HR', ts => ({ x: 1 }))", null, null, "time series")]
    public async Task Put_OfWhatIsNoDefinition_IsRefusedWithItsPart(string map, string? reduce, string? property, string message)
    {
        Answer put = await _server.DbAsync("PUT", "/indexes",
            JsonSerializer.Serialize(new { Indexes = new[] { new { Name = "I", Maps = new[] { map }, Reduce = reduce } } }));
        Assert.Contains(put.Status, (int[])[400, 500, 501]);
        Assert.Contains(message, put.Text, StringComparison.Ordinal);
        if (property is not null)
        {
            Assert.Contains($"\"IndexDefinitionProperty\":\"{property}\"", put.Text, StringComparison.Ordinal);
        }

        Assert.Null(_server.Indexes.Find("I"));
    }

    [Fact]
    public async Task Put_WithAnOutputCollection_WritesItsGroups()
    {
        await _server.PutAsync("users/1", "Users", """{"age":7}""");
        Answer put = await _server.DbAsync("PUT", "/indexes", JsonSerializer.Serialize(new
        {
            Indexes = new[]
            {
                new
                {
                    Name = "I", Maps = new[] { "map('Users', u => ({ age: u.age }))" },
                    Reduce = "groupBy(x => x.age).aggregate(g => ({ age: g.key }))", OutputReduceToCollection = "Ages",
                },
            },
        }));
        Assert.Equal(201, put.Status);
        await _server.SettledAsync();
        Assert.Equal(["30", "7"], (await _server.QueryAsync("from Ages")).Json.GetProperty("Results").EnumerateArray()
            .Select(row => row.GetProperty("age").GetRawText()).Order());
    }

    [Fact]
    public async Task Reduce_ThatChangesItsKey_IsAnError()
    {
        await PutAsync("I", ["map('Users', u => ({ age: u.age, n: 1 }))"], "groupBy(x => x.age).aggregate(g => ({ n: g.values.length }))");
        Assert.Empty(await _server.RowsAsync("from index 'I'"));
        Assert.Contains("does not belong to its group", _server.Indexes.Find("I")!.Failures.Last!.Message, StringComparison.Ordinal);
    }

    private async Task PutAsync(string name, string[] maps, string? reduce, object? fields = null, object? sources = null)
    {
        Answer put = await _server.DbAsync("PUT", "/indexes", JsonSerializer.Serialize(
            new { Indexes = new[] { new { Name = name, Maps = maps, Reduce = reduce, Fields = fields, AdditionalSources = sources } } }));
        Assert.True(put.Status == 201, put.Text);
    }

    private sealed record IndexFailureText(string? Document, string Message);
}
