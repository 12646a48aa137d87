using System.Text;
using System.Text.Json;
using Jackdaw.Json.Refusals;
using Jackdaw.Server.Http.Problems;

namespace Jackdaw.Server.Tests.Http.Problems;

public sealed class RefusalAnswersTests
{
    public static TheoryData<RefusalKind> Kinds => [.. Enum.GetValues<RefusalKind>()];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void ToProblem_EachKind_HasALineInTheTable(RefusalKind kind)
    {
        Problem problem = RefusalAnswers.ToProblem(new Refusal(kind, "what and why"));
        Assert.InRange(problem.Status, 400, 599);
        Assert.Equal("what and why", problem.Message);
        Assert.True(problem.Type.Contains('.', StringComparison.Ordinal) || problem.Type == ProblemTypes.InvalidAuth, problem.Type);
    }

    [Fact]
    public void ToProblem_Facts_AreMembersInTheirOrder()
    {
        IReadOnlyList<RefusalFact> inner = [new("Id", "a"), new("Actual", 3L)];
        var refusal = new Refusal(RefusalKind.ClusterConflict, "m")
        {
            Facts = [new("Text", "t"), new("Nothing", null), new("Number", 7), new("List", new IReadOnlyList<RefusalFact>[] { inner })],
        };
        Assert.Equal("""{"Text":"t","Nothing":null,"Number":7,"List":[{"Id":"a","Actual":3}]}""", Details(RefusalAnswers.ToProblem(refusal)));
    }

    [Fact]
    public void ToProblem_FactsOfADerivedException_AreMembers()
    {
        Problem problem = ProblemMapping.ToProblem(new WithFacts());
        Assert.Equal("""{"Own":"fact"}""", Details(problem));
        Assert.True(ProblemMapping.IsExplained(new WithFacts()));
    }

    private static string Details(Problem problem)
    {
        using var stream = new MemoryStream();
        using (var json = new Utf8JsonWriter(stream))
        {
            json.WriteStartObject();
            problem.WriteDetails!(json);
            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(stream.ToArray());
    }

    private sealed class WithFacts() : RefusedException(RefusalKind.Conflict, "refused")
    {
        protected override IReadOnlyList<RefusalFact> Facts => [new("Own", "fact")];
    }
}
