using System.Text.Json;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>Fields that some documents do not have, in rows whose members cannot be null.</summary>
public sealed class ProjectedNullTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;

    public async Task InitializeAsync()
    {
        _fixture = await StoreFixture.StartAsync();
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        await session.StoreAsync(new Full { Name = "a", Age = 7, Kind = Kind.Second, At = new DateTime(2024, 1, 2, 0, 0, 0, DateTimeKind.Utc) }, "fulls/1");
        await session.SaveChangesAsync();
        session.Advanced.Patches.Script("fulls/1", "put('fulls/2', { Name: null, '@metadata': { '@collection': 'Fulls' } });", 0);
        await session.SaveChangesAsync();
    }

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task Projections_OfAFieldThatIsNotThere_HaveTheDefault()
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        var rows = await session.Query<Full>().OrderBy(f => f.Id).Select(f => new { f.Name, f.Age, f.Kind, f.At }).ToListAsync();
        Assert.Equal(new { Name = (string?)"a", Age = 7, Kind = Kind.Second, At = new DateTime(2024, 1, 2, 0, 0, 0, DateTimeKind.Utc) }, rows[0]);
        Assert.Equal(new { Name = (string?)null, Age = 0, Kind = Kind.First, At = default(DateTime) }, rows[1]);
        Assert.Equal([7, 0], (await session.Query<Full>().OrderBy(f => f.Id).Select(f => f.Age).ToListAsync()));
        List<Settable> settable = await session.Query<Full>().OrderBy(f => f.Id).ProjectInto<Settable>().ToListAsync();
        Assert.Equal(["a", null], settable.Select(row => row.Name));
        Assert.Equal([7, 0], settable.Select(row => row.Age));
    }

    [Fact]
    public async Task Scripts_WithNullsInParts_HaveTheDefaultThere()
    {
        const string rql = "from Fulls as f where id() = 'fulls/2' "
            + "select { One: { Age: f.Age, Name: null }, Many: [{ Age: null }, { Age: 3 }], Map: { a: { Age: null } } }";
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        Nested row = Assert.Single(await session.Advanced.RawQuery<Nested>(rql).ToListAsync());
        Assert.Equal((0, null), (row.One.Age, row.One.Name));
        Assert.Equal([0, 3], row.Many.Select(one => one.Age));
        Assert.Equal(0, row.Map["a"].Age);
    }

    [Fact]
    public async Task Nulls_OfRequiredMembersAndInLists_AreErrorsWithTheirPath()
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        var required = await Assert.ThrowsAsync<JsonException>(() => session.Advanced.RawQuery<Demanding>("from Fulls select Age").ToListAsync());
        Assert.Contains("$.Age", required.Message, StringComparison.Ordinal);
        var list = await Assert.ThrowsAsync<JsonException>(
            () => session.Advanced.RawQuery<Listed>("from Fulls as f select { Ages: [1, null] }").ToListAsync());
        Assert.Contains("$.Ages[1]", list.Message, StringComparison.Ordinal);
    }

    private enum Kind
    {
        First,
        Second,
    }

    private sealed class Full
    {
        public string? Id { get; set; }

        public string? Name { get; set; }

        public int Age { get; set; }

        public Kind Kind { get; set; }

        public DateTime At { get; set; }
    }

    private sealed class Settable
    {
        public string? Name { get; set; } = "none";

        public int Age { get; set; }
    }

    private sealed record Nested(Settable One, List<Settable> Many, Dictionary<string, Settable> Map);

    private sealed class Demanding
    {
        public required int Age { get; set; }
    }

    private sealed record Listed(List<int> Ages);
}
