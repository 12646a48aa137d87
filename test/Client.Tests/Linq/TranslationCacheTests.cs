using System.Diagnostics;
using System.Linq.Expressions;
using System.Text.Json;
using System.Text.Json.Serialization;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Linq.Fingerprints;
using Jackdaw.Client.Linq.Translation;
using Jackdaw.Client.Serialization;
using Jackdaw.Client.Vectors;
using Xunit.Abstractions;

namespace Jackdaw.Client.Tests.Linq;

/// <summary>A query that is asked again, with other values, is not translated again, and has the text and the parameters that it would have.</summary>
public sealed class TranslationCacheTests
{
    private static readonly JsonSerializerOptions s_json = new() { NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals };

    private readonly ITestOutputHelper _output;
    private readonly TranslationContext _context;
    private readonly TranslationCache _cache;

    public TranslationCacheTests(ITestOutputHelper output)
    {
        var conventions = new DocumentConventions();
        conventions.Freeze();
        _output = output;
        _context = new TranslationContext(conventions, new DocumentSerializer(conventions));
        _cache = new TranslationCache(_context);
    }

    [Fact]
    public void Translate_SameShapeWithOtherValues_TranslatesOnce()
    {
        for (int i = 0; i < 10; i++)
        {
            Ask(1, Golden.Users.Where(u => u.Age > i && u.Name == "n" + i).OrderBy(u => u.Name).Select(u => new { u.Name, Number = i }).Skip(i * 5).Take(5));
        }
    }

    [Fact]
    public void Translate_EachOperator_TakesItsValuesFromTheNewTree()
    {
        string[] names = ["a"];
        string text = "a";
        for (int i = 1; i < 4; i++)
        {
            var day = new DateTime(2024, 1, i, 0, 0, 0, DateTimeKind.Utc);
            (names, text) = ([text, .. names], text + i);
            var role = (Role)(i % 2);
            Ask(i == 1 ? 1 : 9, Golden.Users.Where(u => u.Name.In(names) || names.Contains(u.Bio)));
            Ask(i == 1 ? 2 : 9, Golden.Users.Where(u => u.Tags.ContainsAll(names) && u.Tags.ContainsAny(names) && u.Tags.Contains(text)));
            Ask(i == 1 ? 3 : 9, Golden.Users.Where(u => u.Name!.StartsWith(text) || u.Name.EndsWith(text, StringComparison.Ordinal) || u.Name.Equals(text)));
            Ask(i == 1 ? 4 : 9, Golden.Users.Where(u => u.Role == role && u.CreatedAt >= day && u.CreatedAt <= day.AddDays(i)));
            Ask(i == 1 ? 5 : 9, Golden.Users.Search(u => u.Bio, text).Search(u => u.Name, "fixed", boost: 2).OrderByScore());
            Ask(i == 1 ? 6 : 9, Golden.Users.Where(u => u.Age > i, exact: true).Filter(u => u.Rate > i, 100).Include(u => u.Name).ProjectInto<UserRow>());
            Ask(i == 1 ? 7 : 9, Golden.Users.GroupBy(u => u.Address.City).Where(g => g.Count() > i).Select(g => new { City = g.Key, N = g.Count() }));
            Ask(i == 1 ? 8 : 9, Golden.Users.Where(u => DocQuery.CmpXchg<string>(text) == u.Name).Take(i).Take(2), Terminal.First);
            IQueryable<Order> lines = Golden.Orders.Where(o => o.Lines.Any(l => l.Product == text && true));
            Ask(9, lines.OrderBy(o => o.Total, OrderingType.Double), Terminal.Count);
        }
    }

    [Fact]
    public void Translate_VectorSearch_TakesItsVectorFromTheNewTree()
    {
        for (int i = 1; i < 4; i++)
        {
            float[] vector = [i, 0.5f];
            string id = "users/" + i;
            Ask(i == 1 ? 1 : 4, Golden.Users.Where(u => u.Age > i).VectorSearch(u => u.Bio, v => v.ByEmbedding(vector), 0.5f, 20).Take(i));
            Ask(i == 1 ? 2 : 4, Golden.Users.VectorSearch(u => u.Bio, v => v.ByEmbedding(vector), 0.6f, 20));
            Ask(i == 1 ? 3 : 4, Golden.Users.VectorSearch(f => f.WithEmbedding(u => u.Bio, EmbeddingType.Int8), v => v.ByEmbeddings([vector, vector])));
            Ask(4, Golden.Users.VectorSearch(f => f.WithEmbedding(u => u.Bio, EmbeddingType.Int8), v => v.ForDocument(id), isExact: true));
        }
    }

    [Fact]
    public void Translate_SequenceThatThrows_IsRefusedAsWithoutTheCache()
    {
        foreach (IEnumerable<object> names in new IEnumerable<object>[] { [], ["a"], ['a'] })
        {
            IEnumerable<string> texts = names.Cast<string>().Where(_ => true);
            Expression query = Golden.Users.Where(u => u.Tags.ContainsAll(texts)).Expression;
            string found = Text(() => _cache.Translate(query, Terminal.Rows));
            Assert.Equal(Text(() => LinqTranslator.Translate(query, _context, Terminal.Rows)), found);
            Assert.Equal(names.Any(name => name is char), found.Contains("InvalidCastException", StringComparison.Ordinal));
        }
    }

    [Fact]
    public void Translate_ValuesThatMakeAnotherText_AreOtherVariants()
    {
        foreach ((long translations, string? name) in new[] { (1, "a"), (2, null), (2, "b"), (2, null) })
        {
            Ask(translations, Golden.Users.Where(u => u.Name == name));
        }

        foreach ((long translations, bool isAll) in new[] { (3, true), (4, false), (4, true), (4, false) })
        {
            Ask(translations, Golden.Users.Where(u => isAll || u.Age > 5));
        }

        foreach ((long translations, string[] tags) in new[] { (5, new[] { "a" }), (6, []), (6, ["b", "c"]), (6, []) })
        {
            Ask(translations, Golden.Users.Where(u => u.Tags.ContainsAll(tags)));
        }

        foreach ((long translations, object value) in new (long, object)[] { (7, 1), (8, 2.5), (8, 3), (8, 4.5) })
        {
            Ask(translations, Golden.Query<Loose>().Where(x => x.Value == value));
        }

        foreach ((long translations, string key) in new[] { (9, "a"), (10, "b"), (10, "a") })
        {
            Ask(translations, Golden.Users.Where(u => u.Dict[key] == 1));
        }
    }

    [Fact]
    public void Translate_OtherShapes_AreNotMistaken()
    {
        int five = 5;
        Ask(1, Golden.Users.Where(u => u.Age > five));
        Ask(2, Golden.Users.Where(u => u.Age >= five));
        Ask(3, Golden.Users.Where(u => u.Rate > five));
        Ask(4, Golden.Users.Where(u => u.Age > 5));
        Ask(5, Golden.Users.Where(u => u.Age > 6));
        Ask(6, Golden.Query<User>("X").Where(u => u.Age > five));
        Ask(7, Golden.Query<User>(collection: "Others").Where(u => u.Age > five));
        Ask(8, Golden.Users.Where(u => u.Age > five), Terminal.Any);
        Ask(9, Golden.Users.Where(u => u.Age > five).OrderBy(u => u.Name));
        Ask(10, Golden.Users.Where(u => u.Age > five).OrderByDescending(u => u.Name));
        Ask(11, Golden.Users.Where(other => other.Age > five).Select(other => new { X = other.Name + "x" }));
        Ask(12, Golden.Users.Where(u => u.Age > five).Select(u => new { X = u.Name + "x" }));
        Ask(12, Golden.Users.Where(u => u.Age > five));
    }

    [Fact]
    public void Translate_OneNodeInTwoPlaces_IsNotTakenForOneValue()
    {
        for (int i = 0; i < 2; i++)
        {
            (int first, int second) = (i, i * 7);
            Expression<Func<int>> left = () => first;
            Expression<Func<int>> right = () => second;
            Expression other = i == 0 ? left.Body : right.Body;
            ParameterExpression user = Expression.Parameter(typeof(User), "u");
            Expression age = Expression.Property(user, nameof(User.Age));
            Expression both = Expression.OrElse(Expression.Equal(age, left.Body), Expression.GreaterThan(age, other));
            Ask(i + 1, Golden.Users.Where(Expression.Lambda<Func<User, bool>>(both, user)));
        }
    }

    [Fact]
    public void Translate_Refusals_AreToldEachTime()
    {
        for (int i = 0; i < 3; i++)
        {
            Expression query = Golden.Users.Where(u => u.Age + i > 5).Expression;
            Assert.Throws<QueryTranslationException>(() => _cache.Translate(query, Terminal.Rows));
        }

        foreach (object value in new object[] { "a", new Action(() => { }) })
        {
            Expression query = Golden.Query<Loose>().Where(x => x.Value == value).Expression;
            _ = value is string ? _cache.Translate(query, Terminal.Rows) : null;
            Assert.True(value is string || Assert.Throws<QueryTranslationException>(() => _cache.Translate(query, Terminal.Rows)).Problems.Count > 0);
        }
    }

    [Fact]
    public void Translate_RandomExpressions_AreTranslatedAsWithoutTheCache()
    {
        int seed = Environment.TickCount;
        _output.WriteLine($"seed {seed}");
        int kept = 0;
        for (int i = 0; i < 1000; i++)
        {
            var random = new RandomExpressions(new Random(seed + i));
            Expression query = random.Query(Golden.Users.Expression);
            for (int again = 0; again < 5; again++)
            {
                long before = _cache.Translations;
                string found = Text(() => _cache.Translate(query, Terminal.Rows));
                kept += before == _cache.Translations ? 1 : 0;
                string wanted = Text(() => LinqTranslator.Translate(query, _context, Terminal.Rows));
                Assert.True(wanted == found, $"seed {seed + i}, time {again}, {query}\nwanted {wanted}\nfound  {found}");
                random.ChangeValues();
            }
        }

        _output.WriteLine($"{kept} kept");
        Assert.True(kept > 20, $"{kept} kept");
    }

    [Fact]
    public void Translate_Warm_TellsItsTime()
    {
        IQueryable<User> users = Golden.Users;
        Expression[] queries = [.. Enumerable.Range(0, 1000).Select(
            i => users.Where(u => u.Age > i && u.Name == "n").OrderBy(u => u.Name).Take(i).Expression)];
        for (int round = 0; round < 5; round++)
        {
            long start = Stopwatch.GetTimestamp();
            Array.ForEach(queries, query => _cache.Translate(query, Terminal.Rows));
            TimeSpan kept = Stopwatch.GetElapsedTime(start);
            start = Stopwatch.GetTimestamp();
            Array.ForEach(queries, query => LinqTranslator.Translate(query, _context, Terminal.Rows));
            _output.WriteLine($"{kept.TotalMilliseconds:F1} us kept, {Stopwatch.GetElapsedTime(start).TotalMilliseconds:F1} us translated");
        }

        Assert.Equal(1, _cache.Translations);
    }

    private void Ask<T>(long translations, IQueryable<T> query, Terminal terminal = Terminal.Rows)
    {
        TranslatedQuery found = _cache.Translate(query.Expression, terminal);
        TranslatedQuery wanted = LinqTranslator.Translate(query.Expression, _context, terminal);
        Assert.Equal(Text(() => wanted), Text(() => found));
        Assert.Equal(wanted.Page, found.Page);
        Assert.Equal((wanted.Terminal, wanted.IsProjected, wanted.Property), (found.Terminal, found.IsProjected, found.Property));
        Assert.Equal(wanted.Includes, found.Includes);
        Assert.Equal(wanted.Source, found.Source);
        Assert.True(translations == _cache.Translations, $"{_cache.Translations} translations instead of {translations}: {query}");
    }

    private static string Text(Func<TranslatedQuery> translate)
    {
        try
        {
            TranslatedQuery query = translate();
            return query.Text + JsonSerializer.Serialize(query.Parameters, s_json);
        }
        catch (QueryTranslationException refusal)
        {
            return refusal.Message;
        }
    }

    private sealed class Loose
    {
        public object? Value { get; set; }
    }
}
