using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Operations.Revisions;
using Jackdaw.Client.Serialization;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>Versions of documents in a session.</summary>
public sealed class RevisionTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;

    private DocumentStore Store => _fixture.Store;

    public async Task InitializeAsync() => _fixture = await StoreFixture.StartAsync();

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task Configuration_ComesBackAsItWasStored()
    {
        Assert.Null(await Store.Maintenance.SendAsync(new GetRevisionsConfigurationOperation()));
        var configuration = new RevisionsConfiguration
        {
            Default = new() { MinimumRevisionsToKeep = 5, MinimumRevisionAgeToKeep = TimeSpan.FromDays(1), PurgeOnDelete = true },
            Collections = { ["Orders"] = new() { Disabled = true, MaximumRevisionsToDeleteUponDocumentUpdate = 7 } },
        };
        Assert.True(await Store.Maintenance.SendAsync(new ConfigureRevisionsOperation(configuration)) > 0);
        RevisionsConfiguration stored = Store.Maintenance.Send(new GetRevisionsConfigurationOperation())!;
        Assert.Equal((5L, TimeSpan.FromDays(1), true, false), (
            stored.Default!.MinimumRevisionsToKeep, stored.Default.MinimumRevisionAgeToKeep, stored.Default.PurgeOnDelete, stored.Default.Disabled));
        Assert.Equal((true, 7L), (stored.Collections["orders"].Disabled, stored.Collections["orders"].MaximumRevisionsToDeleteUponDocumentUpdate));
    }

    [Fact]
    public async Task Revisions_AreReadInAllWays()
    {
        await WriteVersionsAsync(3);
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        SessionRevisions revisions = session.Advanced.Revisions;
        List<Company> all = await revisions.GetForAsync<Company>("companies/1");
        Assert.Equal(["version 3", "version 2", "version 1"], all.Select(one => one.Name));
        Assert.Equal("companies/1", all[0].Id);
        Assert.Equal("version 2", Assert.Single(await revisions.GetForAsync<Company>("companies/1", start: 1, pageSize: 1)).Name);
        Assert.Equal(3, await revisions.GetCountForAsync("companies/1"));
        List<MetadataDictionary> metadata = await revisions.GetMetadataForAsync("companies/1");
        Assert.Contains("Revision", metadata[1].GetString("@flags"), StringComparison.Ordinal);
        string[] vectors = [.. metadata.Select(one => one.GetString("@change-vector")!)];
        Assert.Equal(vectors[2], session.Advanced.GetChangeVectorFor(all[2]));
        Assert.Equal("version 1", (await revisions.GetAsync<Company>(vectors[2]))!.Name);
        Assert.Null(await revisions.GetAsync<Company>("A:999-none"));
        Dictionary<string, Company?> several = await revisions.GetAsync<Company>([vectors[1], "A:999-none", vectors[0]]);
        Assert.Equal(["version 2", null, "version 3"], several.Values.Select(one => one?.Name));
        DateTime last = session.Advanced.GetLastModifiedFor(all[0])!.Value;
        Assert.Equal("version 3", (await revisions.GetAsync<Company>("companies/1", last))!.Name);
        Assert.Null(await revisions.GetAsync<Company>("companies/1", new DateTime(2000, 1, 1, 0, 0, 0, DateTimeKind.Utc)));
        Assert.Empty(await revisions.GetForAsync<Company>("companies/none"));
        Assert.Equal(10, session.Advanced.NumberOfRequests);
    }

    [Fact]
    public async Task Revisions_OfASessionThatBlocks_AreReadInAllWays()
    {
        await WriteVersionsAsync(2);
        using IDocumentSession session = Store.OpenSession();
        SessionRevisions revisions = session.Advanced.Revisions;
        List<Company> all = revisions.GetFor<Company>("companies/1");
        Assert.Equal(["version 2", "version 1"], all.Select(one => one.Name));
        string[] vectors = [.. revisions.GetMetadataFor("companies/1").Select(one => one.GetString("@change-vector")!)];
        Assert.Equal("version 1", revisions.Get<Company>(vectors[1])!.Name);
        Assert.Equal(2, revisions.Get<Company>(vectors).Count);
        Assert.Equal("version 2", revisions.Get<Company>("companies/1", session.Advanced.GetLastModifiedFor(all[0])!.Value)!.Name);
        Assert.Equal(2, revisions.GetCountFor("companies/1"));
    }

    [Fact]
    public async Task Revision_IsNeverSavedAndStandsBesideItsDocument()
    {
        await WriteVersionsAsync(2);
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        Company old = (await session.Advanced.Revisions.GetForAsync<Company>("companies/1"))[1];
        Company now = (await session.LoadAsync<Company>("companies/1"))!;
        Assert.Equal("version 2", now.Name);
        old.Name = "changed";
        Assert.False(session.Advanced.HasChanges);
        Assert.Same(now, Assert.Single(session.Advanced.GetTrackedEntities()).Value.Entity);
        Assert.Contains("revision of 'companies/1'", Assert.Throws<InvalidOperationException>(() => session.Delete(old)).Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<InvalidOperationException>(() => session.StoreAsync(old));
        await Assert.ThrowsAsync<InvalidOperationException>(() => session.Advanced.RefreshAsync(old));
        session.Advanced.Evict(old);
        Assert.Same(now, await session.LoadAsync<Company>("companies/1"));
    }

    [Fact]
    public async Task ForcedRevision_IsKeptOfWhatIsStored()
    {
        await WriteVersionsAsync(1, isKept: false);
        using (IAsyncDocumentSession session = Store.OpenAsyncSession())
        {
            Assert.Equal(0, await session.Advanced.Revisions.GetCountForAsync("companies/1"));
            session.Advanced.Revisions.ForceRevisionCreationFor("companies/1");
            Assert.True(session.Advanced.HasChanges);
            await session.SaveChangesAsync();
            Assert.False(session.Advanced.HasChanges);
            Assert.Equal(1, await session.Advanced.Revisions.GetCountForAsync("companies/1"));
            Company company = (await session.LoadAsync<Company>("companies/1"))!;
            company.Name = "version 2";
            await session.SaveChangesAsync();
            company.Name = "version 3";
            session.Advanced.Revisions.ForceRevisionCreationFor(company);
            await session.SaveChangesAsync();
        }

        using IDocumentSession reader = Store.OpenSession();
        Assert.Contains("version 2", reader.Advanced.Revisions.GetFor<Company>("companies/1").Select(one => one.Name));
        Company tracked = reader.Load<Company>("companies/1")!;
        reader.Advanced.UseOptimisticConcurrency = true;
        reader.Advanced.Revisions.ForceRevisionCreationFor(tracked);
        reader.SaveChanges();
        tracked.Name = "version 4";
        reader.SaveChanges(); // its version is the one that the revision has given it
        reader.Advanced.Revisions.ForceRevisionCreationFor("companies/none");
        Assert.ThrowsAny<DocumentDatabaseException>(reader.SaveChanges);
        var fresh = new Company();
        reader.Store(fresh);
        Assert.Throws<InvalidOperationException>(() => reader.Advanced.Revisions.ForceRevisionCreationFor(fresh));
    }

    [Fact]
    public async Task Load_IncludesRevisions()
    {
        await WriteVersionsAsync(2);
        string vector;
        DateTime time;
        using (IAsyncDocumentSession session = Store.OpenAsyncSession())
        {
            MetadataDictionary first = (await session.Advanced.Revisions.GetMetadataForAsync("companies/1"))[1];
            vector = first.GetString("@change-vector")!;
            time = DateTime.Parse(first.GetString("@last-modified")!, null, System.Globalization.DateTimeStyles.RoundtripKind);
            await session.StoreAsync(new Order { Company = vector }, "orders/1");
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession reader = Store.OpenAsyncSession();
        await reader.LoadAsync<Order>("orders/1", includes => includes.IncludeRevisions(order => order.Company));
        Assert.Equal("version 1", (await reader.Advanced.Revisions.GetAsync<Company>(vector))!.Name);
        Assert.Equal(1, reader.Advanced.NumberOfRequests);
        using IDocumentSession sync = Store.OpenSession();
        sync.Load<Company>("companies/1", includes => includes.IncludeRevisions(time));
        Assert.Equal("version 1", sync.Advanced.Revisions.Get<Company>("companies/1", time)!.Name);
        Assert.Equal(1, sync.Advanced.NumberOfRequests);
    }

    private async Task WriteVersionsAsync(int count, bool isKept = true)
    {
        if (isKept)
        {
            await Store.Maintenance.SendAsync(new ConfigureRevisionsOperation(
                new RevisionsConfiguration { Collections = { ["Companies"] = new RevisionsCollectionConfiguration() } }));
        }

        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        var company = new Company();
        for (int i = 1; i <= count; i++)
        {
            company.Name = $"version {i}";
            await session.StoreAsync(company, "companies/1");
            await session.SaveChangesAsync();
        }
    }
}
