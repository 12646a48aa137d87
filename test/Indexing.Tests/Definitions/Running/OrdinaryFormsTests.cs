using System.Reflection;
using Jackdaw.Indexing.Definitions.Library;
using Jackdaw.Indexing.Definitions.Model;

namespace Jackdaw.Indexing.Tests.Definitions.Running;

/// <summary>Forms of C# that mean something by the type of what stands before them: conditional access, characters, equality, places from the end,
/// results by 'out', names of methods, and the elements of objects.</summary>
public sealed class OrdinaryFormsTests
{
    private static readonly (string, string)[] s_documents =
    [
        ("orders/1", """
            {"S":"Jackdaw","N":7,"F":2.5,"At":"1998-05-06T07:08:09","Day":"2024-02-14","Time":"07:08:09","Spell":"1.02:00:00","B":true,"Digits":"42",
             "G":"0f8fad5b-d9cb-469f-a165-70867728950e","Tags":["b","a","c"],"Hours":{"mon":2,"tue":3,"wed":1},"Seller":"sellers/3",
             "Lines":[{"P":"b","Q":2},{"P":"A","Q":3}]}
            """),
        ("orders/2", "{}"),
    ];

    public static TheoryData<string> Types => [.. BaseLibraryCalls.Types.Where(type => type.IsGenericType).Select(type => type.Name)];

    [Theory]
    [InlineData("o.S", "?.Length", "7")]
    [InlineData("(o.S)", "?.ToUpper()", "'JACKDAW'")]
    [InlineData("((string)o.S)", "?.Length", "7")]
    [InlineData("((string)o.S)", "?.Trim()?.Substring(1, 2)", "'ac'")]
    [InlineData("((string)o.S)", "?[0]", "'J'")]
    [InlineData("(o.S as string)", "?.Split('k')?.Length", "2")]
    [InlineData("o.S", "?.ToString()", "'Jackdaw'")]
    [InlineData("((int?)o.N)", "?.ToString(\"000\")", "'007'")]
    [InlineData("((decimal?)o.F)", "?.CompareTo(2m)", "1")]
    [InlineData("((DateTime?)o.At)", "?.Year", "1998")]
    [InlineData("((DateTime?)o.At)", "?.AddDays(1).Day", "7")]
    [InlineData("((DateOnly?)o.Day)", "?.DayNumber", "738929")]
    [InlineData("((TimeSpan?)o.Spell)", "?.TotalHours", "26")]
    [InlineData("((Guid?)o.G)", "?.ToString(\"N\").Length", "32")]
    [InlineData("o.Lines", "?[1]?.P", "'A'")]
    [InlineData("o.Lines", "?.FirstOrDefault(l => l.Q == 3)?.P", "'A'")]
    [InlineData("o.Hours", "?.mon", "2")]
    [InlineData("LoadDocument(o.Seller, \"Sellers\")", "?.Name", "'Ida'")]
    public void ConditionalAccess_OfAnyType_IsNullExactlyForNull(string receiver, string access, string value)
    {
        Assert.Equal($"A={value}|A=null", Run(receiver + access));
        Assert.Equal($"A={value}|A='none'", Run($"{receiver}{access} ?? \"none\""));
        Assert.Equal("A=true|A=false", Run($"({receiver}{access}) != null"));
        Assert.Equal($"A={value}|A=null", Map($"from o in docs.Orders let v = {receiver} let w = v{access} select new {{ A = w }}"));
    }

    [Fact]
    public void Characters_OfATextInCalculations_HaveTheirCodes()
    {
        const string digits = "42";
        const string text = "Jackdaw";
        (string Form, object Expected)[] forms =
        [
            ("(int)o.Digits[0]", (int)digits[0]), ("o.Digits[0] - '0'", digits[0] - '0'), ("o.Digits[0] + 1", digits[0] + 1),
            ("o.S[0] + o.S[1]", text[0] + text[1]), ("o.S[0] + \"x\"", text[0] + "x"), ("\"x\" + o.S[0]", "x" + text[0]),
            ("o.S[0] + o.S", text[0] + text), ("(char)(o.S[0] + 1)", (char)(text[0] + 1)), ("o.Digits.Sum(c => c - '0')", digits.Sum(c => c - '0')),
            ("o.S.Max(c => (int)c)", text.Max(c => (int)c)), ("o.S[0] > 73", text[0] > 73), ("o.S[0] == 74", text[0] == 74), ("o.S[0] == 'J'", text[0] == 'J'),
            ("o.S[0] != 75", text[0] != 75), ("Convert.ToInt32(o.Digits[0])", Convert.ToInt32(digits[0])),
            ("o.Digits.Select(c => (int)c).First()", (int)digits[0]),
            ("((string)o.Digits)[1] * 2", digits[1] * 2), ("int.Parse(o.Digits[0].ToString())", int.Parse(digits[0].ToString(), null)),
            ("string.Concat(o.S[0], o.S[1])", string.Concat(text[0], text[1])), ("o.S[0].ToString()", text[0].ToString()),
        ];
        foreach ((string form, object expected) in forms)
        {
            string shown = expected switch { string or char => $"'{expected}'", bool flag => flag ? "true" : "false", _ => $"{expected}" };
            Assert.True(Run(form).Split('|')[0] == "A=" + shown, $"{form}: {Run(form)}, and C# {shown}");
        }
    }

    [Theory]
    [InlineData("(int)o.At.DayOfWeek")]
    [InlineData("Convert.ToInt32(o.At.DayOfWeek)")]
    [InlineData("(int)((DateTime)o.At).DayOfWeek")]
    [InlineData("((int)o.At.DayOfWeek + 7) % 7")]
    public void DayOfWeek_AsANumber_IsThatOfCSharp(string expression) =>
        Assert.Equal($"A={(int)new DateTime(1998, 5, 6).DayOfWeek}", Run(expression).Split('|')[0]);

    [Theory]
    [InlineData("o.N", "7", "8")]
    [InlineData("o.F", "2.5", "2")]
    [InlineData("o.S", "\"Jackdaw\"", "\"jackdaw\"")]
    [InlineData("o.B", "true", "false")]
    [InlineData("o.At", "new DateTime(1998, 5, 6, 7, 8, 9)", "new DateTime(1998, 5, 6)")]
    [InlineData("o.Tags[0]", "'b'", "'c'")]
    public void Equality_InAnyForm_ComparesValues(string member, string same, string other)
    {
        foreach (string form in (string[])["{0} == {1}", "{1} == {0}", "{0}.Equals({1})", "Equals({0}, {1})", "object.Equals({0}, {1})",
            "object.Equals({1}, {0})", "((object){0}).Equals({1})", "new[] {{ {1} }}.Contains({0})"])
        {
            Assert.Equal(form + " A=true", form + " " + Run(string.Format(null, form, member, same)).Split('|')[0]);
            Assert.Equal(form + " A=false", form + " " + Run(string.Format(null, form, member, other)).Split('|')[0]);
        }
    }

    [Theory]
    [InlineData("o.S[^1]", "'w'")]
    [InlineData("o.S[..4]", "'Jack'")]
    [InlineData("o.S[4..]", "'daw'")]
    [InlineData("o.S[1..^1]", "'ackda'")]
    [InlineData("o.S[4..99]", "'daw'")]
    [InlineData("((string)o.S)[^1]", "'w'")]
    [InlineData("o.Tags[^1]", "'c'")]
    [InlineData("string.Join(\"\", o.Tags[1..])", "'ac'")]
    [InlineData("string.Join(\"\", o.Tags.Take(1..2))", "'a'")]
    [InlineData("o.Tags.ElementAt(^1)", "'c'")]
    [InlineData("o.Tags.ElementAtOrDefault(^2)", "'a'")]
    public void Places_FromTheEndAndRanges_AreThoseOfCSharp(string expression, string expected) =>
        Assert.Equal("A=" + expected, Run(expression).Split('|')[0]);

    [Theory]
    [InlineData("int", "Digits")]
    [InlineData("long", "Digits")]
    [InlineData("short", "Digits")]
    [InlineData("byte", "Digits")]
    [InlineData("double", "Digits")]
    [InlineData("float", "Digits")]
    [InlineData("decimal", "Digits")]
    [InlineData("bool", "B")]
    [InlineData("DateTime", "At")]
    [InlineData("DateTimeOffset", "At")]
    [InlineData("DateOnly", "Day")]
    [InlineData("TimeOnly", "Time")]
    [InlineData("TimeSpan", "Spell")]
    [InlineData("Guid", "G")]
    public void TryParse_OfAnyType_GivesItsResultByOut(string type, string member)
    {
        string whenFound = Run($"({type})o.{member}").Split('|')[0];
        foreach (string declared in (string[])[type, "var"])
        {
            foreach (string text in (string[])["o." + member, "(string)o." + member, $"o.{member}.ToString()"])
            {
                string found = Run($"{type}.TryParse({text}, out {declared} v) ? ({type})v : o.Missing");
                Assert.True(found == whenFound + "|A=null", $"{type}.TryParse({text}, out {declared} v): {found}, and not {whenFound}");
            }
        }
    }

    [Theory]
    [InlineData("o.Hours.TryGetValue(\"mon\", out int v) ? v : -1", "2|A=-1")]
    [InlineData("o.Digits.All(char.IsDigit)", "true|A=true")]
    [InlineData("o.S.Count(char.IsUpper)", "1|A=0")]
    [InlineData("string.Concat(o.S.Where(char.IsUpper))", "'J'|A=''")]
    [InlineData("string.Join(\",\", o.Lines.Select(l => l.Q).Select(Convert.ToString))", "'2,3'|A=''")]
    [InlineData("new string(o.S.Reverse().ToArray())", "'wadkcaJ'|A=''")]
    [InlineData("new string(o.S.Where(c => char.IsUpper(c)).ToArray())", "'J'|A=''")]
    [InlineData("nameof(o.N)", "'N'|A='N'")]
    [InlineData("nameof(o.Lines.Count)", "'Count'|A='Count'")]
    [InlineData("LoadDocument<dynamic>(o.Seller, \"Sellers\").Name", "'Ida'|A=null")]
    [InlineData("this.LoadDocument<Seller>(o.Seller, \"Sellers\").Name", "'Ida'|A=null")]
    [InlineData("NoTracking.LoadDocument<object>(o.Seller, \"Sellers\").Name", "'Ida'|A=null")]
    [InlineData("o.Lines.OrderBy(l => l.P, StringComparer.Ordinal).First().Q", "3|A=null")]
    [InlineData("o.Lines.OrderBy(l => l.P, StringComparer.OrdinalIgnoreCase).First().Q", "3|A=null")]
    [InlineData("o.Lines.OrderBy(l => l.Q).ThenBy(l => l.P, StringComparer.Ordinal).Last().P", "'A'|A=null")]
    [InlineData("o.Lines.GroupBy(l => l.P, StringComparer.OrdinalIgnoreCase).Count()", "2|A=0")]
    [InlineData("o.Lines.MaxBy(l => l.P, StringComparer.OrdinalIgnoreCase).Q", "2|A=null")]
    [InlineData("o.Lines.Join(o.Tags, l => l.P, t => t, (l, t) => l.Q + t, StringComparer.OrdinalIgnoreCase).Count()", "2|A=0")]
    [InlineData("o.Tags.Contains(\"A\", StringComparer.OrdinalIgnoreCase)", "true|A=false")]
    [InlineData("o.Tags.SequenceEqual(o.Tags, StringComparer.OrdinalIgnoreCase)", "true|A=true")]
    [InlineData("o.Lines.Where(l => l.Q > 9).MaxBy(l => l.Q)", "null|A=null")]
    [InlineData("o.Tags.Remove(\"a\")", "true|A=null")]
    [InlineData("o.Hours.Remove(\"mon\")", "true|A=null")]
    public void Form_OfOrdinaryCSharp_GivesItsValue(string expression, string expected) => Assert.Equal("A=" + expected, Run(expression));

    [Theory]
    [InlineData("First().Key")]
    [InlineData("First(p => p.Value > 2).Key")]
    [InlineData("FirstOrDefault().Value")]
    [InlineData("Last().Key")]
    [InlineData("ElementAt(1).Key")]
    [InlineData("ElementAtOrDefault(2).Value")]
    [InlineData("Single(p => p.Value == 3).Key")]
    [InlineData("Skip(1).First().Key")]
    [InlineData("Take(1).Single().Key")]
    [InlineData("OrderBy(p => p.Value).First().Key")]
    [InlineData("MaxBy(p => p.Value).Key")]
    [InlineData("Max(p => p.Value)")]
    [InlineData("Sum(p => p.Value)")]
    [InlineData("Reverse().First().Key")]
    [InlineData("ToList()[1].Key")]
    [InlineData("ToArray()[0].Value")]
    [InlineData("Zip(o.Tags, (p, t) => p.Key + t).First()")]
    [InlineData("GroupBy(p => p.Value % 2).Count()")]
    [InlineData("DefaultIfEmpty().First().Key")]
    [InlineData("Aggregate(0, (sum, p) => sum + p.Value)")]
    [InlineData("Where(p => p.Key != \"mon\").First().Value")]
    [InlineData("Count()")]
    [InlineData("Any(p => p.Key == \"mon\")")]
    public void Elements_OfAnObject_AreItsNamesWithValues(string call) =>
        Assert.Equal(Run($"o.Hours.Select(p => p).{call}").Split('|')[0], Run("o.Hours." + call).Split('|')[0]);

    [Theory]
    [MemberData(nameof(Types))]
    public void Members_ThatChangeACollection_AreRefusedWithWhatToWriteInstead(string type)
    {
        Type tested = BaseLibraryCalls.Types.Single(one => one.Name == type);
        string member = tested.Name.StartsWith("List", StringComparison.Ordinal) ? "o.Tags" : "o.Hours";
        string[] names = [.. tested.GetMethods(BindingFlags.Public | BindingFlags.Instance)
            .Where(method => method.ReturnType == typeof(void) && !method.IsSpecialName)
            .Where(method => method.Name is not ("Reverse" or "GetObjectData" or "OnDeserialization"))
            .Select(method => method.Name).Distinct()];
        Assert.Equal(names.Order(), RefusedMembers.All
            .Where(row => row.Type == tested.GetGenericTypeDefinition().FullName && row.Reason.Contains("void", StringComparison.Ordinal))
            .Select(row => row.Member).Order());
        foreach (string name in names.Where(name => name is not ("Add" or "Insert" or "ForEach")))
        {
            IndexCompilationException fault = Assert.Throws<IndexCompilationException>(() => Run($"{member}.{name}()"));
            Assert.Contains("A definition cannot change what a document has.", fault.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("o.S.AsSpan().Length", "write Substring, or a range")]
    [InlineData("Math.DivRem(o.N, 2, out var rest)", "use a method that returns its result")]
    [InlineData("o.Tags.TryGetNonEnumeratedCount(out var n) ? n : 0", "use a method that returns its result")]
    [InlineData("o.Tags.ToList().Add(\"x\")", "This call gives no value.")]
    public void Form_ThatCannotBe_IsRefusedWithAWayOut(string expression, string instead) =>
        Assert.Contains(instead, Assert.Throws<IndexCompilationException>(() => Run(expression)).Message, StringComparison.Ordinal);

    private static string Run(string expression) => Map("from o in docs.Orders select new { A = " + expression + " }");

    // What is missing is null, too.
    private static string Map(string map) => string.Join('|', DefinitionHarness.Run(DefinitionHarness.Define([map]), s_documents)
        .Split('|').Select(row => row == "A=-" ? "A=null" : row));
}
