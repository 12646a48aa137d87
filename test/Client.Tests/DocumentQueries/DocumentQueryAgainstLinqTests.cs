using System.Linq.Expressions;
using System.Text.Json;
using Jackdaw.Client.DocumentQueries;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;
using Jackdaw.Client.Tests.Linq;
using Xunit.Abstractions;

namespace Jackdaw.Client.Tests.DocumentQueries;

/// <summary>The same random conditions, said by an expression and by calls, are the same query, and find what objects find.</summary>
public sealed class DocumentQueryAgainstLinqTests(ITestOutputHelper output) : IAsyncLifetime
{
    private readonly List<User> _users = [];
    private readonly int _seed = Environment.TickCount;
    private StoreFixture _fixture = null!;

    private delegate IAsyncDocumentQuery<User> Calls(IAsyncDocumentQuery<User> query);

    public async Task InitializeAsync()
    {
        output.WriteLine($"seed {_seed}");
        var random = new Random(_seed);
        _fixture = await StoreFixture.StartAsync();
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        for (int i = 0; i < 60; i++)
        {
            _users.Add(new User
            {
                Id = $"users/{i:00}",
                Name = random.Next(5) == 0 ? null : $"{(char)('a' + random.Next(4))}{random.Next(3)}",
                Age = random.Next(20),
                Score = random.Next(3) == 0 ? null : random.Next(10) / 2.0,
                IsActive = random.Next(2) == 0,
                Role = (Role)random.Next(2),
                Grade = (char)('A' + random.Next(3)),
                Address = new Address { City = new[] { "ulm", "bonn", "köln" }[random.Next(3)] },
                Tags = [.. new[] { "a", "b", "c" }.Where(_ => random.Next(3) == 0)],
            });
            await session.StoreAsync(_users[i], _users[i].Id);
        }

        await session.SaveChangesAsync();
    }

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task Conditions_SaidByCalls_AreThoseSaidByAnExpression()
    {
        var random = new Random(_seed);
        for (int i = 0; i < 1000; i++)
        {
            (Expression<Func<User, bool>> predicate, Calls calls) = RandomConditions(random, 4);
            RqlText byExpression = Golden.Users.Where(predicate).ToRql();
            RqlText byCalls = calls(Golden.Users.ToAsyncDocumentQuery()).ToRql();
            Assert.True(byExpression.Query == byCalls.Query, $"seed {_seed}: {predicate}\n{byExpression}\n{byCalls}");
            Assert.Equal(JsonSerializer.Serialize(byExpression.Parameters), JsonSerializer.Serialize(byCalls.Parameters));
            if (i % 20 == 0)
            {
                await CompareResultsAsync(predicate, calls);
            }
        }
    }

    private async Task CompareResultsAsync(Expression<Func<User, bool>> predicate, Calls calls)
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        IAsyncDocumentQuery<User> query = calls(session.Advanced.AsyncDocumentQuery<User>()).OrderBy(u => u.Id).WaitForNonStaleResults();
        List<User> found = await query.ToListAsync();
        List<User> byLinq = await session.Query<User>().Where(predicate).OrderBy(u => u.Id).Customize(c => c.WaitForNonStaleResults()).ToListAsync();
        IEnumerable<string> wanted = _users.AsQueryable().Where(predicate).OrderBy(u => u.Id).Select(u => u.Id);
        Assert.True(wanted.SequenceEqual(found.Select(u => u.Id)), $"seed {_seed}: {predicate}\n{query}");
        Assert.Equal(byLinq, found);
    }

    private static (Expression<Func<User, bool>> Predicate, Calls Calls) RandomConditions(Random random, int depth)
    {
        if (depth == 0 || random.Next(4) == 0)
        {
            return RandomCondition(random);
        }

        (Expression<Func<User, bool>> left, Calls first) = RandomConditions(random, depth - 1);
        if (random.Next(5) == 0)
        {
            var opposite = Expression.Lambda<Func<User, bool>>(Expression.Not(left.Body), left.Parameters);
            return (opposite, query => first(query.Not.OpenSubclause()).CloseSubclause());
        }

        (Expression<Func<User, bool>> right, Calls second) = RandomConditions(random, depth - 1);
        Expression other = new Renaming(right.Parameters[0], left.Parameters[0]).Visit(right.Body);
        bool isOr = random.Next(2) == 0;
        Expression body = isOr ? Expression.OrElse(left.Body, other) : Expression.AndAlso(left.Body, other);
        bool isSaid = random.Next(2) == 0;
        return (Expression.Lambda<Func<User, bool>>(body, left.Parameters), Both);

        IAsyncDocumentQuery<User> Both(IAsyncDocumentQuery<User> query)
        {
            query = first(query.OpenSubclause()).CloseSubclause();
            query = isOr ? query.OrElse() : isSaid ? query.AndAlso() : query;
            return second(query.OpenSubclause()).CloseSubclause();
        }
    }

    private static (Expression<Func<User, bool>> Predicate, Calls Calls) RandomCondition(Random random)
    {
        int age = random.Next(20);
        double score = random.Next(10) / 2.0;
        string name = $"{(char)('a' + random.Next(4))}{random.Next(3)}";
        string letter = name[..1];
        string[] names = [name, "b1"];
        string tag = new[] { "a", "b", "c" }[random.Next(3)];
        (Expression<Func<User, bool>>, Calls)[] conditions =
        [
            (u => u.Age > age, q => q.WhereGreaterThan(u => u.Age, age)),
            (u => u.Age >= age, q => q.WhereGreaterThanOrEqual("Age", age)),
            (u => u.Age < age, q => q.WhereLessThan("Age", age)),
            (u => u.Age <= age, q => q.WhereLessThanOrEqual(u => u.Age, age)),
            (u => u.Age >= age && u.Age <= age + 4, q => q.WhereBetween(u => u.Age, age, age + 4)),
            (u => u.Age != age, q => q.WhereNotEquals(u => u.Age, age)),
            (u => u.Name == name, q => q.WhereEquals("Name", name)),
            (u => u.Name != name, q => q.Not.WhereEquals(u => u.Name, name)),
            (u => u.Name == null, q => q.WhereEquals(u => u.Name, null)),
            (u => u.Name != null && u.Name.StartsWith(letter), q => q.WhereNotEquals("Name", null).WhereStartsWith(u => u.Name, letter)),
            (u => u.Name != null && u.Name.EndsWith('1'), q => q.WhereNotEquals("Name", null).AndAlso().WhereEndsWith("Name", "1")),
            (u => u.Name.In(names), q => q.WhereIn(u => u.Name, names)),
            (u => u.Score < score, q => q.WhereLessThan(u => u.Score, score).WhereNotEquals(u => u.Score, null)),
            (u => u.Score >= score, q => q.WhereGreaterThanOrEqual(u => u.Score, score)),
            (u => u.Score == null, q => q.WhereEquals("Score", null)),
            (u => u.IsActive == true, q => q.WhereEquals(u => u.IsActive, true)),
            (u => u.Role == Role.Admin, q => q.WhereEquals(u => u.Role, Role.Admin)),
            (u => u.Grade == 'A', q => q.WhereEquals(u => u.Grade, 'A')),
            (u => u.Tags.Contains(tag), q => q.WhereEquals("Tags", tag)),
            (u => u.Tags.ContainsAll(new[] { tag, "b" }), q => q.ContainsAll(u => u.Tags, [tag, "b"])),
            (u => u.Tags.ContainsAny(new[] { tag, "x" }), q => q.ContainsAny("Tags", [tag, "x"])),
            (u => u.Address.City == "ulm", q => q.WhereEquals("Address.City", "ulm")),
            (u => u.Id == "users/07", q => q.WhereEquals("Id", "users/07")),
            (u => u.Id.StartsWith("users/1"), q => q.WhereStartsWith(u => u.Id, "users/1")),
        ];
        return conditions[random.Next(conditions.Length)];
    }

    private sealed class Renaming(ParameterExpression from, ParameterExpression to) : ExpressionVisitor
    {
        protected override Expression VisitParameter(ParameterExpression node) => node == from ? to : node;
    }
}
