using System.Text;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>What paths mean, in every clause that names them.</summary>
public sealed class PathQueryTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Where_QuotedNameWithADot_IsAnotherFieldThanThePath()
    {
        await _server.PutAsync("d/1", "Ds", """{"Headers":{"ABC.DEF":"x"},"A.B":2,"A":{"B":1},"":{"":"e"}}""");
        foreach (string clause in new[] { "where", "filter" })
        {
            foreach (string condition in new[]
            {
                "A.B = 1", "'A.B' = 2", "Headers.'ABC.DEF' = 'x'", "Headers['ABC.DEF'] = 'x'", "true and not Headers.'ABC.DEF' != 'x'",
                "exists(Headers.'ABC.DEF')", "''.'' = 'e'",
            })
            {
                Assert.Equal("d/1", await _server.IdsAsync($"from Ds {clause} {condition}"));
            }

            foreach (string condition in new[] { "A.B = 2", "'A.B' = 1", "Headers.'ABC.DEF' != 'x'", "Headers.ABC.DEF = 'x'", "exists('Headers.ABC.DEF')" })
            {
                Assert.Equal("", await _server.IdsAsync($"from Ds {clause} {condition}"));
            }
        }

        Assert.Equal(["""{"K":"x","C":1}"""], await _server.RowsAsync("from Ds group by Headers.'ABC.DEF' select key() as K, count() as C"));
        Assert.Equal(["""{"Headers.ABC.DEF":"x","N":1}"""], await _server.RowsAsync(
            "from Ds group by Headers.'ABC.DEF' select Headers.'ABC.DEF', count() as N"));
        Assert.Equal(["""{"Headers.ABC.DEF":"x"}"""], await _server.RowsAsync("from Ds select Headers.'ABC.DEF'"));
        Assert.Equal(["""{"K":{"A.B":1,"'A.B'":2}}"""], await _server.RowsAsync("from Ds group by A.B, 'A.B' select key() as K"));
    }

    [Fact]
    public async Task GroupBy_NamesThatDifferInCasingOrLookAlike_AreDifferentGroups()
    {
        await _server.PutAsync("g/1", "Gs", """{"a":1,"A":2,"AAndB":3,"B":4}""");
        Assert.Equal(["""{"K":1}"""], await _server.RowsAsync("from Gs group by a select key() as K"));
        Assert.Equal(["""{"K":2}"""], await _server.RowsAsync("from Gs group by A select key() as K"));
        Assert.Equal(["""{"K":3}"""], await _server.RowsAsync("from Gs group by AAndB select key() as K"));
        Assert.Equal(["""{"K":{"A":2,"B":4}}"""], await _server.RowsAsync("from Gs group by A, B select key() as K"));
        Assert.Equal(["""{"K":1}"""], await _server.RowsAsync("from Gs group by a select key() as K"));
    }

    [Fact]
    public async Task ComputedMembers_OfLists_AreTheSameInEveryClause()
    {
        await _server.PutAsync("t/1", "Ts", """{"Tags":["a","b"],"At":"1998-05-06T00:00:00"}""");
        await _server.PutAsync("t/2", "Ts", """{"Tags":[],"At":"1999-05-06T00:00:00"}""");
        foreach (string clause in new[] { "where", "filter" })
        {
            Assert.Equal("t/1", await _server.IdsAsync($"from Ts {clause} Tags.Count > 0"));
            Assert.Equal("t/2", await _server.IdsAsync($"from Ts {clause} Tags.Length = 0"));
            Assert.Equal("t/1", await _server.IdsAsync($"from Ts {clause} Tags[0] = 'a'"));
            Assert.Equal("", await _server.IdsAsync($"from Ts {clause} Tags[0] = 'b'"));
            Assert.Equal("t/1", await _server.IdsAsync($"from Ts {clause} At.Year = 1998"));
            Assert.Equal("t/1,t/2", await _server.IdsAsync($"from Ts {clause} At.Month = 5"));
        }

        Assert.Equal(["""{"C":2,"Y":1998}""", """{"C":0,"Y":1999}"""], await _server.RowsAsync("from Ts select Tags.Count as C, At.Year as Y"));
        Assert.Equal("t/2,t/1", await _server.IdsAsync("from Ts order by Tags.Count as long"));
        Assert.Equal("t/2,t/1", await _server.IdsAsync("from Ts order by At.Year as long desc"));
        Assert.Equal(["""{"K":1998,"S":2}""", """{"K":1999,"S":0}"""],
            await _server.RowsAsync("from Ts group by At.Year order by At.Year as long select key() as K, sum(Tags.Count) as S"));
        Assert.Equal(["""{"K":null}""", """{"K":"a"}"""], await _server.RowsAsync("from Ts group by Tags[0] order by Tags[0] select key() as K"));
        string facet = Assert.Single(await _server.RowsAsync("from Ts select facet(Tags.Count)"));
        Assert.StartsWith("""{"Name":"Tags.Count","Values":[{"Name":null,"Count":1,"Range":"0"},{"Name":null,"Count":1,"Range":"2"}],""", facet,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task Select_ListsOfOneArray_BelongTogether()
    {
        await _server.PutAsync("l/1", "Ls", """{"Lines":[{"P":"a","D":5},{"P":"b"}]}""");
        Assert.Equal(["""{"P":["a","b"],"D":[5,null]}"""], await _server.RowsAsync("from Ls select Lines[].P as P, Lines[].D as D"));
    }

    [Fact]
    public async Task Metadata_ThatTheServerKeeps_ReadsTheSameEverywhere()
    {
        await _server.PutAsync("m/1", "Ms", "{}");
        await _server.PutAsync("m/2", "Ms", "{}");
        Answer counter = await _server.DbAsync("POST", "/counters",
            """{"Documents":[{"DocumentId":"m/2","Operations":[{"Type":"Increment","CounterName":"likes","Delta":1}]}]}""");
        Assert.True(counter.Status == 200, counter.Text);
        string[] names = ["@id", "@collection", "@change-vector", "@last-modified", "@etag", "@flags", "@counters"];
        string select = string.Join(", ", names.Select((name, i) => $"@metadata.{name} as F{i}"));
        string[] rows = await _server.RowsAsync($"from Ms where id() = 'm/2' select {select}");
        Assert.DoesNotContain("null", rows[0], StringComparison.Ordinal);

        string script = string.Join(", ", names.Select((name, i) => $"F{i}: getMetadata(m)['{name}']"));
        Assert.Equal(rows, await _server.RowsAsync($"from Ms as m where id() = 'm/2' select {{ {script} }}"));

        string fields = string.Join(", ", names.Select((name, i) => $"F{i} = MetadataFor(m)[\"{name}\"], G{i} = m[\"@metadata\"][\"{name}\"]"));
        var all = new { Fields = new Dictionary<string, object> { ["__all_fields"] = new { Storage = "Yes" } } };
        await _server.PutIndexAsync("CSharp", $"from m in docs.Ms select new {{ {fields} }}", more: all);
        await _server.PutIndexAsync("Script", $"map('Ms', m => ({{ {script} }}))", more: all);
        foreach ((string index, string letter) in new[] { ("CSharp", "F"), ("CSharp", "G"), ("Script", "F") })
        {
            string stored = string.Join(", ", names.Select((_, i) => $"{letter}{i} as F{i}"));
            string query = $"from index '{index}' where {letter}0 = 'm/2' select {stored}";
            Assert.Equal(rows, await _server.RowsAsync(query, new { ProjectionBehavior = "FromIndex" }));
        }

        using System.Text.Json.JsonDocument values = System.Text.Json.JsonDocument.Parse(rows[0]);
        for (int i = 0; i < names.Length; i++)
        {
            System.Text.Json.JsonElement value = values.RootElement.GetProperty($"F{i}");
            string literal = value.ValueKind == System.Text.Json.JsonValueKind.Array ? "'likes'"
                : value.ValueKind == System.Text.Json.JsonValueKind.Number ? value.GetRawText() : $"'{value.GetString()}'";
            string expected = names[i] == "@collection" ? "m/1,m/2" : "m/2";
            Assert.Equal(expected, await _server.IdsAsync($"from Ms where @metadata.{names[i]} = {literal} order by id()"));
            Assert.Equal(expected, await _server.IdsAsync($"from Ms filter @metadata.{names[i]} = {literal}"));
            Assert.Equal(names[i] == "@collection" ? 1 : 2, (await _server.RowsAsync($"from Ms group by @metadata.{names[i]} select key() as K")).Length);
        }

        Assert.Equal("m/2,m/1", await _server.IdsAsync("from Ms order by @metadata.@last-modified desc"));
        Assert.Equal("m/1,m/2", await _server.IdsAsync("from Ms where @metadata.@last-modified.Year > 2020 order by id()"));
        Assert.Equal("m/2", await _server.IdsAsync("from Ms where @metadata.@counters.Count = 1"));
    }

    [Fact]
    public async Task Metadata_OfADocumentWithoutCollection_NamesTheEmptyOne()
    {
        await _server.DbAsync("PUT", "/docs?id=e/1", "{}");
        Assert.Equal("e/1", await _server.IdsAsync("from @all_docs filter @metadata.@collection = '@empty'"));
        Assert.Equal("e/1", await _server.IdsAsync("from @all_docs where @metadata.@collection = '@empty'"));
        Assert.Equal(["""{"C":"@empty","M":{}}"""], await _server.RowsAsync("from @all_docs as d select { C: getMetadata(d)['@collection'], M: {} }"));
    }

    [Fact]
    public async Task Metadata_OfLoadedDocuments_IsThatOfTheServer()
    {
        await _server.PutAsync("f/1", "Firms", """{"Name":"Acme"}""");
        await _server.PutAsync("u/1", "Users", """{"Firm":"f/1"}""");
        Assert.Equal(["""{"I":"f/1"}"""], await _server.RowsAsync(
            "from Users as u load u.Firm as f filter f.@metadata.@last-modified > '2020-01-01' select f.@metadata.@id as I"));
    }

    [Theory]
    [InlineData("Headers.'ref.id'")]
    [InlineData("\"Headers.'ref.id'\"")]
    [InlineData("Refs[1].Id")]
    [InlineData("'Refs[1].Id'")]
    [InlineData("Named.$Values[].Id")]
    [InlineData("'Named.Values.Id'")]
    public async Task Include_Path_MeansTheSameAsInOtherClauses(string path)
    {
        await _server.PutAsync("r/1", "Rs", "{}");
        await _server.PutAsync("r/2", "Rs", "{}");
        await _server.PutAsync("i/1", "Is", """{"Headers":{"ref.id":"r/2"},"Refs":[{"Id":"r/1"},{"Id":"r/2"}],"Named":{"x":{"Id":"r/2"}}}""");
        Answer answer = await _server.QueryAsync($"from Is include {path}");
        Assert.True(answer.Status == 200, answer.Text);
        Assert.Equal(["r/2"], answer.Json.GetProperty("Includes").EnumerateObject().Select(include => include.Name));
    }

    [Fact]
    public async Task Index_OfAnEarlierVersionWhosePathsMeantSomethingElse_IsMadeAgain()
    {
        await _server.PutAsync("t/1", "Ts", """{"Tags":["a","b"]}""");
        foreach (string query in new[] { "from Ts where Tags[0] = 'a'", "from @all_docs where Name = 'x'" })
        {
            await _server.IdsAsync(query);
        }

        await _server.Indexes.ChangeAsync(["Auto/Ts/ByTags[0]", "Auto/AllDocs/ByName"], record => record with
        {
            Definition = Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(record.Definition.Span).Replace("\"PathForm\":1,", "", StringComparison.Ordinal)),
        }, default);
        await _server.RestartAsync();
        Assert.Equal(["Auto/AllDocs/ByName"], _server.Indexes.All.Select(index => index.Name));
        Assert.Equal("t/1", await _server.IdsAsync("from Ts where Tags[0] = 'a'"));
        Assert.Equal("", await _server.IdsAsync("from Ts where Tags[0] = 'b'"));
    }
}
