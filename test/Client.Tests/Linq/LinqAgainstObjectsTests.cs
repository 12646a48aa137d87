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
            _users.Add(RandomUser(random, i));
            await session.StoreAsync(_users[i], _users[i].Id);
        }

        await session.SaveChangesAsync();
    }

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public Task Queries_Random_FindWhatObjectsFind() => CompareRandomAsync(400);

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
            Expression<Func<User, bool>> predicate = RandomPredicate(random, 3);
            Func<IQueryable<User>, IQueryable<User>> order = s_orders[random.Next(s_orders.Length)];
            (int skip, int take) = (random.Next(20), 1 + random.Next(30));
            await CompareOneAsync(random.Next(9), users => order(users.Where(predicate)), predicate, (skip, take));
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

    private static User RandomUser(Random random, int number) => new()
    {
        Id = $"users/{number:00}",
        Name = random.Next(5) == 0 ? null : random.Next(6) == 0 ? "" : $"{(char)('a' + random.Next(4))}{random.Next(3)}",
        Age = random.Next(40),
        Score = random.Next(3) == 0 ? null : random.Next(10) / 2.0,
        Rate = random.Next(10) * 1.5m,
        IsActive = random.Next(2) == 0,
        Flag = random.Next(3) switch { 0 => null, 1 => true, _ => false },
        Role = (Role)random.Next(2),
        Grade = (char)('A' + random.Next(3)),
        CreatedAt = new DateTime(2020 + random.Next(4), 1 + random.Next(12), 5, 10, 0, 0, DateTimeKind.Utc),
        Address = new Address { City = new[] { "ulm", "bonn", "köln" }[random.Next(3)], Street = random.Next(2) == 0 ? null : "s" },
        Tags = [.. new[] { "a", "b", "c" }.Where(_ => random.Next(3) == 0)],
    };

    private static Expression<Func<User, bool>> RandomPredicate(Random random, int depth)
    {
        if (depth == 0 || random.Next(3) == 0)
        {
            return RandomCondition(random);
        }

        Expression<Func<User, bool>> left = RandomPredicate(random, depth - 1);
        Expression<Func<User, bool>> right = RandomPredicate(random, depth - 1);
        Expression other = new Renaming(right.Parameters[0], left.Parameters[0]).Visit(right.Body);
        Expression body = random.Next(5) switch
        {
            0 => Expression.Not(left.Body),
            1 or 2 => Expression.AndAlso(left.Body, other),
            _ => Expression.OrElse(left.Body, other),
        };
        return Expression.Lambda<Func<User, bool>>(body, left.Parameters);
    }

    private static Expression<Func<User, bool>> RandomCondition(Random random)
    {
        int age = random.Next(40);
        double score = random.Next(10) / 2.0;
        string name = $"{(char)('a' + random.Next(4))}{random.Next(3)}";
        string letter = name[..1];
        string[] names = [name, "b1", ""];
        int[] ages = [age, age + 1, age + 5];
        string tag = new[] { "a", "b", "c" }[random.Next(3)];
        var day = new DateTime(2020 + random.Next(4), 1 + random.Next(12), 5, 10, 0, 0, DateTimeKind.Utc);
        Expression<Func<User, bool>>[] conditions =
        [
            u => u.Age > age, u => u.Age <= age, u => u.Age == age, u => age != u.Age, u => u.Age >= age && u.Age <= age + 7,
            u => u.Name == name, u => u.Name != name, u => u.Name == null, u => u.Name != null, u => string.IsNullOrEmpty(u.Name),
            u => u.Name != null && u.Name.StartsWith(letter), u => u.Name != null && u.Name.EndsWith('1'), u => u.Name.In(names),
            u => ages.Contains(u.Age), u => u.Score < score, u => u.Score >= score, u => u.Score == score, u => u.Score != score, u => u.Score.HasValue,
            u => u.Score == null, u => u.IsActive, u => !u.IsActive, u => u.Flag == true, u => u.Flag ?? false, u => u.Flag ?? true, u => u.Flag != false,
            u => u.Role == Role.Admin, u => u.Role != Role.Admin, u => u.Grade == 'A', u => u.CreatedAt < day, u => u.CreatedAt >= day,
            u => u.CreatedAt == day, u => u.Tags.Contains(tag), u => u.Tags.Any(), u => !u.Tags.Any(), u => u.Tags.Any(t => t == tag),
            u => u.Tags.Any(t => t == tag || t == "a"), u => u.Tags.ContainsAll(new[] { tag, "b" }), u => u.Tags.ContainsAny(new[] { tag, "x" }),
            u => u.Address.City == "ulm", u => u.Address.Street == null, u => u.Id == "users/07", u => u.Id.StartsWith("users/1"), u => u.Rate > 3,
        ];
        return conditions[random.Next(conditions.Length)];
    }

    private sealed class Renaming(ParameterExpression from, ParameterExpression to) : ExpressionVisitor
    {
        protected override Expression VisitParameter(ParameterExpression node) => node == from ? to : node;
    }
}
