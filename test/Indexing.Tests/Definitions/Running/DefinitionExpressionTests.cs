using Jackdaw.Indexing.Definitions.Model;

namespace Jackdaw.Indexing.Tests.Definitions.Running;

/// <summary>Expressions of ordinary C# in maps, over a document that has all members and one that has none.</summary>
public sealed class DefinitionExpressionTests
{
    private static readonly (string, string)[] s_documents =
    [
        ("orders/1", """
            {"Closed":"2024-01-31","At":"1998-05-06T07:08:09","Time":"07:08:09","N":7,"F":2.5,"S":"Jackdaw","B":true,"T":"x",
             "Tags":["a","b","a"],"Hours":{"mon":2,"tue":3},"G":"0f8fad5b-d9cb-469f-a165-70867728950e","Spell":"1.02:00:00","Day":"Monday",
             "Lat":51.05,"Lng":3.72,"Text":"21"}
            """),
        ("orders/2", "{}"),
    ];

    public static TheoryData<string, string> Helpers => new()
    {
        { "CreateSpatialField(o.Lat, o.Lng)", "'POINT (3.72 51.05)'|-" },
        { "CreateSpatialField(((double ? ) o.Lat), ((double ? ) o.Lng))", "'POINT (3.72 51.05)'|-" },
        { "CreateSpatialField((double?)o.Lat, (double?)o.Lng)", "'POINT (3.72 51.05)'|-" },
        { "MetadataFor(o)[\"@collection\"]", "'Orders'|'Orders'" },
        { "LoadDocument(\"sellers/3\", \"Sellers\").Name", "'Ida'|'Ida'" },
        { "NoTracking.LoadDocument(\"sellers/3\", \"Sellers\").Name", "'Ida'|'Ida'" },
        { "LoadCompareExchangeValue(\"k\")", "null|null" },
        { "LoadCompareExchangeValue<string>(\"k\")", "null|null" },
        { "Id(o)", "'orders/1'|'orders/2'" },
        { "AsJson(o).N", "7|-" },
        { "ToJsonString(o.Tags)", "'[\\'a\\',\\'b\\',\\'a\\']'|-" },
        { "Recurse(o, x => x.Below).Count()", "1|1" },
        { "AttachmentsFor(o).Count()", "0|0" },
        { "LoadAttachments(o).Count()", "0|0" },
        { "LoadAttachment(o, \"a\") == null", "true|true" },
        { "CounterNamesFor(o).Count()", "0|0" },
        { "TimeSeriesNamesFor(o).Count()", "0|0" },
        { "TryConvert<int>(o.Text)", "21|-" },
        { "AsDateOnly(o.At)", "'1998-05-06'|-" },
        { "AsTimeOnly(o.Time).Hour", "7|-" },
        { "CreateVector(o.Tags)[\"@vector\"].Count()", "3|0" },
        { "Boost(o.N, 2)", "7^2|null^2" },
        { "CreateField(\"a\", ((int?)o.N)) == null", "false|false" },
        { "CreateField(o.S, o.N) == null", "false|true" },
        { "MetadataFor(o).Value<object>(\"@counters\") != null", "false|false" },
        { "MetadataFor(o).Value<string>(\"@collection\")", "'Orders'|'Orders'" },
    };

    [Theory]
    [MemberData(nameof(Helpers))]
    public void Helper_WithAndWithoutThis_GivesTheSame(string expression, string expected)
    {
        Assert.Equal(Rows(expected), Run(expression));
        Assert.Equal(Rows(expected), Run("this." + expression));
    }

    [Theory]
    [InlineData("string.Format(\"{0}\", (int?)o.N)", "'7'|''")]
    [InlineData("((int?)o.N) is null", "false|true")]
    [InlineData("new DateTime(o.At.Year, o.At.Month, 1)", "'1998-05-01T00:00:00.0000000'|null")]
    [InlineData("new TimeSpan(o.N, 0, 0)", "'07:00:00'|null")]
    [InlineData("o.Hours.Values.Sum()", "5|0")]
    [InlineData("o.Hours.Keys.Count()", "2|0")]
    [InlineData("(from v in o.Hours.Values select v * 2).Sum()", "10|0")]
    [InlineData("o.Hours.ContainsValue(3)", "true|null")]
    [InlineData("o.Hours.GetValueOrDefault(\"mon\")", "2|'mon'")]
    [InlineData("(DateOnly?)o.Closed", "'2024-01-31'|null")]
    [InlineData("(TimeOnly?)o.Time", "'07:08:09.0000000'|null")]
    [InlineData("(char?)o.T", "'x'|null")]
    [InlineData("o.Tags.IndexOf(\"b\")", "1|-")]
    [InlineData("o.Tags.LastIndexOf(\"a\")", "2|-")]
    [InlineData("o.Tags.IndexOf(\"a\", 1)", "2|null")]
    [InlineData("o.S.IndexOf(\"a\", 2)", "5|null")]
    [InlineData("o.S.Reverse()", "'wadkcaJ'|-")]
    [InlineData("o.Tags.Reverse().First()", "'a'|-")]
    [InlineData("o.Time.Hour", "7|-")]
    [InlineData("o.Time.Hours", "7|-")]
    [InlineData("o.Time.AddHours(20)", "'03:08:09.0000000'|-")]
    [InlineData("o.N as int?", "7|null")]
    [InlineData("o.At as DateTime?", "'1998-05-06T07:08:09'|null")]
    [InlineData("(o.Tags as IEnumerable<string>).First()", "'a'|-")]
    [InlineData("o.Closed.DayNumber", "738915|-")]
    [InlineData("new[] { \"a\", \"x\" }.Contains((string)o.T)", "true|false")]
    [InlineData("new[] { 1, 7 }.Contains((int)o.N)", "true|false")]
    [InlineData("Math.Round((decimal)o.F, 0)", "2|0")]
    [InlineData("Math.Round((double)o.F, 0)", "2|0")]
    [InlineData("string.Join(\",\", o.Tags.Select(t => t).Concat(new[] { \"z\" }))", "'a,b,a,z'|'z'")]
    [InlineData("string.Join(\",\", new[] { \"z\" }.Concat(o.Tags.Select(t => t)))", "'z,a,b,a'|'z'")]
    [InlineData("string.Join(\",\", o.Tags.Select(t => t).Except(new[] { \"a\" }))", "'b'|''")]
    [InlineData("string.Join(\",\", o.Tags.Select(t => t).Intersect(new[] { \"a\" }))", "'a'|''")]
    [InlineData("new Dictionary<string, string> { { o.T, o.S } }.Count", "1|1", false)]
    [InlineData("new Dictionary<string, int> { [o.T] = 1 }.Count", "1|1", false)]
    [InlineData("((IEnumerable<string>)o.Tags).First()", "'a'|'b'", false)]
    [InlineData("((IList<string>)o.Tags).Count", "3|0", false)]
    [InlineData("((IEnumerable<KeyValuePair<string, dynamic>>)o.Hours).Sum(h => h.Value)", "5|0", false)]
    [InlineData("((Dictionary<string, long>)o.Hours)[\"tue\"]", "3|0", false)]
    [InlineData("o.Tags.Select((Func<string, string>)(t => t + \"!\")).First()", "'a!'|0", false)]
    [InlineData("o.Tags.Select((string t) => t.Length).Sum()", "3|0")]
    [InlineData("o.Tags.Find(t => t != \"a\")", "'b'|-")]
    [InlineData("DateOnly.Parse(o.Closed)", "'2024-01-31'|null")]
    [InlineData("o.Closed.ToDateTime(new TimeOnly())", "'2024-01-31T00:00:00.0000000'|null")]
    [InlineData("o.At.ToString(CultureInfo.InvariantCulture)", "'1998-05-06T07:08:09'|''")]
    [InlineData("o.Text.ParseInt(-1)", "21|-1")]
    [InlineData("o.S.ParseInt()", "0|0")]
    [InlineData("o.Text.ParseLong()", "21|0")]
    [InlineData("o.Text.ParseDecimal(1)", "21|1")]
    [InlineData("o.Text.ParseDouble(1)", "21|1")]
    [InlineData("o.N << 1", "14|null")]
    [InlineData("o.N is int n && n > 3", "true|false")]
    [InlineData("o.S is string s ? s.Length : -1", "7|-1")]
    [InlineData("(int?)o.N << 1", "14|null")]
    [InlineData("Math.Log2(o.N + 1)", "3|null")]
    [InlineData("Math.Clamp(o.N, 1, 5)", "5|null")]
    [InlineData("Math.Pow(o.N, 2)", "49|null")]
    [InlineData("Convert.ToInt32(\"ff\", 16) + o.N", "262|null")]
    [InlineData("Math.DivRem(o.N, 2).Remainder", "1|null")]
    [InlineData("Guid.Parse(o.G)", "'0f8fad5b-d9cb-469f-a165-70867728950e'|null")]
    [InlineData("string.Compare(o.T, \"X\", true)", "0|-1")]
    [InlineData("o.At.AddDays(1).ToUniversalTime().Year", "1998|-")]
    [InlineData("((DateTime)o.At).AddDays(o.N).Day", "13|null")]
    [InlineData("((string)o.S ?? \"\").Substring(o.N - 3)", "'daw'|null")]
    [InlineData("DateTime.DaysInMonth(o.At.Year, month: o.At.Month)", "31|null")]
    [InlineData("new DateOnly(o.At.Year, 1, 2).AddDays(o.N).DayNumber", "729397|0", false)]
    [InlineData("o.S.Insert(o.N, \"!\").PadLeft(10).Trim().ToUpper().StartsWith(\"JACK\")", "true|false")]
    public void Expression_OfCSharp_GivesItsValue(string expression, string expected, bool alsoWithoutMembers = true)
    {
        string[] rows = Run(expression).Split('|');
        string[] wanted = Rows(expected).Split('|');
        Assert.Equal(wanted[0], rows[0]);
        if (alsoWithoutMembers)
        {
            Assert.Equal(wanted[1], rows[1]);
        }
    }

    [Theory]
    [InlineData("int", "N")]
    [InlineData("long", "N")]
    [InlineData("short", "N")]
    [InlineData("byte", "N")]
    [InlineData("uint", "N")]
    [InlineData("ulong", "N")]
    [InlineData("double", "F")]
    [InlineData("float", "F")]
    [InlineData("decimal", "F")]
    [InlineData("bool", "B")]
    [InlineData("char", "T")]
    [InlineData("DateTime", "At")]
    [InlineData("DateTimeOffset", "At")]
    [InlineData("DateOnly", "Closed")]
    [InlineData("TimeOnly", "Time")]
    [InlineData("TimeSpan", "Spell")]
    [InlineData("Guid", "G")]
    [InlineData("DayOfWeek", "Day")]
    public void Nullable_OfAnyType_IsNullExactlyWithoutAValue(string type, string member)
    {
        string cast = $"({type}?)o.{member}";
        string[] tests =
        [
            $"{cast} == null", $"null == {cast}", $"({cast}) == null", $"({cast}) is null", $"!({cast} != null)", $"!(null != {cast})",
            $"!(({cast}) is not null)", $"!(({cast}).HasValue)", $"(({cast}) ?? null) == null", $"(o.{member} as {type}?) == null",
            $"!(o.{member} is {type})", $"TryConvert<{type}>(o.{member}) == null", $"string.Format(\"{{0}}\", {cast}) == \"\"",
            $"CreateField(\"a\", ({cast})) == null || o.{member} == null", $"new[] {{ {cast} }}.All(x => x == null)",
        ];
        // All in one definition: the compiler is most of the time.
        string found = Map($"from o in docs.Orders select new {{ {string.Join(", ", tests.Select((test, i) => $"A{i} = {test}"))} }}");
        string[][] rows = [.. found.Split('|').Select(row => row.Split(' '))];
        Assert.Equal((2, tests.Length), (rows.Length, rows[0].Length));
        for (int i = 0; i < tests.Length; i++)
        {
            Assert.True(rows[0].Contains($"A{i}=false") && rows[1].Contains($"A{i}=true"), $"A{i} = {tests[i]}: {found}");
        }

        Assert.Equal("A=null", Run(cast).Split('|')[1]);
        Assert.Equal("A=false|A=true", Map($"from o in docs.Orders let d = {cast} select new {{ A = d == null }}"));
        Assert.Equal("A=1", Map($"from o in docs.Orders where {cast} != null select new {{ A = 1 }}"));
        Assert.Equal("A=2", Map($"from o in docs.Orders where null == {cast} select new {{ A = 2 }}"));
        Assert.Equal("A=false|A=true", string.Join('|', Reduce(cast).Split('|').Order(StringComparer.Ordinal)));
    }

    private static string Reduce(string cast)
    {
        IndexDefinition definition = DefinitionHarness.Define(
            ["from o in docs.Orders select new { A = o." + cast[(cast.IndexOf("o.", StringComparison.Ordinal) + 2)..] + " }"],
            "from r in results group r by r.A into g let k = " + cast[..cast.IndexOf("o.", StringComparison.Ordinal)] + "g.Key select new { A = k == null }");
        return DefinitionHarness.Run(definition, s_documents);
    }

    private static string Rows(string expected) => "A=" + expected.Replace("|", "|A=", StringComparison.Ordinal);

    private static string Run(string expression) => Map("from o in docs.Orders select new { A = " + expression + " }");

    private static string Map(string map) => DefinitionHarness.Run(DefinitionHarness.Define([map]), s_documents);
}
