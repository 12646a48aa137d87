using System.Net;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Running;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Hosting;
using Jackdaw.Server.Notices;
using Jackdaw.Storage;
using Jackdaw.TestKit;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Server.Tests;

/// <summary>A whole server on a free port of the loopback address, with an open database, made of the same parts as the program. Requests are
/// extension methods, in files of their own.</summary>
internal sealed class ServerFixture : IAsyncDisposable
{
    /// <summary>Bytes of the first journal file of a storage. Most tests write little, and a file in memory is filled with zeros.</summary>
    private const long JournalFileBytes = 1 << 20;

    private readonly DatabaseProbes _probes = new();

    private ServerFixture(ServerSetup setup) => Setup = setup;

    public static ServerOptions Options { get; } = new()
    {
        ServerUrl = new ListenAddress("127.0.0.1", 0),
        DataDir = "/data",
        RunInMemory = true,
    };

    /// <summary>How it was started, and is started again by <see cref="RestartAsync"/>.</summary>
    public ServerSetup Setup { get; set; }

    public JackdawServer Server { get; private set; } = null!;

    public DatabaseCatalog Databases { get; private set; } = null!;

    public HttpClient Client { get; private set; } = null!;

    public Uri Address => Client.BaseAddress!;

    /// <summary>The threads of its indexes: one, so that a test can hold it.</summary>
    public IndexingWorkers Workers { get; } = new(threadsMax: 1);

    /// <summary>The database; after it was closed, the one that was open.</summary>
    public DocumentDatabase Database => Probe.Database;

    /// <summary>Of <see cref="Database"/>.</summary>
    public DatabaseProbe Probe => _probes.Find(Setup.Database);

    public DatabaseIndexes IndexPart => Database.FindPart<DatabaseIndexes>()!;

    public IndexCatalog Indexes => IndexPart.Catalog;

    public AutoIndexes AutoIndexes => IndexPart.Auto;

    public IndexWaits Waits => IndexPart.Waits;

    public DatabaseNotices Notices => Database.FindPart<DatabaseNotices>()!;

    /// <summary>Starts a server, and waits until its databases are open unless the setup opens them in its own way.</summary>
    public static async Task<ServerFixture> StartAsync(ServerSetup? setup = null)
    {
        var fixture = new ServerFixture(setup ?? new ServerSetup());
        await fixture.StartServerAsync();
        return fixture;
    }

    /// <summary>Closes everything in order and opens it again.</summary>
    public async Task RestartAsync(Action? whileClosed = null)
    {
        await DisposeAsync();
        whileClosed?.Invoke();
        await StartServerAsync();
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        await Server.DisposeAsync();
        await Databases.DisposeAsync(); // again, unless the server had another catalog
    }

    /// <summary>What requests for the database find from now on.</summary>
    public void Show(DatabaseLookup lookup, string? name = null) => Databases.FindSlot(name ?? Setup.Database)!.Lookup = lookup;

    /// <summary>Sends a request; the path stands behind the database's.</summary>
    public Task<Answer> DbAsync(string method, string path, object? body = null, params (string Name, string Value)[] headers) =>
        SendAsync(method, $"/databases/{Setup.Database}{path}", body, headers);

    /// <inheritdoc cref="Answer.ToAsync"/>
    public Task<Answer> SendAsync(string method, string path, object? body = null, params (string Name, string Value)[] headers) =>
        Answer.ToAsync(Client, method, path, body, headers);

    private async Task StartServerAsync()
    {
        ServerOptions options = Setup.Options;
        Databases = await OpenDatabasesAsync(options);
        Server = new JackdawServer(
            options, Setup.Open ?? ((_, _, _) => Task.FromResult(Databases)), NullLoggerFactory.Instance, Setup.Time,
            callers: Setup.Caller is { } caller ? _ => caller : null, log: Setup.Log);
        await Server.StartAsync(CancellationToken.None);
        if (Setup.Open is null)
        {
            await Server.Opened;
        }

        Client = MakeClient(Server.Security is { } security ? SecuredFolder.ReadAdministrator(security.Folder) : null);
    }

    /// <summary>Makes a client that shows a certificate, or none.</summary>
    public HttpClient MakeClient(X509Certificate2? certificate)
    {
        var handler = new SocketsHttpHandler { AutomaticDecompression = DecompressionMethods.None, UseCookies = false };
        handler.SslOptions.RemoteCertificateValidationCallback = (_, _, _, _) => true; // whether clients trust it is tested elsewhere
        handler.SslOptions.LocalCertificateSelectionCallback = (_, _, _, _, _) => certificate!;
        return new HttpClient(handler) { BaseAddress = new Uri(Server.Address), Timeout = TimeSpan.FromSeconds(30) };
    }

    private async Task<DatabaseCatalog> OpenDatabasesAsync(ServerOptions options)
    {
        var composition = new DatabaseComposition
        {
            Extensions = Setup.Extensions,
            Workers = Workers,
            Engines = Setup.Engines,
            Sources = Setup.Sources,
            MoreParts = [_probes],
            LeftOut = Setup.LeftOut,
        };
        DatabaseCatalog databases = await ServerDatabases.OpenAsync(
            Setup.Platform, new StorageOptions { Time = Setup.DatabaseTime, JournalFileBytes = JournalFileBytes }, options, NullLogger.Instance,
            new Progress<RecoveryProgress>(), CancellationToken.None, composition);
        if (databases.GetRecord(Setup.Database) is null)
        {
            string record = $$"""{"DatabaseName":"{{Setup.Database}}","Settings":{{Setup.Settings}}}""";
            await databases.PutRecordAsync(Setup.Database, Encoding.UTF8.GetBytes(record), null, default);
        }

        await databases.FindOpenAsync(Setup.Database, TimeSpan.FromMinutes(1), CancellationToken.None);
        return databases;
    }
}
