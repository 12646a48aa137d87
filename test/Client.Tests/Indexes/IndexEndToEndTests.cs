using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Indexes;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Operations.Indexes;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Indexes;

/// <summary>Indexes of classes in a real server: queries give what LINQ to objects gives over the same documents.</summary>
public sealed class IndexEndToEndTests : IAsyncLifetime
{
    private static readonly Sample[] s_samples =
    [
        .. Enumerable.Range(1, 20).Select(i => new Sample
        {
            Id = $"samples/{i}",
            A = i,
            B = i % 3,
            S = i % 2 == 0 ? "red lamp" : "Blue Cord",
            P = i / 4m,
            D = 50 + (i / 100.0),
            E = 3.7,
            CompanyId = $"firms/{i % 3}",
            Color = (Color)(i % 3),
            At = new DateTime(2025, 1 + (i % 4), i, 8, 30, 0),
            Tags = [.. Enumerable.Range(0, i % 4).Select(t => "t" + t)],
            Parts = [.. Enumerable.Range(0, i % 3).Select(p => new Part { Name = "p" + p, Amount = i, Price = 1.1m * p })],
            Map = new() { ["Size" + (i % 2)] = i },
        }),
    ];

    private static readonly Firm[] s_firms = [new() { Id = "firms/1", Name = "Acme" }, new() { Id = "firms/2", Name = "Bolt" }];

    private StoreFixture _fixture = null!;

    private DocumentStore Store => _fixture.Store;

    public async Task InitializeAsync()
    {
        _fixture = await StoreFixture.StartAsync();
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        foreach (object one in (object[])[.. s_samples, .. s_firms])
        {
            await session.StoreAsync(one);
        }

        await session.SaveChangesAsync();
    }

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task Map_ByFields_FindsWhatObjectsHave()
    {
        await new Samples_ByAll().ExecuteAsync(Store);
        await SameAsync<Sample, Samples_ByAll>(query => query.Where(x => x.A > 5 && x.B == 1), s_samples.Where(x => x.A > 5 && x.B == 1));
        await SameAsync<Sample, Samples_ByAll>(query => query.Where(x => x.Color == Color.Green), s_samples.Where(x => x.Color == Color.Green));
        await SameAsync<Sample, Samples_ByAll>(query => query.Where(x => x.P >= 2.25m), s_samples.Where(x => x.P >= 2.25m));
        await SameAsync<Sample, Samples_ByAll>(query => query.Where(x => x.Tags.Contains("t2")), s_samples.Where(x => x.Tags.Contains("t2")));
        await SameAsync<Sample, Samples_ByAll>(query => query.Search(x => x.S, "lamp"), s_samples.Where(x => x.S.Contains("lamp", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task MapReduce_OfGroups_GivesTheResultsOfLinq()
    {
        await Store.ExecuteIndexAsync(new Samples_PerFirm());
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        List<FirmTotal> totals = await session.Query<FirmTotal, Samples_PerFirm>().Customize(x => x.WaitForNonStaleResults()).OrderBy(x => x.Firm)
            .ToListAsync();
        var wanted = from x in s_samples
                     from p in x.Parts
                     group new { x, p } by x.CompanyId into g
                     orderby g.Key
                     select (g.Key, g.Count(), g.Sum(one => one.p.Price * one.p.Amount), g.Max(one => one.x.At));
        Assert.Equal(wanted, totals.Select(total => (total.Firm, total.Count, total.Total, total.Last)));
    }

    [Fact]
    public async Task MultiMap_OfTwoCollections_FindsBoth()
    {
        await Store.ExecuteIndexesAsync([new Everything_ByName(), new Samples_ByFirmName()]);
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        Assert.Equal(1, await session.Query<NamedThing, Everything_ByName>().Customize(x => x.WaitForNonStaleResults()).Where(x => x.Name == "Acme")
            .CountAsync());
        Assert.Equal(10, await session.Query<NamedThing, Everything_ByName>().Where(x => x.Name == "red lamp").CountAsync());
        await SameAsync<NamedThing, Samples_ByFirmName, Sample>(
            query => query.Where(x => x.Name == "Bolt").OfType<Sample>(), s_samples.Where(x => x.CompanyId == "firms/2"));
    }

    [Fact]
    public async Task FanOut_DynamicAndSpatialFields_AreFound()
    {
        await IndexCreation.CreateIndexesAsync([new Samples_ByParts(), new Samples_ByPlace()], Store);
        await SameAsync<PartRow, Samples_ByParts, Sample>(
            query => query.Where(x => x.PartName == "p1" && x.Amount > 10).OfType<Sample>(),
                s_samples.Where(x => x.A > 10 && x.Parts.Any(p => p.Name == "p1")));
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        List<Sample> sized = await session.Advanced.RawQuery<Sample>("from index 'Samples/ByPlace' where Size1 > 10").WaitForNonStaleResults().ToListAsync();
        Assert.Equal(s_samples.Where(x => x.A > 10 && x.A % 2 == 1).Select(x => x.Id).Order(), sized.Select(x => x.Id).Order());
        List<Sample> near = await session.Query<Sample, Samples_ByPlace>().Spatial("Place", x => x.WithinRadius(5, 50.05, 3.7)).ToListAsync();
        Assert.Equal(s_samples.Where(x => Math.Abs(x.D - 50.05) * 111.2 <= 5).Select(x => x.Id).Order(), near.Select(x => x.Id).Order());
    }

    [Fact]
    public async Task JavaScript_Index_IsQueriedByItsClass()
    {
        new Samples_InScript().Execute(Store);
        using IDocumentSession session = Store.OpenSession();
        List<Pair> counted = session.Query<Pair, Samples_InScript>().Customize(x => x.WaitForNonStaleResults()).ToList();
        Assert.Equal([("Blue Cord", 10), ("red lamp", 10)], counted.Select(x => (x.Name, x.Count)).Order());
    }

    [Fact]
    public async Task Operations_OfIndexes_DoWhatTheySay()
    {
        IndexDefinition definition = new Samples_ByAll().CreateIndexDefinition();
        PutIndexResult put = Assert.Single(await Store.Maintenance.SendAsync(new PutIndexesOperation(definition)));
        Assert.Equal("Samples/ByAll", put.Index);
        Assert.Equal(["Samples/ByAll"], await Store.Maintenance.SendAsync(new GetIndexNamesOperation()));
        Assert.False(await Store.Maintenance.SendAsync(new IndexHasChangedOperation(definition)));
        IndexDefinition other = new Samples_ByAll().CreateIndexDefinition();
        other.Maps = new HashSet<string> { "docs.Samples.Select(x => new { A = x.A })" };
        Assert.True(await Store.Maintenance.SendAsync(new IndexHasChangedOperation(other)));
        await SameAsync<Sample, Samples_ByAll>(query => query.Where(x => x.A == 7), s_samples.Where(x => x.A == 7));

        IndexDefinition read = (await Store.Maintenance.SendAsync(new GetIndexOperation("samples/byall")))!;
        Assert.Equal(definition.Maps, read.Maps);
        Assert.Equal((IndexType.Map, IndexSourceType.Documents), (read.Type, read.SourceType));
        Assert.Null(await Store.Maintenance.SendAsync(new GetIndexOperation("nobody")));
        Assert.Single(await Store.Maintenance.SendAsync(new GetIndexesOperation()));
        Assert.Equal(["0", "1", "2"], await Store.Maintenance.SendAsync(new GetTermsOperation("Samples/ByAll", "B")));
        await Assert.ThrowsAsync<IndexDoesNotExistException>(() => Store.Maintenance.SendAsync(new GetTermsOperation("nobody", "B")));
        await Assert.ThrowsAsync<IndexDoesNotExistException>(() => Store.Maintenance.SendAsync(new GetIndexStatisticsOperation("nobody")));

        await Store.Maintenance.SendAsync(new SetIndexesLockOperation(IndexLockMode.LockedError, "Samples/ByAll"));
        await Assert.ThrowsAnyAsync<DocumentDatabaseException>(() => Store.Maintenance.SendAsync(new PutIndexesOperation(other)));
        await Store.Maintenance.SendAsync(new SetIndexesPriorityOperation(IndexPriority.Low, "Samples/ByAll"));
        IndexStats stats = await Store.Maintenance.SendAsync(new GetIndexStatisticsOperation("Samples/ByAll"));
        Assert.Equal((20, IndexLockMode.LockedError, IndexPriority.Low, false), (stats.EntriesCount, stats.LockMode, stats.Priority, stats.IsStale));
        Assert.Equal("Samples/ByAll", Assert.Single(await Store.Maintenance.SendAsync(new GetIndexesStatisticsOperation())).Name);
        Assert.Empty(Assert.Single(await Store.Maintenance.SendAsync(new GetIndexErrorsOperation("Samples/ByAll"))).Errors);

        await Store.Maintenance.SendAsync(new StopIndexingOperation());
        Assert.Equal(IndexRunningStatus.Paused, (await Store.Maintenance.SendAsync(new GetIndexingStatusOperation())).Status);
        await Store.Maintenance.SendAsync(new StartIndexingOperation());
        await Store.Maintenance.SendAsync(new StopIndexOperation("Samples/ByAll"));
        Assert.Equal(IndexRunningStatus.Paused, (await Store.Maintenance.SendAsync(new GetIndexingStatusOperation())).Indexes["Samples/ByAll"]);
        await Store.Maintenance.SendAsync(new StartIndexOperation("Samples/ByAll"));
        await Store.Maintenance.SendAsync(new DisableIndexOperation("Samples/ByAll"));
        Assert.Equal(IndexState.Disabled, (await Store.Maintenance.SendAsync(new GetIndexStatisticsOperation("Samples/ByAll"))).State);
        await Store.Maintenance.SendAsync(new EnableIndexOperation("Samples/ByAll"));
        await Store.Maintenance.SendAsync(new ResetIndexOperation("Samples/ByAll", IndexResetMode.InPlace));
        await SameAsync<Sample, Samples_ByAll>(query => query.Where(x => x.A == 7), s_samples.Where(x => x.A == 7));
        Store.Maintenance.Send(new DeleteIndexOperation("Samples/ByAll"));
        Assert.Empty(Store.Maintenance.Send(new GetIndexNamesOperation()));
    }

    [Fact]
    public async Task Failures_OfDocuments_AreReadAndForgotten()
    {
        await Store.ExecuteIndexAsync(new Samples_Failing());
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        await session.Query<Sample, Samples_Failing>().Customize(x => x.WaitForNonStaleResults()).ToListAsync();
        IndexErrors errors = Assert.Single(await Store.Maintenance.SendAsync(new GetIndexErrorsOperation("Samples/Failing")));
        Assert.Equal(s_samples.Where(x => x.A == 4).Select(x => x.Id), errors.Errors.Select(error => error.Document));
        Assert.All(errors.Errors, error => Assert.Equal("Map", error.Action));
        await Store.Maintenance.SendAsync(new DeleteIndexErrorsOperation("Samples/Failing"));
        Assert.Empty(Assert.Single(await Store.Maintenance.SendAsync(new GetIndexErrorsOperation("Samples/Failing"))).Errors);
    }

    [Fact]
    public async Task Definition_ThatTheServerCannotCompile_IsAnErrorAndLeavesTheOthersAlone()
    {
        IndexDefinition wrong = new() { Name = "Wrong", Maps = new HashSet<string> { "docs.Samples.Select(x => new { A = x.Frobnicate() })" } };
        IndexCompilationException error = await Assert.ThrowsAsync<IndexCompilationException>(() =>
            Store.Maintenance.SendAsync(new PutIndexesOperation(new Samples_ByAll().CreateIndexDefinition(), wrong)));
        Assert.Equal("Maps", error.IndexDefinitionProperty);
        Assert.Contains("Frobnicate", error.Message, StringComparison.Ordinal);
        Assert.Empty(await Store.Maintenance.SendAsync(new GetIndexNamesOperation()));
    }

    private Task SameAsync<T, TIndex>(Func<IDocumentQueryable<T>, IQueryable<T>> query, IEnumerable<T> wanted)
        where TIndex : IAbstractIndexCreationTask, new() => SameAsync<T, TIndex, T>(query, wanted);

    private async Task SameAsync<T, TIndex, TDocument>(Func<IDocumentQueryable<T>, IQueryable<TDocument>> query, IEnumerable<TDocument> wanted)
        where TIndex : IAbstractIndexCreationTask, new()
    {
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        List<TDocument> found = await query(session.Query<T, TIndex>().Customize(x => x.WaitForNonStaleResults())).ToListAsync();
        string Id(TDocument one) => (one as Sample)?.Id ?? "";
        Assert.NotEmpty(found);
        Assert.Equal(wanted.Select(Id).Order(), found.Select(Id).Order());
    }

    public sealed class FirmTotal
    {
        public string Firm { get; set; } = "";

        public int Count { get; set; }

        public decimal Total { get; set; }

        public DateTime Last { get; set; }
    }

    public sealed class NamedThing
    {
        public string Name { get; set; } = "";
    }

    public sealed class PartRow
    {
        public string PartName { get; set; } = "";

        public int Amount { get; set; }
    }

    private sealed class Samples_ByAll : AbstractIndexCreationTask<Sample>
    {
        public Samples_ByAll()
        {
            Map = samples => from x in samples select new { x.A, x.B, x.S, x.P, x.Color, x.Tags };
            Index(x => x.S, FieldIndexing.Search);
        }
    }

    private sealed class Samples_PerFirm : AbstractIndexCreationTask<Sample, FirmTotal>
    {
        public Samples_PerFirm()
        {
            Map = samples => from x in samples
                             from p in x.Parts
                             select new FirmTotal { Firm = x.CompanyId, Count = 1, Total = p.Price * p.Amount, Last = x.At };
            Reduce = results => from r in results
                                group r by r.Firm into g
                                select new FirmTotal { Firm = g.Key, Count = g.Sum(r => r.Count), Total = g.Sum(r => r.Total), Last = g.Max(r => r.Last) };
        }
    }

    private sealed class Everything_ByName : AbstractMultiMapIndexCreationTask<NamedThing>
    {
        public Everything_ByName()
        {
            AddMap<Sample>(samples => from x in samples select new { Name = x.S });
            AddMap<Firm>(firms => from f in firms select new { f.Name });
        }
    }

    private sealed class Samples_ByFirmName : AbstractIndexCreationTask<Sample, NamedThing>
    {
        public Samples_ByFirmName() => Map = samples => from x in samples let firm = LoadDocument<Firm>(x.CompanyId) select new { firm.Name };
    }

    private sealed class Samples_ByParts : AbstractIndexCreationTask<Sample, PartRow>
    {
        public Samples_ByParts() => Map = samples => samples.SelectMany(x => x.Parts, (x, p) => new { PartName = p.Name, p.Amount });
    }

    private sealed class Samples_ByPlace : AbstractIndexCreationTask<Sample>
    {
        public Samples_ByPlace() => Map = samples => from x in samples
                                                     select new { Place = CreateSpatialField(x.D, x.E), _ = x.Map.Select(p => CreateField(p.Key, p.Value)) };
    }

    private sealed class Samples_Failing : AbstractIndexCreationTask<Sample>
    {
        public Samples_Failing() => Map = samples => from x in samples select new { A = 1 / (x.A - 4) };
    }

    private sealed class Samples_InScript : AbstractJavaScriptIndexCreationTask
    {
        public Samples_InScript()
        {
            Maps = new HashSet<string> { "map('Samples', x => ({ Name: x.S, Count: 1 }))" };
            Reduce = "groupBy(x => x.Name).aggregate(g => ({ Name: g.key, Count: g.values.reduce((sum, x) => sum + x.Count, 0) }))";
        }
    }
}
