using System.Text;
using Jackdaw.Queries.Language;
using Xunit.Abstractions;

namespace Jackdaw.Queries.Tests.Language;

/// <summary>Texts of queries become trees, or are refused at their place.</summary>
public sealed class QueryParserTests(ITestOutputHelper log)
{
    private const string Odd = "\0 '\"\\$()[]{}.,;/*-_@`ü\ud8001e";

    [Theory]
    [InlineData("ClientQueries.golden", 132)]
    [InlineData("MoreQueries.golden", 30)]
    public void Parse_GoldenTexts_GiveTheirTrees(string file, int atLeast)
    {
        IReadOnlyList<(string Text, string Tree)> queries = GoldenQueries.Read(file);
        var differences = new StringBuilder();
        foreach ((string text, string tree) in queries)
        {
            string printed = SyntaxPrinter.Print(QueryParser.Parse(text));
            if (printed != tree)
            {
                differences.Append(text).Append('\n').Append(printed).Append("\n\n");
            }
        }

        log.WriteLine(differences.ToString());
        Assert.Equal("", differences.ToString());
        Assert.True(queries.Count >= atLeast, $"{file} has {queries.Count} queries");
    }

    [Theory]
    [InlineData("", "1:1: found the end of the query where 'from' is expected")]
    [InlineData("select x", "1:1: found 'select' where 'from' is expected")]
    [InlineData("from", "1:5: found the end of the query where the name of a collection")]
    [InlineData("from Orders where", "1:18: found the end of the query where a field")]
    [InlineData("from Orders\nwhere Company", "2:7: a condition is expected here")]
    [InlineData("from Orders where Company = ", "1:29: found the end")]
    [InlineData("from Orders where Company = 'Ac", "1:29: the string that begins here has no end")]
    [InlineData("from Orders where Company = 'a\\q'", "1:31: the string has an unknown escape")]
    [InlineData("from Orders where (Company = 1", "1:31: found the end of the query where ')' is expected")]
    [InlineData("from Orders where Company = 1 )", "1:31: found ')' where the end of the query")]
    [InlineData("from Orders where Company = 1;", "1:30: found ';' where the end of the query")]
    [InlineData("from Orders where 5 = Company", "1:19: a field or a method is expected before an operator")]
    [InlineData("from Orders where a between 1 or 2", "1:31: found 'or' where 'and' and the upper end")]
    [InlineData("from Orders where a in (b)", "1:25: 'in' compares with values and parameters only")]
    [InlineData("from Orders where a in 1", "1:24: found '1' where '(' is expected")]
    [InlineData("from Orders where a = 1 and", "1:28: found the end")]
    [InlineData("from Orders where a = 12abc", "1:23: a number ends with a letter")]
    [InlineData("from Orders where a. = 1", "1:22: found '=' where the next part of the path")]
    [InlineData("from Orders where a[-1] = 1", "1:21: ']', a position of 0 or more")]
    [InlineData("from Orders as o load o.Company as c where o.A = 1", "1:38: 'where' comes too late or for the second time")]
    [InlineData("from Orders where A = 1 group by B", "1:25: 'where' stands behind 'group by'")]
    [InlineData("from Orders select A order by A", "1:22: 'order by' comes too late")]
    [InlineData("from Orders limit 1 where A = 1", "1:21: 'where' comes too late")]
    [InlineData("from Orders where A = 1 where B = 1", "1:25: 'where' comes too late or for the second time")]
    [InlineData("from Orders order Name", "1:13: found 'order' where the end of the query")]
    [InlineData("from Orders order by 5", "1:22: a key of 'order by' must be a field")]
    [InlineData("from Orders order by a as text", "1:27: found 'text' where 'string', 'long'")]
    [InlineData("from Orders order by a nulls", "1:29: found the end of the query where 'first' or 'last'")]
    [InlineData("from Orders group by sum(a)", "1:22: a key of 'group by' must be a field")]
    [InlineData("from Orders load o.x", "1:21: found the end of the query where 'as'")]
    [InlineData("from Orders select { a: 1", "1:20: the object that begins here has no end")]
    [InlineData("from Orders update", "1:19: found the end of the query where '{'")]
    [InlineData("from Orders update { } include a", "1:24: found 'include' where the end of the query")]
    [InlineData("from Orders include a include b", "1:23: there are two 'include' clauses")]
    [InlineData("from Orders include 5", "1:21: an include must be a path")]
    [InlineData("from Orders limit 1 limit 2", "1:21: 'limit' or 'offset' is given twice")]
    [InlineData("from Orders limit 1, 2 offset 3", "1:24: the start is given twice")]
    [InlineData("from Orders limit 'a'", "1:19: a whole number or a parameter")]
    [InlineData("from Orders limit 1.5", "1:19: a whole number or a parameter")]
    [InlineData("from Orders filter_limit 1 filter_limit 2", "1:28: there are two 'filter_limit'")]
    [InlineData("from Orders where $ = 1", "1:21: found '=' where the name of a parameter")]
    [InlineData("from Orders where search(a, $p0", "1:32: found the end of the query where ',' or ')'")]
    [InlineData("from Orders /* no end", "1:13: the comment that begins here has no end")]
    [InlineData("declare function f() { } declare function F() { } from X", "1:26: the function 'F' is declared twice")]
    [InlineData("declare f() { } from X", "1:9: found 'f' where 'function' or 'timeseries'")]
    [InlineData("declare function f( { } from X", "1:21: found '{' where the name of a parameter")]
    [InlineData("from Orders where nearly(a, 1)", "1:19: there is no method 'nearly'")]
    [InlineData("from Orders where search(a)", "1:19: the method 'search' takes 2 to 3 arguments, not 1")]
    [InlineData("from Orders where exact(exists(a, b))", "1:25: the method 'exists' takes 1 argument, not 2")]
    [InlineData("from Orders where intersect(a = 1)", "1:19: the method 'intersect' takes 2 or more arguments, not 1")]
    [InlineData("from Orders select output(x)", "1:20: there is no method 'output'")]
    public void Parse_BrokenText_SaysWhereAndWhat(string text, string message)
    {
        var refused = Assert.Throws<InvalidQueryException>(() => QueryParser.Parse(text));
        Assert.StartsWith(message, refused.Message, StringComparison.Ordinal);
        Assert.EndsWith("Query: " + text, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Parse_TextAtTheLimit_ReadAndAboveRefused()
    {
        const string begin = "from Orders where a = 'x'";
        string longest = begin + new string(' ', QueryLimits.TextCharactersMax - begin.Length);
        Assert.NotNull(QueryParser.Parse(longest).Where);
        var refused = Assert.Throws<InvalidQueryException>(() => QueryParser.Parse(longest + " "));
        Assert.Contains("characters, and the longest", refused.Message, StringComparison.Ordinal);
        Assert.True(refused.Message.Length < InvalidQueryException.ShownCharactersMax + 300);
    }

    [Theory]
    [InlineData("(", ")")]
    [InlineData("exact(", ")")]
    [InlineData("true and not ", "")]
    [InlineData("not ", "")]
    public void Parse_Nesting_RefusedAboveTheLimit(string open, string close)
    {
        bool isChain = open.StartsWith("true", StringComparison.Ordinal);
        Assert.NotNull(QueryParser.Parse(Nest(QueryLimits.DepthMax)));
        if (!isChain)
        {
            Assert.Contains("lie within one another", Assert.Throws<InvalidQueryException>(
                () => QueryParser.Parse(Nest(QueryLimits.DepthMax + 1))).Message, StringComparison.Ordinal);
            Assert.Throws<InvalidQueryException>(() => QueryParser.Parse(Nest(20_000)));
        }

        string Nest(int depth) => "from X where " + Repeat(open, depth) + "a = 1" + Repeat(close, depth);
    }

    [Theory]
    [InlineData("from X where ", "(")]
    [InlineData("from X where a in ", "(")]
    [InlineData("from X where a", "[")]
    [InlineData("from X where a", ".b")]
    [InlineData("from X select ", "{")]
    [InlineData("from X select ", "f(")]
    [InlineData("from X select { a: `", "${`")]
    [InlineData("from X where a = 1", " or b = 1")]
    [InlineData("from X where ", "not ")]
    public void Parse_HundredThousandTimesTheSame_DoesNotOverflow(string begin, string repeated)
    {
        string text = begin + Repeat(repeated, 100_000);
        text = text.Length <= QueryLimits.TextCharactersMax ? text : text[..QueryLimits.TextCharactersMax];
        try
        {
            QueryParser.Parse(text);
        }
        catch (InvalidQueryException)
        {
        }
    }

    [Fact]
    public void Parse_RandomTexts_GiveTreesOrRefusals()
    {
        int seed = Environment.TickCount;
        log.WriteLine($"seed {seed}");
        var random = new Random(seed);
        string[] texts = [.. GoldenQueries.Read("ClientQueries.golden").Concat(GoldenQueries.Read("MoreQueries.golden")).Select(query => query.Text)];
        int trees = 0;
        const int rounds = 30_000;
        for (int round = 0; round < rounds; round++)
        {
            string text = Mutate(random, texts);
            try
            {
                SyntaxPrinter.Print(QueryParser.Parse(text));
                trees++;
            }
            catch (InvalidQueryException refused)
            {
                Assert.Matches(@"^\d+:\d+: .+", refused.Message.Split('\n')[0]);
            }
            catch (Exception failure)
            {
                Assert.Fail($"seed {seed}, round {round}, text: {text}\n{failure}");
            }
        }

        Assert.InRange(trees, rounds / 100, rounds * 9 / 10);
    }

    internal static string Mutate(Random random, string[] texts)
    {
        var text = new StringBuilder(texts[random.Next(texts.Length)]);
        for (int changes = random.Next(1, 5); changes > 0; changes--)
        {
            int at = random.Next(text.Length + 1);
            int length = random.Next(text.Length - at + 1);
            switch (random.Next(5))
            {
                case 0:
                    text.Remove(at, Math.Min(length, 6));
                    break;
                case 1:
                    text.Insert(at, Odd[random.Next(Odd.Length)]);
                    break;
                case 2:
                    string other = texts[random.Next(texts.Length)];
                    int from = random.Next(other.Length);
                    text.Insert(at, other[from..random.Next(from, other.Length)]);
                    break;
                case 3:
                    text.Insert(at, text.ToString(at, length));
                    break;
                default:
                    text.Length = at;
                    break;
            }
        }

        return text.ToString();
    }

    private static string Repeat(string text, int times) => new StringBuilder().Insert(0, text, times).ToString();
}
