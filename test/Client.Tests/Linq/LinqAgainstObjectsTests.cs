using System.Linq.Expressions;
using System.Text.Json;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;
using Xunit.Abstractions;

namespace Jackdaw.Client.Tests.Linq;

/// <summary>Queries through a session and a server have the results that LINQ has over the same objects.</summary>
public sealed class LinqAgainstObjectsTests(ITestOutputHelper output) : IAsyncLifetime
{
    private static readonly Func<IQueryable<User>, IQueryable<User>>[] s_orders =
    [
        users => users.OrderBy(u => u.Id),
        users => users.OrderByDescending(u => u.Id),
        users => users.OrderBy(u => u.Age).ThenBy(u => u.Id),
        users => users.OrderByDescending(u => u.Age).ThenByDescending(u => u.Id),
        users => users.OrderBy(u => u.Address.City).ThenByDescending(u => u.CreatedAt).ThenBy(u => u.Id),
        users => users.OrderByDescending(u => u.Rate).ThenBy(u => u.Name).ThenBy(u => u.Id),
        users => users.OrderBy(u => u.Score).ThenBy(u => u.Id),
        users => users.OrderByDescending(u => u.CreatedAt).ThenBy(u => u.Id),
        users => users.OrderByDescending(u => u.Tags.Count).ThenBy(u => u.CreatedAt.Month).ThenBy(u => u.Id),
        users => users.OrderBy(u => u.Price).ThenByDescending(u => u.Big).ThenBy(u => u.Id),
    ];

    private readonly List<User> _users = [];
    private readonly int _seed = Environment.TickCount;
    private StoreFixture _fixture = null!;

    public async Task InitializeAsync()
    {
        output.WriteLine($"seed {_seed}");
        var random = new Random(_seed);
        _fixture = await StoreFixture.StartAsync();
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        for (int i = 0; i < 60; i++)
        {
            _users.Add(RandomConditions.User(random, i));
            await session.StoreAsync(_users[i], _users[i].Id);
        }

        await session.SaveChangesAsync();
    }

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public Task Queries_Random_FindWhatObjectsFind() => CompareRandomAsync(200);

    [Fact]
    [Trait("Tier", "Full")]
    public Task Queries_VeryManyRandom_FindWhatObjectsFind() => CompareRandomAsync(20_000);

    [Fact]
    public async Task Query_OrdersPagesProjectionsAndGroups_AreThoseOfObjects()
    {
        await CompareAsync(users => users.OrderBy(u => u.Age).ThenByDescending(u => u.Id).Skip(5).Take(20).Select(u => u.Id), "a page");
        await CompareAsync(users => users.Where(u => u.Name != null).OrderBy(u => u.Name).ThenBy(u => u.Id).Select(u => new { u.Id, u.Name }), "fields");
        await CompareAsync(
            users => users.OrderBy(u => u.Id).Select(u => new
            {
                Twice = u.Age * 2 + u.Tags.Count,
                Half = u.Age / 2,
                Text = u.Name + "-" + u.Address.City,
                Old = u.Age > 20 ? "old" : "young",
                Some = u.Tags.Any(t => t == "a"),
                Many = u.Tags.Where(t => t != "a").Select(t => t + "!").ToList(),
                u.CreatedAt.Year,
                Admin = u.Role == Role.Admin,
                Score = u.Score ?? -1,
            }),
            "a script");
        await CompareAsync(users => users.Select(u => u.Address.City).Distinct(), "distinct", isOrdered: false);
        await CompareAsync(
            users => users.GroupBy(u => new { u.Address.City, u.IsActive }).Where(g => g.Count() > 2)
                .Select(g => new { g.Key.City, g.Key.IsActive, N = g.Count(), Ages = g.Sum(u => u.Age) }),
            "groups",
            isOrdered: false);
        await CompareAsync(
            users => users.GroupBy(u => u.Address.City).Select(g => new { City = g.Key, N = g.Count() }).OrderByDescending(x => x.N).ThenBy(x => x.City),
            "ordered groups");
    }

    [Fact]
    public async Task Terminals_OfASession_AreThoseOfObjects()
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        IQueryable<User> users = session.Query<User>().Customize(c => c.WaitForNonStaleResults());
        Assert.Equal(_users.Count(u => u.Age > 20), await users.CountAsync(u => u.Age > 20));
        Assert.Equal(_users.Any(u => u.Age > 20 && u.IsActive), await users.AnyAsync(u => u.Age > 20 && u.IsActive));
        Assert.Equal(_users.Where(u => u.Age > 20).Skip(3).Take(4).Count(), await users.Where(u => u.Age > 20).Skip(3).Take(4).CountAsync());
        Assert.Equal(_users.OrderBy(u => u.Age).ThenBy(u => u.Id).First().Id, (await users.OrderBy(u => u.Age).ThenBy(u => u.Id).FirstAsync()).Id);
        Assert.Equal(_users.Max(u => u.Age), users.Max(u => u.Age));
        Assert.Null(await users.FirstOrDefaultAsync(u => u.Age > 1000));
        List<int> ages = [];
        await foreach (int age in session.Query<User>().OrderBy(u => u.Age).Select(u => u.Age).AsAsyncEnumerable())
        {
            ages.Add(age);
        }

        Assert.Equal(_users.Select(u => u.Age).Order(), ages);
    }

    private async Task CompareRandomAsync(int count)
    {
        var random = new Random(_seed);
        for (int i = 0; i < count; i++)
        {
            Expression<Func<User, bool>> predicate = RandomConditions.Predicate(random, 3);
            Func<IQueryable<User>, IQueryable<User>> order = s_orders[random.Next(s_orders.Length)];
            (int skip, int take) = (random.Next(20), 1 + random.Next(30));
            await CompareOneAsync(random.Next(13), users => order(users.Where(predicate)), predicate, (skip, take));
        }
    }

    private Task CompareOneAsync(
        int kind, Func<IQueryable<User>, IQueryable<User>> found, Expression<Func<User, bool>> predicate, (int Skip, int Take) page)
    {
        string what = $"kind {kind}, {predicate}, {page}";
        return kind switch
        {
            0 => CompareAsync(users => found(users).Skip(page.Skip).Take(page.Take).Select(u => u.Id), what),
            1 => CompareAsync(users => found(users).Select(u => new { u.Id, u.Name, u.Age, u.Score, u.Rate, u.Flag, u.Role, u.CreatedAt }), what),
            2 => CompareAsync(users => found(users).Select(u => new { N = u.Age * page.Skip + u.Tags.Count, C = u.Name + u.Address.City }), what),
            3 => CompareAsync(users => found(users).Select(u => new { T = u.Tags.Where(t => t != "a").ToList(), S = u.Score ?? page.Take }), what),
            4 => CompareAsync(users => users.Where(predicate).Select(u => u.Address.City).Distinct(), what, isOrdered: false),
            5 => CompareAsync(
                users => users.GroupBy(u => u.Role).Where(g => g.Sum(u => u.Age) > page.Take).Select(g => new { g.Key, N = g.Count() }),
                what,
                isOrdered: false),
            6 => CompareCountAsync(users => users.Where(predicate), page, what),
            7 => CompareAsync(users => found(users).Select(u => u.Age), what),
            8 => CompareAsync(
                users => found(users).Select(u => new { Sum = u.Price + u.Rate * 3, Less = u.Big - 1, Half = u.Big / 2, Part = u.Price % 0.7m, u.Level }),
                what),
            9 => CompareAsync(
                users => found(users).Select(u => new { All = u.Lines.Sum(l => l.Price * l.Quantity), N = -u.Price, Many = u.Lines.Count }), what),
            11 => CompareAsync(
                users => users.GroupBy(u => u.CreatedAt.Year).Select(g => new { g.Key, N = g.Count(), Ages = g.Sum(u => u.Age) }), what, isOrdered: false),
            10 => CompareNumbersAsync(users => users.Where(predicate), what),
            _ => CompareAsync(users => found(users).Select(u => u.Id), what),
        };
    }

    private async Task CompareCountAsync(Func<IQueryable<User>, IQueryable<User>> found, (int Skip, int Take) page, string what)
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        IQueryable<User> asked = found(session.Query<User>().Customize(c => c.WaitForNonStaleResults()));
        IQueryable<User> wanted = found(_users.AsQueryable());
        Assert.True(wanted.Count() == await asked.CountAsync(), $"seed {_seed}, count of {what}");
        Assert.True(wanted.Any() == await asked.AnyAsync(), $"seed {_seed}, any of {what}");
        Assert.True(
            wanted.Skip(page.Skip).Take(page.Take).Count() == await asked.Skip(page.Skip).Take(page.Take).CountAsync(), $"seed {_seed}, page of {what}");
        Assert.True(
            wanted.OrderBy(u => u.Id).FirstOrDefault()?.Id == (await asked.OrderBy(u => u.Id).FirstOrDefaultAsync())?.Id, $"seed {_seed}, first of {what}");
    }

    private async Task CompareNumbersAsync(Func<IQueryable<User>, IQueryable<User>> found, string what)
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        IQueryable<User> asked = found(session.Query<User>().Customize(c => c.WaitForNonStaleResults()));
        List<User> wanted = [.. found(_users.AsQueryable())];
        Assert.True(wanted.Sum(u => u.Price) == await asked.SumAsync(u => u.Price), $"seed {_seed}, sum of {what}");
        Assert.True(wanted.Sum(u => u.Age) == await asked.SumAsync(u => u.Age), $"seed {_seed}, whole sum of {what}");
        Assert.True(wanted.Average(u => u.Score) == await asked.AverageAsync(u => u.Score), $"seed {_seed}, average of {what}");
        Assert.True(wanted.All(u => u.Level >= Level.Medium) == await asked.AllAsync(u => u.Level >= Level.Medium), $"seed {_seed}, all of {what}");
        Assert.True(wanted.Max(u => u.Rank) == await asked.MaxAsync(u => u.Rank), $"seed {_seed}, greatest rank of {what}");
        Assert.Equal(wanted.ToDictionary(u => u.Id, u => u.Age), await asked.ToDictionaryAsync(u => u.Id, u => u.Age));
    }

    private async Task CompareAsync<T>(Func<IQueryable<User>, IQueryable<T>> query, string what, bool isOrdered = true)
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        IQueryable<T> asked = query(session.Query<User>().Statistics(out QueryStatistics statistics).Customize(c => c.WaitForNonStaleResults()));
        string[] found = [.. (await asked.ToListAsync()).Select(row => JsonSerializer.Serialize(row))];
        string[] wanted = [.. query(_users.AsQueryable()).AsEnumerable().Select(row => JsonSerializer.Serialize(row))];
        if (!isOrdered)
        {
            Array.Sort(found, StringComparer.Ordinal);
            Array.Sort(wanted, StringComparer.Ordinal);
        }

        Assert.True(wanted.SequenceEqual(found), $"""
            seed {_seed}, {what}: {asked}
            with {JsonSerializer.Serialize(asked.ToRql().Parameters)}
            by {statistics.IndexName}{(statistics.IsStale ? ", stale" : "")}
            wanted {string.Join(' ', wanted)}
            found  {string.Join(' ', found)}
            """);
    }
}
