using System.Linq.Expressions;
using Jackdaw.Client.Linq;

namespace Jackdaw.Client.Tests.Linq;

/// <summary>Random objects, and random conditions that LINQ over objects can evaluate too.</summary>
internal static class RandomConditions
{
    public static User User(Random random, int number) => new()
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
        Tags = random.Next(2) == 0 ? [.. new[] { "a", "b", "c" }.Where(_ => random.Next(3) == 0)]
            : [.. new[] { "c", "b", "a" }.Where(_ => random.Next(2) == 0)],
        Level = (Level)random.Next(3),
        Rank = random.Next(3) == 0 ? null : (Level)random.Next(3),
        Rights = (Rights)random.Next(8),
        Big = long.MaxValue - random.Next(5),
        Price = random.Next(2000) / 100m,
        Ended = random.Next(3) == 0 ? null : new DateTime(2024, 1 + random.Next(2), 1 + random.Next(3), random.Next(24), 0, 0, DateTimeKind.Utc),
        Lines = [.. Enumerable.Range(0, random.Next(4)).Select(_ => new Line
        {
            Product = $"{(char)('a' + random.Next(3))}", Quantity = random.Next(4), Price = random.Next(300) / 100m,
        })],
    };

    public static Expression<Func<User, bool>> Predicate(Random random, int depth)
    {
        if (depth == 0 || random.Next(3) == 0)
        {
            return Condition(random);
        }

        Expression<Func<User, bool>> left = Predicate(random, depth - 1);
        Expression<Func<User, bool>> right = Predicate(random, depth - 1);
        Expression other = new Renaming(right.Parameters[0], left.Parameters[0]).Visit(right.Body);
        Expression body = random.Next(5) switch
        {
            0 => Expression.Not(left.Body),
            1 or 2 => Expression.AndAlso(left.Body, other),
            _ => Expression.OrElse(left.Body, other),
        };
        return Expression.Lambda<Func<User, bool>>(body, left.Parameters);
    }

    private static Expression<Func<User, bool>> Condition(Random random)
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
        return random.Next(2) == 0 ? conditions[random.Next(conditions.Length)] : OtherCondition(random, tag, letter);
    }

    private static Expression<Func<User, bool>> OtherCondition(Random random, string tag, string letter)
    {
        var level = (Level)random.Next(3);
        var right = (Rights)(1 << random.Next(3));
        int number = random.Next(4);
        decimal price = random.Next(300) / 100m;
        long big = long.MaxValue - random.Next(5);
        var day = new DateTime(2024, 1 + random.Next(2), 1 + random.Next(3));
        Expression<Func<User, bool>>[] conditions =
        [
            u => u.Level >= level, u => u.Level < level, u => level >= u.Level, u => u.Rank > level, u => u.Rank <= level, u => u.Level != level,
            u => u.Rights.HasFlag(right), u => (u.Rights & right) == 0, u => u.Rights == (Rights.Read | right), u => u.Rights > right,
            u => u.Price > price, u => u.Price == price, u => u.Big == big, u => u.Big > big, u => u.Big != big,
            u => u.Name != null && u.Name.Contains(letter), u => u.Name != null && u.Name.Contains('1'), u => !u.Address.City.Contains('o'),
            u => u.Tags.Any(t => t.Contains(tag)), u => u.Address.City.Contains(tag, StringComparison.Ordinal),
            u => u.IsActive ? u.Age > 20 : u.Age < number * 5, u => (u.Age > 20 && u.IsActive) || (!(u.Age > 20) && u.Flag == true),
            u => (u.IsActive ? u.Price : u.Rate) > price, u => (u.Score ?? number) > 2, u => u.Score.GetValueOrDefault() < number,
            u => u.Tags.Count > 0, u => u.Tags.Count == 0, u => u.Lines.Count >= 1, u => u.Lines.Count(l => l.Quantity > number) == 0,
            u => u.Lines.Any(l => l.Product == tag && l.Quantity > number), u => !u.Lines.Any(l => l.Product == tag && l.Price < price),
            u => u.Lines.Any(l => l.Product != tag), u => u.Lines.All(l => l.Quantity <= number), u => u.Lines.Any(l => !(l.Quantity > number)),
            u => u.Lines.Any(l => l.Price > price && (l.Product == tag || l.Quantity == number)), u => u.Lines.Any(l => l.Price > l.Quantity),
            u => u.CreatedAt.Year == 2020 + number, u => u.CreatedAt.Month > number * 2, u => u.Ended != null && u.Ended.Value.Hour < number * 6,
            u => u.Tags.Count == number, u => u.Tags.Count > number, u => u.Name != null && u.Name.Length == number, u => u.Lines.Count != number,
            u => u.Tags.Count > 0 && u.Tags[0] == tag, u => u.Tags.Count > 1 && u.Tags[1] != tag, u => u.Lines.Count > 0 && u.Lines[0].Quantity > 1,
            u => u.Lines.Any(l => l.Quantity >= 1 && l.Product.Contains(tag)), u => u.Tags.All(t => t != tag),
            u => u.Ended != null && u.Ended.Value.Date == day, u => u.Ended != null && u.Ended.Value.Date >= day,
            u => u.Ended != null && u.Ended.Value.Date < day,
        ];
        return conditions[random.Next(conditions.Length)];
    }

    private sealed class Renaming(ParameterExpression from, ParameterExpression to) : ExpressionVisitor
    {
        protected override Expression VisitParameter(ParameterExpression node) => node == from ? to : node;
    }
}
