using Jackdaw.Client.Conventions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Linq.Translation;
using Jackdaw.Client.Serialization;
using static Jackdaw.Client.Tests.Linq.Golden;

namespace Jackdaw.Client.Tests.Linq;

/// <summary>What has no counterpart in RQL: refused with the part that is meant, and with what to write instead.</summary>
public sealed class RefusalTests
{
    [Fact]
    public void Where_WhatIndexesCannotFind_IsRefused()
    {
        Refused(Users.Where(u => u.Name == u.Bio), "u.Name == u.Bio", "Filter");
        Refused(Query<Order>("Orders/All").Where(o => o.Lines.Any(l => l.Product == "p" && l.Quantity > 1)), "o.Lines.Any", "Filter(");
        Refused(Query<Order>("Orders/All").Where(o => o.Lines.Any(l => l.Product != "p")), "o.Lines.Any", "Filter(");
        Refused(Users.Where(u => u.Dict.Count > 3), "u.Dict.Count > 3", "list.Any(...)");
        Refused(Query<User>("Users/All").Where(u => u.Tags.Count > 3), "u.Tags.Count > 3", "list.Any(...)");
        Refused(Users.Where(u => u.CreatedAt.DayOfWeek == DayOfWeek.Friday), "DayOfWeek", "index");
        Refused(Users.Where(u => u.Age + 1 > 5), "(u.Age + 1) > 5", "index");
#pragma warning disable CA1862 // What the rule advises against is what is tested.
        Refused(Users.Where(u => u.Name!.ToLower() == "a"), "u.Name.ToLower() == \"a\"", "without casing");
#pragma warning restore CA1862
        Refused(Users.Where(u => DocQuery.LastModified(u) > DateTime.MinValue), "LastModified(u)", "index");
        Refused(Users.Where((u, i) => i > 3), "Where", "Skip");
        Refused(Users.Where(u => (int)u.Rate == 5), "Rate", "index");
        Refused(Users.Where(u => new[] { "a" }.Contains(u.Name, StringComparer.Ordinal)), "Contains", "without casing");
    }

    [Fact]
    public void Operators_WithoutCounterpart_AreRefused()
    {
        Refused(Users.Join(Orders, u => u.Id, o => o.Employee, (u, o) => u.Name), "Join", "DocQuery.Load");
        Refused(Users.Union(Users), "Union", "||");
        Refused(Users.Zip(Orders, (u, o) => u.Name), "Zip", "in the program");
        Refused(Users.SelectMany(u => u.Tags), "SelectMany", "x => x.List");
        Refused(Users.Reverse(), "Reverse", "OrderByDescending");
        Refused(Users.Take(5).Where(u => u.Age > 1), "u.Age > 1", "Skip and Take after");
        Refused(Users.Take(5).OrderBy(u => u.Age), "Take(5)", "Skip and Take after");
        Refused(Users.OrderBy(u => u.Age + 1), "u.Age + 1", "index");
        Refused(Users.OrderBy(u => u.Role), "u.Role", "SaveEnumsAsIntegers");
        Refused(Users.OrderBy(u => u.Name).ThenByDescending(u => u.Rank), "u.Rank", "in the program");
        Refused(Users.Filter(u => u.Level > u.Rank), "u.Level", "store its numbers");
        Refused(Users.Select(u => new { X = u.Age + 1 }).Where(x => x.X > 3), "(u.Age + 1) > 3", "index");
        Refused(Users.Select(u => u.Name).Distinct().Select(n => n!.Length), "Distinct", "Select once");
        Refused(Users.GroupBy(u => u.Name), "GroupBy", "g.Key");
        Refused(Users.GroupBy(u => 1).Select(g => g.Count()), "u => 1", "AggregateBy");
        Refused(Users.Where(u => u.IsActive).GroupBy(u => u.Name).Select(g => new { g.Key, N = g.Count() }), "Where", "map-reduce");
        Refused(Users.GroupBy(u => u.Name).Select(g => new { g.Key, M = g.Max(u => u.Age) }), "g.Max", "map-reduce");
        Refused(Users.Select(u => new { X = Math.Round(u.Rate) }), "Round", "in the program");
    }

    [Fact]
    public void Terminals_WithoutCounterpart_AreRefused()
    {
        Assert.Contains("Reverse the order", Assert.Throws<QueryTranslationException>(() => Users.Last()).Hint, StringComparison.Ordinal);
        Assert.Contains("in the program", Assert.Throws<QueryTranslationException>(() => Users.Aggregate((a, b) => a)).Hint, StringComparison.Ordinal);
        Assert.Contains("GroupBy", Assert.Throws<QueryTranslationException>(() => Users.Select(u => u.Name).Distinct().Count()).Hint, StringComparison.Ordinal);
    }

    public static TheoryData<string, object> Unwritable() => new()
    {
        { "a member that no class can hold", System.Text.RegularExpressions.Regex.Match("a", "a") },
        { "itself inside", new Node() },
        { "a getter that fails", new Failing() },
        { "a number that JSON lacks", new Numbered() },
        { "two members of one name", new Twice() },
        { "code", (Func<int>)(() => 1) },
    };

    [Theory]
    [MemberData(nameof(Unwritable))]
    public void ToParameter_ValueThatCannotBeWritten_IsRefusedByItsType(string why, object value)
    {
        var conventions = new DocumentConventions();
        var context = new TranslationContext(conventions, new DocumentSerializer(conventions));
        NotSupportedException refusal = Assert.Throws<NotSupportedException>(() => context.ToParameter(value));
        Assert.True(refusal.Message.Contains(value.GetType().Name, StringComparison.Ordinal), $"{why}: {refusal.Message}");
        Assert.Throws<NotSupportedException>(() => context.ToParameter(new[] { value }));
    }

    [Fact]
    public void Refusal_OfSeveralParts_TellsAllAtOnce()
    {
        QueryTranslationException refusal = Refused(
            Users.Where(u => u.Name == u.Bio && u.Age > 5).Where(u => u.Age + 1 > 5).OrderBy(u => u.Age * 2), "u.Bio", "Filter");
        Assert.Equal(3, refusal.Problems.Count);
        Assert.Equal("from 'Users' where ? and Age > $p0 and ?", refusal.RqlSoFar);
        Assert.IsAssignableFrom<NotSupportedException>(refusal);
        Assert.Equal(3, refusal.Message.Split(Environment.NewLine).Length);
    }

    /// <summary>A sequence may be computed when it is read, and fail then.</summary>
    [Fact]
    public void Sequences_ThatThrow_AreNamed()
    {
        IEnumerable<string> names = new object[] { 'a' }.Cast<string>();
        foreach (QueryTranslationException refusal in new[]
        {
            Refused(Users.Where(u => u.Name.In(names)), "names", "simple types"),
            Refused(Users.Where(u => names.Contains(u.Name)), "names", "simple types"),
            Refused(Users.Where(u => u.Tags.ContainsAny(names)), "names", "simple types"),
            Refused(Users.Where(u => u.Tags.ContainsAll(names)), "names", "simple types"),
            Refused(Users.Select(u => new { u.Name, All = names }), "names", "simple types"),
        })
        {
            Assert.Contains("Its elements cannot be read: InvalidCastException", refusal.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Values_ThatThrow_AreNamed()
    {
        User? nobody = null;
        Refused(Users.Where(u => u.Name == nobody!.Name), "nobody", "variable");
        string text = "x";
        Refused(Users.Where(u => u.Age == int.Parse(text)), "Parse", "variable");
        int[] ages = [1, 2];
        Refused(Users.Where(u => ages.Where(age => age > 1).Contains(u.Age)), "ages.Where", "variable");
    }

    [Fact]
    public void Queries_OfOthers_AreArgumentErrors()
    {
        IQueryable<User> other = new List<User>().AsQueryable();
        Assert.Throws<ArgumentException>(() => other.ToRql());
        Assert.Throws<ArgumentException>(() => other.Statistics(out _));
    }

    [Fact]
    public void DeepConditions_InAnyNumber_AreChainsOrRefused()
    {
        IQueryable<User> chain = Users;
        for (int i = 0; i < 2000; i++)
        {
            int age = i;
            chain = chain.Where(u => u.Age != age);
        }

        Assert.Equal(2000, chain.ToRql().Parameters.Count);
        Parses(chain.ToRql());
    }

    private sealed class Node
    {
        public Node Self => this;
    }

    private sealed class Failing
    {
        public string Text => throw new FormatException("It has no text.");
    }

    private sealed class Numbered
    {
        public double Number => double.NaN;
    }

    private sealed class Twice
    {
        [System.Text.Json.Serialization.JsonPropertyName("Name")]
        public string First => "a";

        [System.Text.Json.Serialization.JsonPropertyName("Name")]
        public string Second => "b";
    }
}
