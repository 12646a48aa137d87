using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Operations;

/// <summary>Numbers, settings and states of databases and servers.</summary>
public sealed class MaintenanceOperationTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;

    private DocumentStore Store => _fixture.Store;

    public async Task InitializeAsync() => _fixture = await StoreFixture.StartAsync();

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task Identities_AreTakenSetAndListed()
    {
        Assert.Equal(1, await Store.Maintenance.SendAsync(new NextIdentityForOperation("invoices")));
        Assert.Equal(2, Store.Maintenance.Send(new NextIdentityForOperation("invoices|")));
        Assert.Equal(100, await Store.Maintenance.SendAsync(new SeedIdentityForOperation("invoices", 100)));
        Assert.Equal(100, await Store.Maintenance.SendAsync(new SeedIdentityForOperation("invoices", 5)));
        Assert.Equal(5, await Store.Maintenance.SendAsync(new SeedIdentityForOperation("invoices", 5, forceUpdate: true)));
        Assert.Equal(6, await Store.Maintenance.SendAsync(new NextIdentityForOperation("invoices")));
        Assert.Equal(6, (await Store.Maintenance.SendAsync(new GetIdentitiesOperation()))["invoices|"]);
        Assert.Throws<ArgumentException>(() => new NextIdentityForOperation("|"));
    }

    [Fact]
    public async Task Toggle_OfADatabase_SwitchesItOffAndOn()
    {
        DatabaseToggleResult off = Assert.Single(await Store.Maintenance.Server.SendAsync(new ToggleDatabasesStateOperation("db1", disable: true)));
        Assert.Equal(("db1", true, true), (off.Name, off.Success, off.Disabled));
        await Assert.ThrowsAsync<DatabaseDisabledException>(() => Store.Maintenance.SendAsync(new GetStatisticsOperation()));
        DatabaseToggleResult on = Assert.Single(Store.Maintenance.Server.Send(new ToggleDatabasesStateOperation("db1", disable: false)));
        Assert.Equal((true, false), (on.Success, on.Disabled));
        Assert.Equal(0, (await Store.Maintenance.SendAsync(new GetStatisticsOperation())).CountOfDocuments);
    }

    [Fact]
    public async Task Statistics_Detailed_CountEverything()
    {
        using (IAsyncDocumentSession session = Store.OpenAsyncSession())
        {
            await session.StoreAsync(new { Name = "x" }, "things/1");
            await session.StoreAsync(new { Name = "y" }, "things/2");
            await session.SaveChangesAsync();
            session.Delete("things/2");
            await session.SaveChangesAsync();
        }

        await Store.Maintenance.SendAsync(new NextIdentityForOperation("a"));
        DetailedDatabaseStatistics statistics = await Store.Maintenance.SendAsync(new GetDetailedStatisticsOperation());
        Assert.Equal((1L, 1L, 1L), (statistics.Counts.CountOfDocuments, statistics.CountOfTombstones, statistics.CountOfIdentities));
        Assert.StartsWith("A:", statistics.DatabaseChangeVector, StringComparison.Ordinal);
        BuildNumber build = await Store.Maintenance.Server.SendAsync(new GetBuildNumberOperation());
        Assert.True(build.BuildVersion > 0);
        Assert.NotEmpty(build.FullVersion);
    }

    [Fact]
    public async Task Configurations_OfDueDocuments_AreReadAsTheyWereSet()
    {
        Assert.Null(await Store.Maintenance.SendAsync(new GetExpirationConfigurationOperation()));
        Assert.Null(await Store.Maintenance.SendAsync(new GetRefreshConfigurationOperation()));
        Assert.Null(await Store.Maintenance.SendAsync(new GetDataArchivalConfigurationOperation()));
        Assert.True(await Store.Maintenance.SendAsync(new ConfigureExpirationOperation(
            new ExpirationConfiguration { Disabled = false, DeleteFrequencyInSec = 30, MaxItemsToProcess = 1000 })) > 0);
        await Store.Maintenance.SendAsync(new ConfigureRefreshOperation(new RefreshConfiguration { Disabled = false, RefreshFrequencyInSec = 31 }));
        await Store.Maintenance.SendAsync(new ConfigureDataArchivalOperation(new DataArchivalConfiguration { ArchiveFrequencyInSec = 32 }));
        ExpirationConfiguration expiration = (await Store.Maintenance.SendAsync(new GetExpirationConfigurationOperation()))!;
        Assert.Equal((false, 30L, 1000L), (expiration.Disabled, expiration.DeleteFrequencyInSec, expiration.MaxItemsToProcess));
        RefreshConfiguration refresh = (await Store.Maintenance.SendAsync(new GetRefreshConfigurationOperation()))!;
        Assert.Equal((false, 31L, null), (refresh.Disabled, refresh.RefreshFrequencyInSec, refresh.MaxItemsToProcess));
        DataArchivalConfiguration archival = (await Store.Maintenance.SendAsync(new GetDataArchivalConfigurationOperation()))!;
        Assert.Equal((true, 32L), (archival.Disabled, archival.ArchiveFrequencyInSec));
        var refused = await Assert.ThrowsAnyAsync<DocumentDatabaseException>(
            () => Store.Maintenance.SendAsync(new ConfigureExpirationOperation(new ExpirationConfiguration { DeleteFrequencyInSec = -1 })));
        Assert.Contains("DeleteFrequencyInSec", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ClientConfiguration_OfADatabase_GoesBeforeThatOfTheServer()
    {
        Assert.Null(await Store.Maintenance.SendAsync(new GetClientConfigurationOperation()));
        Assert.Null(await Store.Maintenance.Server.SendAsync(new GetServerWideClientConfigurationOperation()));
        await Store.Maintenance.Server.SendAsync(new PutServerWideClientConfigurationOperation(new() { MaxNumberOfRequestsPerSession = 50 }));
        await Store.Maintenance.SendAsync(new PutClientConfigurationOperation(new() { MaxNumberOfRequestsPerSession = 10, IdentityPartsSeparator = '/' }));
        ClientConfiguration own = (await Store.Maintenance.SendAsync(new GetClientConfigurationOperation()))!;
        Assert.Equal((10, '/', false), (own.MaxNumberOfRequestsPerSession, own.IdentityPartsSeparator, own.Disabled));
        ClientConfiguration ofServer = (await Store.Maintenance.Server.SendAsync(new GetServerWideClientConfigurationOperation()))!;
        Assert.Equal(50, ofServer.MaxNumberOfRequestsPerSession);
        Assert.True(own.Etag > 0);
    }
}
