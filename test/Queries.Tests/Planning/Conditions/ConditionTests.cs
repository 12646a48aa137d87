using System.Text;
using Jackdaw.Json.Tape;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;

namespace Jackdaw.Queries.Tests.Planning.Conditions;

/// <summary>Conditions over documents: which values are equal, and which come before which.</summary>
public sealed class ConditionTests
{
    private const string Document = """
        {"Name":"Änn","Plain":"Ann","Age":5,"Half":5.5,"Big":9007199254740993,"Text":"5","Yes":true,"None":null,"Empty":[],
         "Tags":["X","y",null],"Lines":[{"P":"a","N":1},{"P":"b","N":2}],"Nested":[[1,2],[3]],"At":"2024-03-01T10:00:00.0000000Z",
         "Day":"2024-03-01","A.B":1,"Twin":"ANN","Object":{"City":"Ulm"},"Escaped":"a\"b","select":7}
        """;

    [Theory]
    [InlineData("Plain = 'ann'", true)]
    [InlineData("Plain = 'ANN'", true)]
    [InlineData("Plain == 'Bob'", false)]
    [InlineData("Name = 'äNN'", true)]
    [InlineData("exact(Plain = 'ann')", false)]
    [InlineData("exact(Plain = 'Ann')", true)]
    [InlineData("exact(Name = 'änn')", false)]
    [InlineData("exact(Plain in ('ann', 'x'))", false)]
    [InlineData("Escaped = 'A\"B'", true)]
    [InlineData("Age = 5", true)]
    [InlineData("Age = 5.0", true)]
    [InlineData("Age = '5'", true)]
    [InlineData("Text = 5", true)]
    [InlineData("Half = '5.5'", true)]
    [InlineData("Half = 5.5", true)]
    [InlineData("Big = 9007199254740993", true)]
    [InlineData("Big = 9007199254740992", false)]
    [InlineData("Yes = true", true)]
    [InlineData("Yes = 'TRUE'", true)]
    [InlineData("Yes = false", false)]
    [InlineData("None = null", true)]
    [InlineData("None = 'null'", false)]
    [InlineData("Missing = null", false)]
    [InlineData("Plain = null", false)]
    [InlineData("None != null", false)]
    [InlineData("Missing != null", false)]
    [InlineData("Plain != null", true)]
    [InlineData("Tags != null", true)]
    [InlineData("Plain != 'Bob'", true)]
    [InlineData("Plain <> 'ann'", false)]
    [InlineData("Missing != 'x'", true)]
    [InlineData("None != 'x'", true)]
    [InlineData("Tags = 'x'", true)]
    [InlineData("Tags = null", true)]
    [InlineData("Tags[] = 'Y'", true)]
    [InlineData("Tags[0] = 'y'", false)]
    [InlineData("Tags[1] = 'y'", true)]
    [InlineData("Tags != 'y'", false)]
    [InlineData("Empty = 'x'", false)]
    [InlineData("Lines[].P = 'B'", true)]
    [InlineData("Lines.P = 'B'", true)]
    [InlineData("Lines[].N > 1", true)]
    [InlineData("Lines[].N > 2", false)]
    [InlineData("Nested = 3", true)]
    [InlineData("Object = 'Ulm'", false)]
    [InlineData("Object.City = 'ulm'", true)]
    [InlineData("Plain.City = 'ulm'", false)]
    [InlineData("'A.B' = 1", true)]
    [InlineData("'select' = 7", true)]
    [InlineData("contains(Plain, 'NN')", true)]
    [InlineData("exact(contains(Plain, 'NN'))", false)]
    [InlineData("contains(Tags, 'x')", true)]
    [InlineData("contains(None, '')", false)]
    [InlineData("any(Lines as l, l.P = 'a' and l.N = 2)", false)]
    [InlineData("any(Lines as l, l.P = 'B' and l.N = 2)", true)]
    [InlineData("any(Lines as l, not l.N = 1)", true)]
    [InlineData("not any(Lines as l, not l.N > 0)", true)]
    [InlineData("any(Lines[] as l, l.N < Age and l.P != 'a')", true)]
    [InlineData("any(Tags as t, t = 'x' and t = 'y')", false)]
    [InlineData("any(Tags as t, startsWith(t, 'x') and contains(t, 'X'))", true)]
    [InlineData("any(Nested as n, n = 1 and n = 2)", true)]
    [InlineData("any(Nested as n, n = 1 and n = 3)", false)]
    [InlineData("any(Nested as n, any(n as m, m > 2 and m < 4))", true)]
    [InlineData("any(Missing as m, m = 1 or true)", false)]
    [InlineData("any(Object as o, o.City = 'Ulm')", true)]
    [InlineData("Age > 4", true)]
    [InlineData("Age > 5", false)]
    [InlineData("Age >= 5", true)]
    [InlineData("Age < 5.5", true)]
    [InlineData("Age <= 4", false)]
    [InlineData("Text > 4", false)]
    [InlineData("Age > '4'", true)]
    [InlineData("Age > '10'", true)]
    [InlineData("Plain > 'AMY'", true)]
    [InlineData("Plain < 'b'", true)]
    [InlineData("Missing > 1", false)]
    [InlineData("Missing < 1", false)]
    [InlineData("None < 'z'", false)]
    [InlineData("Age > '*'", true)]
    [InlineData("Age < 'NULL'", true)]
    [InlineData("Missing > '*'", false)]
    [InlineData("Age between 5 and 6", true)]
    [InlineData("Age between 6 and 9", false)]
    [InlineData("Age between 1 and 5", true)]
    [InlineData("Age between '*' and 5", true)]
    [InlineData("Age between 6 and 'NULL'", false)]
    [InlineData("Age between '*' and 'NULL'", true)]
    [InlineData("None between '*' and 'NULL'", false)]
    [InlineData("At > '2024-03-01'", true)]
    [InlineData("At >= '2024-03-01T11:00:00+01:00'", true)]
    [InlineData("At > '2024-03-01T11:00:00+01:00'", false)]
    [InlineData("Day < '2024-03-01T00:00:01'", true)]
    [InlineData("Plain > '2024-03-01'", false)]
    [InlineData("Day = '2024-03-01T01:00:00+01:00'", true)]
    [InlineData("At = '2024-03-01T10:00'", true)]
    [InlineData("At = '2024-03-01'", false)]
    [InlineData("At between '2024-03-01' and 'zebra'", true)]
    [InlineData("Big = 9007199254740992.0", false)]
    [InlineData("Age[] = 5", true)]
    [InlineData("Plain in ('x', 'ANN')", true)]
    [InlineData("Plain in ()", false)]
    [InlineData("None in (null)", true)]
    [InlineData("Age in (1, 5.0)", true)]
    [InlineData("Tags all in ('x', 'Y')", true)]
    [InlineData("Tags all in ('x', 'z')", false)]
    [InlineData("Plain in ($list)", true)]
    [InlineData("Age = $five", true)]
    [InlineData("Plain = $name", true)]
    [InlineData("startsWith(Plain, 'AN')", true)]
    [InlineData("startsWith(Plain, '')", true)]
    [InlineData("startsWith(Plain, null)", true)]
    [InlineData("startsWith(Missing, '')", false)]
    [InlineData("exact(startsWith(Plain, 'AN'))", false)]
    [InlineData("startsWith(Age, '5')", true)]
    [InlineData("endsWith(Plain, 'NN')", true)]
    [InlineData("endsWith(Tags, 'x')", true)]
    [InlineData("endsWith(Plain, 'n.')", false)]
    [InlineData("exists(None)", true)]
    [InlineData("exists(Empty)", true)]
    [InlineData("exists(Missing)", false)]
    [InlineData("exists(Lines[].P)", true)]
    [InlineData("exists(Lines[].Q)", false)]
    [InlineData("id() = 'USERS/1'", true)]
    [InlineData("id() != 'users/1'", false)]
    [InlineData("id() in ('users/2', 'users/1')", true)]
    [InlineData("startsWith(id(), 'Users/')", true)]
    [InlineData("o.Plain = 'ann'", true)]
    [InlineData("Plain = Twin", true)]
    [InlineData("Age < Half", true)]
    [InlineData("o.Half < o.Age", false)]
    [InlineData("Plain != Twin", false)]
    [InlineData("Missing = Plain", false)]
    [InlineData("true and not (Age = 5 or Age = 6)", false)]
    [InlineData("Age = 6 or Age = 5 and Plain = 'Ann'", true)]
    [InlineData("(Age = 6 or Age = 5) and Plain = 'Bob'", false)]
    [InlineData("false or true", true)]
    public void IsMet_OfADocument_FollowsTheRulesOfValues(string condition, bool isMet) =>
        Assert.Equal(isMet, IsMet(condition));

    [Theory]
    [InlineData("search(Plain, 'x')", "needs an index")]
    [InlineData("boost(Plain = 'x', 2)", "needs an index")]
    [InlineData("regex(Plain, 'x')", "needs an index")]
    [InlineData("spatial.within(A, spatial.wkt('x'))", "needs an index")]
    [InlineData("Age between 1 and 'x'", "values of one kind")]
    [InlineData("Age in (1, 'x')", "values of one kind")]
    [InlineData("Age in ($object)", "'in' compares with")]
    [InlineData("Age = $list", "use 'in'")]
    [InlineData("Age = $none", "'$none' was not sent")]
    [InlineData("Age > now()", "cannot be used in a filter")]
    [InlineData("id() > 'x'", "id() can be compared")]
    [InlineData("startsWith(Plain, 5)", "a text is expected")]
    [InlineData("cmpxchg('x') = 5", "a field of the document")]
    public void Compile_WhatCannotBeAsked_Refused(string condition, string message)
    {
        var refused = Assert.Throws<InvalidQueryException>(() => IsMet(condition));
        Assert.Contains(message, refused.Message, StringComparison.Ordinal);
        Assert.Matches(@"^1:\d+: ", refused.Message);
    }

    [Fact]
    public void IsMet_DeepestCondition_DoesNotOverflow()
    {
        string open = string.Concat(Enumerable.Repeat("true and not (", QueryLimits.DepthMax / 2));
        Assert.True(IsMet(open + "Age = 5" + new string(')', QueryLimits.DepthMax / 2)));
        string chain = string.Join(" or ", Enumerable.Repeat("Age = 6", 20_000));
        Assert.False(IsMet(chain));
    }

    private static bool IsMet(string condition)
    {
        const string parameters = """{"list":["q","ann"],"five":5,"name":"ANN","object":{"a":1}}""";
        QuerySyntax query = QueryParser.Parse("from Users as o filter " + condition);
        using var values = new ParameterValues(query.Text, Encoding.UTF8.GetBytes(parameters));
        Condition compiled = new ConditionCompiler(query, values).Compile(query.Filter!);
        using var tape = new JsonTape();
        byte[] json = Encoding.UTF8.GetBytes(Document);
        return compiled.IsMet(new EvaluatedDocument { Root = tape.Read(json), Id = "users/1"u8 });
    }
}
