using Jackdaw.Client.Linq;

namespace Jackdaw.Client.Tests.Linq;

/// <summary>What runs of queries ask of the session, and what they make of its answers.</summary>
public sealed class ResultTests
{
    private readonly FakeRunner _runner = new();

    private IDocumentQueryable<User> Users => LinqQuery.Create<User>(_runner);

    [Fact]
    public async Task Terminals_OfRows_AskForNoMoreThanTheyNeed()
    {
        _runner.Rows.Add(new User { Name = "Ann" });
        Assert.Equal("Ann", (await Users.Where(u => u.Age > 1).FirstAsync()).Name);
        Assert.Equal("from 'Users' where Age > $p0 limit $p1, $p2", _runner.Sent!.Query);
        Assert.Equal([1, 0L, 1L], _runner.Sent.QueryParameters.Values);
        Assert.True(_runner.WasAsync);
        Assert.Equal("Ann", Users.Single(u => u.Age > 1).Name);
        Assert.Equal([1, 0L, 2L], _runner.Sent.QueryParameters.Values);
        Assert.False(_runner.WasAsync);
        Assert.Equal("Ann", Assert.Single(Users.ToList()).Name);
        Assert.Equal(ResultKind.Documents, _runner.Sent.Shape.Kind);
        Assert.Equal(("Users", null), (_runner.Sent.Collection, _runner.Sent.IndexName));
        Assert.Equal("Ann", (await Users.SingleOrDefaultAsync())!.Name);
        Assert.Single(await Users.ToArrayAsync());
    }

    [Fact]
    public async Task Terminals_WithoutRows_ThrowOrGiveTheDefault()
    {
        await Assert.ThrowsAsync<InvalidOperationException>(() => Users.FirstAsync());
        await Assert.ThrowsAsync<InvalidOperationException>(() => Users.SingleAsync());
        Assert.Null(await Users.FirstOrDefaultAsync());
        Assert.Equal(0, await Users.Select(u => u.Age).FirstOrDefaultAsync());
        _runner.Rows.AddRange([new User(), new User()]);
        await Assert.ThrowsAsync<InvalidOperationException>(() => Users.SingleAsync());
        await Assert.ThrowsAsync<InvalidOperationException>(() => Users.SingleOrDefaultAsync());
    }

    [Fact]
    public async Task Counts_OfPages_AreCutToThem()
    {
        _runner.Statistics.TotalResults = 10;
        Assert.Equal(10, await Users.CountAsync(u => u.Age > 1));
        Assert.Equal("from 'Users' where Age > $p0 limit $p1, $p2", _runner.Sent!.Query);
        Assert.Equal([1, 0L, 0L], _runner.Sent.QueryParameters.Values);
        Assert.Equal(ResultKind.None, _runner.Sent.Shape.Kind);
        Assert.Equal(10L, Users.LongCount());
        Assert.Equal(3, Users.Skip(7).Count());
        Assert.Equal(2, await Users.Skip(7).Take(2).CountAsync());
        Assert.False(await Users.Skip(10).AnyAsync());
        Assert.True(Users.Any());
    }

    [Fact]
    public async Task Projections_OfOneField_AreValues()
    {
        _runner.Rows.Add("Ann");
        Assert.Equal(["Ann"], await Users.Select(u => u.Name).ToListAsync());
        Assert.Equal(new ResultShape(ResultKind.Values, "Name"), _runner.Sent!.Shape);
        _runner.Rows.Clear();
        await Users.Select(u => new { u.Name, u.Age }).ToListAsync();
        Assert.Equal(new ResultShape(ResultKind.Projections), _runner.Sent.Shape);
    }

    [Fact]
    public async Task AsAsyncEnumerable_OfAQuery_StreamsIt()
    {
        _runner.Rows.AddRange([new User { Age = 1 }, new User { Age = 2 }]);
        List<int> ages = [];
        await foreach (User user in Users.Where(u => u.Age > 0).AsAsyncEnumerable())
        {
            ages.Add(user.Age);
        }

        Assert.Equal([1, 2], ages);
        Assert.Equal("from 'Users' where Age > $p0", _runner.Sent!.Query);
    }

    [Fact]
    public void Operators_OnOneQuery_LeaveItUnchanged()
    {
        IQueryable<User> adults = Users.Where(u => u.Age > 17);
        _ = adults.OrderBy(u => u.Name);
        Assert.Equal("from 'Users' where Age > $p0", adults.ToString());
    }
}
