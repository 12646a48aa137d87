using System.Text.Json;
using Jackdaw.Queries.Language;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.QueryEditing;

/// <summary>Editors offer a method exactly where the server runs it: every method at every place.</summary>
public sealed class MethodPlaceTests : IAsyncLifetime
{
    private static readonly (QueryClause Clause, string Query)[] s_forms =
    [
        (QueryClause.Where, "from As as a where {0}"),
        (QueryClause.Where, "from index Fields as a where {0}"),
        (QueryClause.Where, "from As as a where {0} = 'a/1'"),
        (QueryClause.Filter, "from As as a filter {0}"),
        (QueryClause.Filter, "from As as a filter {0} = 'a/1'"),
        (QueryClause.OrderBy, "from As as a order by {0}"),
        (QueryClause.OrderBy, "from As where search(Name, 'x') order by {0}"),
        (QueryClause.Select, "from As as a select {0}"),
        (QueryClause.Include, "from As as a where search(a.Name, 'x') include {0}"),
        (QueryClause.GroupBy, "from As group by {0} select count()"),
        (QueryClause.Grouped, "from As group by Name order by {0} select key()"),
        (QueryClause.Grouped, "from As group by Name select {0}"),
        (QueryClause.Grouped, "from As group by Name where {0} > 0"),
        (QueryClause.Value, "from As where Name = {0}"),
    ];

    // Calls that are right, if they stand at the right place.
    private static readonly Dictionary<string, string[]> s_calls = new()
    {
        ["exact"] = ["exact(Name = 'Ann')"],
        ["exists"] = ["exists(Name)"],
        ["search"] = ["search(Name, 'ann')"],
        ["startsWith"] = ["startsWith(Name, 'A')"],
        ["endsWith"] = ["endsWith(Name, 'n')"],
        ["contains"] = ["contains(Tags, 'x')"],
        ["any"] = ["any(Lines as l, l.Item = 'tea')"],
        ["regex"] = ["regex(Name, '^A')"],
        ["lucene"] = ["lucene(Name, 'ann')"],
        ["boost"] = ["boost(Name = 'Ann', 2)"],
        ["fuzzy"] = ["fuzzy(Name = 'Ann', 0.5)"],
        ["proximity"] = ["proximity(search(Name, 'a b'), 2)"],
        ["when"] = ["when($p = 1, Name = 'Ann')"],
        ["intersect"] = ["intersect(Name = 'Ann', N = 3)"],
        ["moreLikeThis"] = ["moreLikeThis(id() = 'a/1')"],
        ["spatial.within"] = ["spatial.within(spatial.point(Lat, Lng), spatial.circle(10, 1, 2))"],
        ["spatial.contains"] = ["spatial.contains(spatial.point(Lat, Lng), spatial.wkt('POINT (1 2)'))"],
        ["spatial.intersects"] = ["spatial.intersects(spatial.point(Lat, Lng), spatial.circle(10, 1, 2))"],
        ["spatial.disjoint"] = ["spatial.disjoint(spatial.point(Lat, Lng), spatial.circle(10, 1, 2))"],
        ["spatial.distance"] = ["spatial.distance(spatial.point(Lat, Lng), spatial.point(1, 2))"],
        ["vector.search"] = ["vector.search(embedding.f32(Vector), $v)"],
        ["id"] = ["id()"],
        ["random"] = ["random()"],
        ["score"] = ["score()"],
        ["custom"] = ["custom(Name, 'Sorter')"],
        ["array"] = ["array(Tags)"],
        ["count"] = ["count()"],
        ["sum"] = ["sum(N)"],
        ["key"] = ["key()"],
        ["min"] = ["min(N)"],
        ["max"] = ["max(N)"],
        ["avg"] = ["avg(N)"],
        ["average"] = ["average(N)"],
        ["facet"] = ["facet(Name)"],
        ["suggest"] = ["suggest(Name, 'an')"],
        ["counter"] = ["counter('x')"],
        ["counterRaw"] = ["counterRaw('x')"],
        ["cmpxchg"] = ["cmpxchg('k')"],
        ["counters"] = ["counters('x')", "counters(a, 'x')"],
        ["revisions"] = ["revisions('2020-01-01T00:00:00Z')", "revisions(a.Name)"],
        ["highlight"] = ["highlight(Name, 18, 2)"],
        ["explanations"] = ["explanations()"],
        ["timings"] = ["timings()"],
        ["now"] = ["now()"],
        ["today"] = ["today()"],
        ["last"] = ["last(x)"],
        ["getMetadata"] = ["getMetadata(a)"],
        ["lastModified"] = ["lastModified(a)"],
        ["timeseries"] = ["timeseries('x')"],
        ["ai.task"] = ["ai.task('x')"],
        ["spatial.point"] = ["spatial.point(Lat, Lng)"],
        ["spatial.circle"] = ["spatial.circle(10, 1, 2)"],
        ["spatial.wkt"] = ["spatial.wkt('POINT (1 2)')"],
        ["embedding.text"] = ["embedding.text(Name)"],
        ["embedding.text_i8"] = ["embedding.text_i8(Name)"],
        ["embedding.text_i1"] = ["embedding.text_i1(Name)"],
        ["embedding.forDoc"] = ["embedding.forDoc('a/1')"],
        ["embedding.f32"] = ["embedding.f32(Vector)"],
        ["embedding.f32_i8"] = ["embedding.f32_i8(Vector)"],
        ["embedding.f32_i1"] = ["embedding.f32_i1(Vector)"],
        ["embedding.i8"] = ["embedding.i8(Vector)"],
        ["embedding.i1"] = ["embedding.i1(Vector)"],
    };

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("a/1", "As", """{"Name":"Ann","Tags":["x"],"Lat":1,"Lng":2,"N":3,"Vector":[0.5,0.5],"Lines":[{"Item":"tea"}]}""");
        Assert.Equal(201, (await _server.PutIndexAsync("Fields", "from a in docs.As select new { a.Name, a.N, a.Tags }")).Status);
        const string code = "public class Sorter : IComparer<SortValue> { public int Compare(SortValue a, SortValue b) => 0; }";
        string sorters = JsonSerializer.Serialize(new { Sorters = new[] { new { Name = "Sorter", Code = code } } });
        Assert.Equal(204, (await _server.DbAsync("PUT", "/admin/sorters", sorters)).Status);
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task EveryMethod_IsOfferedWhereItRuns_AndNowhereElse()
    {
        Assert.Equal(QueryMethods.Names.Order(StringComparer.Ordinal), s_calls.Keys.Order(StringComparer.Ordinal));
        var wrong = new List<string>();
        foreach ((string name, string[] calls) in s_calls)
        {
            foreach (IGrouping<QueryClause, (QueryClause Clause, string Query)> place in s_forms.GroupBy(form => form.Clause))
            {
                bool isOffered = QueryMethods.NamesIn(place.Key).Contains(name);
                IEnumerable<string> queries = from form in place from call in calls select form.Query.Replace("{0}", call, StringComparison.Ordinal);
                (bool runs, string answers) = await RunsAsync(queries);
                if (runs != isOffered)
                {
                    wrong.Add($"{name} in {place.Key}: runs {runs}, offered {isOffered}: {answers}");
                }
            }
        }

        Assert.Empty(wrong);
    }

    private async Task<(bool Runs, string Answers)> RunsAsync(IEnumerable<string> queries)
    {
        string answers = "";
        foreach (string query in queries)
        {
            Answer answer = await _server.QueryAsync(query, more: new { QueryParameters = new { p = 1, v = new[] { 0.5, 0.5 } } });
            if (answer.Status == 200)
            {
                return (true, query);
            }

            answers += $"\n    {query}: {answer.Text[..Math.Min(300, answer.Text.Length)]}";
        }

        return (false, answers);
    }
}
