using System.Security.Cryptography.X509Certificates;
using Jackdaw.Client.AspNetCore;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Indexes;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Certificates;
using Jackdaw.Client.Tests.Harness;
using Jackdaw.Client.Tests.Linq;
using Jackdaw.TestServer;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Jackdaw.Client.Tests.AspNetCore;

/// <summary>The store and its sessions as services of a host.</summary>
public sealed class JackdawServicesTests
{
    [Fact]
    public async Task Store_OfAHost_IsMadeOnceAndDisposedWithIt()
    {
        using IHost host = HostOf(services => services.AddJackdaw(options =>
        {
            options.Urls = ["http://127.0.0.1:1"];
            options.Database = "shop";
            options.RequestTimeout = TimeSpan.FromSeconds(7);
            options.Conventions(conventions => conventions.UseOptimisticConcurrency = true);
        }));
        await host.StartAsync();
        var store = host.Services.GetRequiredService<IDocumentStore>();
        Assert.Same(store, host.Services.GetRequiredService<IDocumentStore>());
        Assert.Equal(("shop", TimeSpan.FromSeconds(7)), (store.Database, store.Conventions.RequestTimeout!.Value));
        Assert.True(store.Conventions.UseOptimisticConcurrency);
        Assert.True(store.Conventions.IsFrozen);
        host.Dispose();
        Assert.Throws<ObjectDisposedException>(() => store.OpenSession());
    }

    [Fact]
    public async Task Sessions_OfAScope_AreItsOwnAndOfTheSectionsDatabase()
    {
        await using SocketServer server = await SocketServer.StartAsync("db1");
        using IHost host = HostOf((services, configuration) => services.AddJackdaw(configuration.GetSection("Jackdaw")),
            ("Jackdaw:Urls:0", server.Url), ("Jackdaw:Database", "db1"), ("Jackdaw:RequestTimeout", "00:00:30"));
        await host.StartAsync();
        using (IServiceScope scope = host.Services.CreateScope())
        {
            var session = scope.ServiceProvider.GetRequiredService<IAsyncDocumentSession>();
            Assert.Same(session, scope.ServiceProvider.GetRequiredService<IAsyncDocumentSession>());
            await session.StoreAsync(new User { Name = "Ann" }, "users/1");
            await session.SaveChangesAsync();
        }

        using (IServiceScope scope = host.Services.CreateScope())
        {
            Assert.Equal("Ann", scope.ServiceProvider.GetRequiredService<IDocumentSession>().Load<User>("users/1")!.Name);
        }
    }

    [Fact]
    public async Task Start_WithCreation_MakesDatabaseAndIndexesAndLogs()
    {
        await using JackdawTestServer server = await JackdawTestServer.StartAsync();
        var log = new LinesLog();
        for (int i = 0; i < 2; i++)
        {
            using IHost host = HostOf(services => services.AddLogging(logging => logging.SetMinimumLevel(LogLevel.Debug).AddProvider(log)).AddJackdaw(options =>
            {
                options.ConnectionString = $"Url={server.Url};Database=made";
                options.MessageHandler = server.CreateHandler();
                options.CreateDatabase = true;
                options.Indexes.Add(new UsersByName());
                options.Conventions(conventions => conventions.SlowQueryTime = i == 0 ? TimeSpan.Zero : TimeSpan.FromMinutes(1));
            }));
            await host.StartAsync();
            var store = host.Services.GetRequiredService<IDocumentStore>();
            using IAsyncDocumentSession session = store.OpenAsyncSession();
            Assert.Empty(await session.Query<User, UsersByName>().Where(u => u.Name == "a").ToListAsync());
            Assert.False(await store.EnsureDatabaseExistsAsync());
            Assert.True(await store.EnsureDatabaseExistsAsync($"other{i}"));
            await Assert.ThrowsAsync<DatabaseExistsException>(() => store.Maintenance.Server.SendAsync(new CreateDatabaseOperation("MADE")));
            using IAsyncDocumentSession missing = store.OpenAsyncSession("nowhere");
            var refused = await Assert.ThrowsAsync<DatabaseDoesNotExistException>(() => missing.LoadAsync<User>("users/1"));
            Assert.Contains($"'nowhere' at {server.Url}", refused.Message, StringComparison.Ordinal);
            Assert.Contains("CreateDatabaseOperation(\"nowhere\")", refused.Message, StringComparison.Ordinal);
            await host.StopAsync();
        }

        Assert.Contains(log.Lines, line => line.StartsWith("Warning Jackdaw.Client.Queries Slow query", StringComparison.Ordinal));
        Assert.Contains(log.Lines, line => line.StartsWith("Information Jackdaw.Client.Queries Query answered", StringComparison.Ordinal)
            && line.EndsWith("from index 'UsersByName' where Name = $p0", StringComparison.Ordinal));
        Assert.Contains(log.Lines, line => line.StartsWith("Debug Jackdaw.Client.Requests PUT admin/databases", StringComparison.Ordinal));
    }

    private sealed class UsersByName : AbstractIndexCreationTask<User>
    {
        public UsersByName() => Map = users => from user in users select new { user.Name };
    }

    private sealed class LinesLog : ILoggerProvider, ILogger
    {
        private string _category = "";

        public System.Collections.Concurrent.ConcurrentQueue<string> Lines { get; private init; } = [];

        public ILogger CreateLogger(string categoryName) => new LinesLog { _category = categoryName, Lines = Lines };

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            Lines.Enqueue($"{logLevel} {_category} {formatter(state, exception)}");

        public void Dispose()
        {
        }
    }

    [Fact]
    public async Task Store_WithAKey_StandsBesideTheOneWithout()
    {
        using IHost host = HostOf((services, configuration) => services
                .AddJackdaw(configuration.GetSection("Jackdaw"))
                .AddJackdaw("reports", options => (options.Urls, options.Database) = (["http://127.0.0.1:2"], "reports")),
            ("Jackdaw:Urls", "http://127.0.0.1:1; http://127.0.0.1:3"), ("Jackdaw:Database", "shop"));
        await host.StartAsync();
        Assert.Equal(["http://127.0.0.1:1", "http://127.0.0.1:3"], host.Services.GetRequiredService<IDocumentStore>().Urls);
        Assert.Equal("reports", host.Services.GetRequiredKeyedService<IDocumentStore>("reports").Database);
        using IServiceScope scope = host.Services.CreateScope();
        Assert.NotNull(scope.ServiceProvider.GetRequiredKeyedService<IAsyncDocumentSession>("reports"));
        Assert.NotNull(scope.ServiceProvider.GetRequiredKeyedService<IDocumentSession>("reports"));
    }

    [Fact]
    public async Task Settings_ThatAreWrong_AreToldAllAtOnceWhenTheHostStarts()
    {
        using IHost host = HostOf((services, configuration) => services.AddJackdaw(configuration.GetSection("Jackdaw")),
            ("Jackdaw:Urls:0", "http://127.0.0.1:1/databases/shop"), ("Jackdaw:Databse", "shop"), ("Jackdaw:RequestTimeout", "soon"));
        OptionsValidationException refused = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.Equal(
            [
                "Jackdaw:Databse is not a setting of a store. The settings are Urls, Database, RequestTimeout, ConnectionString, CreateDatabase, " +
                "CertificateFile, CertificatePassword, TrustedAuthoritiesFile.",
                "Jackdaw:RequestTimeout is 'soon', which is not a time: write hours:minutes:seconds, such as 00:00:30.",
                "Jackdaw: Urls: 'http://127.0.0.1:1/databases/shop' is not an address of a server: use http://host:port, without a path.",
                "Jackdaw: Database is empty. Give the name of the database that sessions use.",
            ],
            refused.Failures);
    }

    [Theory]
    [InlineData("https://127.0.0.1:1", "Jackdaw: The certificate file ")]
    [InlineData("http://127.0.0.1:1", "Jackdaw: The store has certificates, but the address http://127.0.0.1:1 uses http")]
    public async Task Certificates_ThatCannotBeUsed_AreToldWhenTheHostStarts(string url, string told)
    {
        using IHost host = HostOf((services, configuration) => services.AddJackdaw(configuration.GetSection("Jackdaw")),
            ("Jackdaw:ConnectionString", $"Url={url};Database=shop;CertificateFile=missing.pfx;TrustedAuthoritiesFile=ca.pem"));
        OptionsValidationException refused = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.StartsWith(told, Assert.Single(refused.Failures), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Certificate_OfTheSettings_IsSent()
    {
        using var issued = new IssuedCertificates();
        string folder = Directory.CreateTempSubdirectory("jackdaw-services-").FullName;
        string file = Path.Combine(folder, "own.pfx");
        using (X509Certificate2 own = issued.Client("web"))
        {
            X509Certificate2 authority = X509CertificateLoader.LoadCertificate(issued.Authority.RawData);
            await File.WriteAllBytesAsync(file, new X509Certificate2Collection { own, authority }.Export(X509ContentType.Pfx, "pass")!);
        }

        await using SecureListener listener = await SecureListener.StartAsync(issued.Server());
        using IHost host = HostOf((services, configuration) => services.AddJackdaw(configuration.GetSection("Jackdaw")),
            ("Jackdaw:Urls", listener.Url), ("Jackdaw:Database", "shop"), ("Jackdaw:CertificateFile", file), ("Jackdaw:CertificatePassword", "pass"));
        await host.StartAsync();
        await host.Services.GetRequiredService<IDocumentStore>().Maintenance.SendAsync(new GetStatisticsOperation());
        Assert.Equal([("/databases/shop/stats", "CN=web")], listener.Requests);
        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public async Task Options_OfCodeThatAreMissing_AreToldWithTheCall()
    {
        using IHost host = HostOf(services => services.AddJackdaw("reports", options => options.RequestTimeout = TimeSpan.Zero));
        OptionsValidationException refused = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.Equal(3, refused.Failures.Count());
        Assert.All(refused.Failures, failure => Assert.StartsWith("AddJackdaw(\"reports\"): ", failure, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Health_OfADatabase_SaysWhetherItIsThere()
    {
        await using SocketServer server = await SocketServer.StartAsync("db1");
        using IHost host = HostOf(services =>
        {
            services.AddJackdaw(options => (options.Urls, options.Database) = ([server.Url], "db1"));
            services.AddJackdaw("gone", options => (options.Urls, options.Database) = (["http://127.0.0.1:1"], "db1"));
            services.AddHealthChecks().AddJackdaw().AddJackdaw(name: "other", database: "missing", failureStatus: HealthStatus.Degraded).AddJackdaw("gone");
        });
        HealthReport report = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync();
        Assert.Equal(HealthStatus.Healthy, report.Entries["jackdaw"].Status);
        Assert.Equal(["ready"], report.Entries["jackdaw"].Tags);
        Assert.Equal(HealthStatus.Degraded, report.Entries["other"].Status);
        Assert.Contains("'missing'", report.Entries["other"].Description, StringComparison.Ordinal);
        Assert.Equal(HealthStatus.Unhealthy, report.Entries["jackdaw-gone"].Status);
        Assert.Contains("http://127.0.0.1:1", report.Entries["jackdaw-gone"].Description, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Health_OfAServerThatDoesNotAnswer_FailsInTime()
    {
        using var silent = new System.Net.Sockets.TcpListener(System.Net.IPAddress.Loopback, 0);
        silent.Start(); // connections are made, and nobody answers
        using IHost host = HostOf(services =>
        {
            services.AddJackdaw(options => (options.Urls, options.Database) = ([$"http://{silent.LocalEndpoint}"], "db1"));
            services.AddHealthChecks().AddJackdaw(timeout: TimeSpan.FromMilliseconds(50));
        });
        HealthReport report = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync();
        Assert.Equal(HealthStatus.Unhealthy, report.Status);
        Assert.Contains("within 0.05 s", report.Entries["jackdaw"].Description, StringComparison.Ordinal);
    }

    private static IHost HostOf(Action<IServiceCollection> add) => HostOf((services, _) => add(services));

    private static IHost HostOf(Action<IServiceCollection, IConfiguration> add, params (string Name, string Value)[] settings)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(settings.Select(setting => KeyValuePair.Create(setting.Name, (string?)setting.Value)));
        add(builder.Services, builder.Configuration);
        return builder.Build();
    }
}
