using System.Text.Json;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Includes;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Http.Reading;
using Jackdaw.Server.Tests.Http.Routing;

namespace Jackdaw.Server.Tests.Http.Descriptions;

/// <summary>What every description of a route has, and what happens to a read that is not described.</summary>
public sealed class RouteDescriptionTests
{
    public static TheoryData<string> Titles { get; } = [.. RouteListTests.All().Select(method => method.Title).Order(StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(Titles))]
    public void Description_EachRoute_IsComplete(string title)
    {
        RouteDescription description = RouteListTests.All().Single(method => method.Title == title).Description;
        AssertSentence(description.Summary);
        Assert.NotEmpty(description.Outcomes);
        Assert.Equal(description.Outcomes.Count, description.Outcomes.DistinctBy(outcome => outcome.Status).Count());
        Assert.All(description.Outcomes, outcome => AssertSentence(outcome.Meaning));
        Assert.All(description.Parameters, AssertComplete);
        Assert.Equal(description.Parameters.Count, description.Parameters.DistinctBy(one => one.Name.ToUpperInvariant()).Count());
        Assert.All(
            description.Parameters.SelectMany(parameter => parameter.Others),
            other => Assert.Contains(description.Parameters, parameter => parameter.Name == other.Name));
        if (description.Body is { } body)
        {
            AssertSentence(body.Meaning);
            Assert.NotEqual("", body.Example);
            Assert.All(body.Members, AssertComplete);
        }
    }

    [Fact]
    public void Description_OfAMethodWithoutABody_HasNone() => Assert.All(
        RouteListTests.All().Where(method => method.Name is "GET" or "HEAD"), method => Assert.Null(method.Description.Body));

    [Fact]
    public void Description_OfLoads_HasTheParametersOfAllExtensionsOfTheProgram() => Assert.All(
        StandardExtensions.All.Of<IIncludedExtension>(),
        extension => Assert.Contains(DocumentQuery.LoadInputs, input => input.Name == extension.LoadParameter));

#if DEBUG
    [Fact]
    public void Read_ParameterThatIsNotDescribed_FailsAndNamesBoth()
    {
        RouteDescription description = new RouteDescription("GET /tea").Takes(Input.Text("kind", "The kind.", "green"));
        var query = new QueryParameters("?kind=green&sugar=1", description);
        Assert.Equal("green", query.GetText("KIND"));
        foreach (Action read in (Action[])[
            () => query.GetText("sugar"), () => query.GetAll("milk"), () => query.GetFlag("milk"), () => query.GetCount("sugar", 0), () => query.Has("milk"),
            () => query.GetRequiredText("milk"), () => Walk(query)])
        {
            string message = Assert.Throws<InvalidOperationException>(read).Message;
            Assert.StartsWith("GET /tea reads the query parameter '", message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Read_OutsideOfRoutes_NeedsNoDescription() => Assert.Equal("1", new QueryParameters("?sugar=1").GetText("sugar"));
#endif

    private static void Walk(QueryParameters query)
    {
        foreach (QueryParameter parameter in query)
        {
            parameter.Is("lemon");
        }
    }

    private static void AssertComplete(Input input)
    {
        Assert.Matches("^[A-Za-z]+$", input.Name);
        AssertSentence(input.Meaning);
        Assert.NotEqual("", input.Example);
        if (input.Values.Count > 0)
        {
            Assert.Contains(input.Example, input.Values);
        }

        if (input.Kind is InputKind.Json or InputKind.Flag or InputKind.Count)
        {
            JsonDocument.Parse(input.Example).Dispose();
        }
    }

    private static void AssertSentence(string text) => Assert.Matches(@"^[A-Z].{5,}\.$", text);
}
