using System.Globalization;
using System.Net;
using System.Text.Json;
using Jackdaw.Client;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Expiration;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Pal.InMemory;
using Jackdaw.Server;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Hosting;
using Jackdaw.Storage;
using Jackdaw.TestServer.Transport;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.TestServer;

/// <summary>A Jackdaw server in this process, for tests: its files are in memory, its connections are pipes, its clock is set by the test. Nothing
/// is left when it is disposed. Any number of them may run at the same time. It is safe for concurrent use.</summary>
/// <remarks>It is the server that <c>jackdaw</c> starts: Kestrel with the same limits, the same storage, indexes and notices. A write is as durable
/// as memory
/// is.</remarks>
public sealed class JackdawTestServer : IAsyncDisposable
{
    private const string MemoryUrl = "http://jackdaw.test";

    /// <summary>Bytes of the first journal file of a storage. A server's 16 MB are filled with zeros for each database.</summary>
    private const long JournalFileBytes = 1 << 20;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(15);
    private static readonly object s_enabled = new { Disabled = false };

    private readonly MemoryPlatform _platform = new();
    private readonly MemoryTransport? _transport; // null: sockets
    private readonly string _dataFolder;
    private readonly JackdawServer _server;
    private readonly ILogger _logger;
    private readonly Lock _lock = new(); // guards the two
    private readonly List<Task> _deletions = [];
    private TestCertificates? _certificates;
    private Task? _disposal;
    private DatabaseCatalog? _databases;
    private int _lastNumber;

    /// <param name="keyFolder">The folder of a secured server, for its keys; null for a server without https.</param>
    private JackdawTestServer(ILoggerFactory loggers, string? keyFolder)
    {
        _transport = keyFolder is null ? new MemoryTransport() : null;
        _dataFolder = keyFolder ?? "/data";
        ListenAddress address = keyFolder is null ? new ListenAddress(MemoryTransport.Host, 0) : new ListenAddress("127.0.0.1", 0, IsSecured: true);
        _logger = loggers.CreateLogger("Jackdaw.Server.Databases");
        _server = new JackdawServer(
            new ServerOptions
            {
                ServerUrl = address,
                PublicServerUrl = _transport is null ? null : new Uri(MemoryUrl),
                DataDir = _dataFolder,
                RunInMemory = true,
            },
            async (options, progress, token) => _databases = await OpenAsync(options, progress, token).ConfigureAwait(false),
            loggers,
            Clock,
            _transport);
    }

    /// <summary>The server's clock. It shows the system's time until it is moved.</summary>
    public TestClock Clock { get; } = new();

    /// <summary>Address of the server. Without https it is for stores and clients that use a handler of <see cref="CreateHandler"/>, and cannot be
    /// reached in another way. A secured server can also be reached by other programs of this machine that have a certificate.</summary>
    public string Url => _transport is null ? _server.Address : MemoryUrl;

    /// <summary>The certificates of a secured server.</summary>
    /// <exception cref="InvalidOperationException">The server has none, because it was started by <see cref="StartAsync"/>.</exception>
    public TestCertificates Certificates => _certificates
        ?? throw new InvalidOperationException("This server has no certificates: start it with JackdawTestServer.StartSecuredAsync.");

    /// <summary>Starts a server.</summary>
    /// <param name="loggers">Where the server logs; null for nowhere.</param>
    public static Task<JackdawTestServer> StartAsync(ILoggerFactory? loggers = null, CancellationToken cancellationToken = default) =>
        OpenAsync(loggers, null, cancellationToken);

    /// <summary>Starts a server with https and certificates, which listens on a port of the loopback address. Its keys are the only files on a disk,
    /// in a temporary folder that is deleted when the server is disposed.</summary>
    /// <param name="loggers">Where the server logs; null for nowhere.</param>
    public static Task<JackdawTestServer> StartSecuredAsync(ILoggerFactory? loggers = null, CancellationToken cancellationToken = default) =>
        OpenAsync(loggers, Directory.CreateTempSubdirectory("jackdaw-keys-").FullName, cancellationToken);

    private static async Task<JackdawTestServer> OpenAsync(ILoggerFactory? loggers, string? keyFolder, CancellationToken cancellationToken)
    {
        var server = new JackdawTestServer(loggers ?? NullLoggerFactory.Instance, keyFolder);
        try
        {
            await server._server.StartAsync(cancellationToken).ConfigureAwait(false);
            await server._server.Opened.WaitAsync(cancellationToken).ConfigureAwait(false);
            server._certificates = server._server.Security is { } security ? new TestCertificates(security, server.Clock) : null;
            return server;
        }
        catch
        {
            await server.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Makes a store with its own database.</summary>
    /// <returns>An initialized store, which the caller disposes. Its database is deleted with it, unless the options name one.</returns>
    /// <exception cref="ArgumentException">A database cannot have this name.</exception>
    public async Task<DocumentStore> NewStoreAsync(TestStoreOptions? options = null, CancellationToken cancellationToken = default)
    {
        options ??= new TestStoreOptions();
        string number = Interlocked.Increment(ref _lastNumber).ToString(CultureInfo.InvariantCulture);
        string name = options.Database ?? $"test-{number}";
        ObjectDisposedException.ThrowIf(_disposal is not null, this);
        await _databases!.PutRecordAsync(name, RecordOf(name, options.HasExpiration), null, cancellationToken).ConfigureAwait(false);
        var handler = new StoreHandler(CreateHandler(), () => Release(options.Database is null ? name : null));
        var store = new DocumentStore(Url, name) { MessageHandler = handler, Time = Clock };
        try
        {
            options.Conventions?.Invoke(store.Conventions);
            TestStoreExtensions.Add(store, this);
            store.Initialize();
            return store;
        }
        catch
        {
            handler.Dispose();
            throw;
        }
    }

    /// <summary>Makes a store for the database of this name. The database is created if it is missing, and stays when the store is
    /// disposed.</summary>
    public Task<DocumentStore> NewStoreAsync(string database, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(database);
        return NewStoreAsync(new TestStoreOptions { Database = database }, cancellationToken);
    }

    /// <summary>Makes a handler whose requests reach this server, no matter which host they name. That of a secured server has the certificate of the
    /// administrator, and reaches <see cref="Url"/>. It is meant for a store that the test makes
    /// itself, or for an <see cref="HttpClient"/>.</summary>
    /// <returns>A handler, which is disposed by the caller or by the store or client that gets it.</returns>
    public HttpMessageHandler CreateHandler()
    {
        var handler = new SocketsHttpHandler { AutomaticDecompression = DecompressionMethods.All, UseCookies = false, UseProxy = false };
        if (_transport is { } memory)
        {
            handler.ConnectCallback = (_, _) => new ValueTask<Stream>(memory.Connect());
        }
        else
        {
            handler.SslOptions = Certificates.OptionsOf(Certificates.Administrator);
        }

        return handler;
    }

    /// <summary>Moves the clock ahead, and waits until the databases have done what is due at the new time: documents that have expired are gone
    /// then.</summary>
    /// <exception cref="TimeoutException">It was not done within 15 seconds of the system's time.</exception>
    public async Task AdvanceAsync(TimeSpan by, CancellationToken cancellationToken = default)
    {
        ObjectDisposedException.ThrowIf(_disposal is not null, this);
        Clock.Advance(by);
        DateTimeOffset moment = Clock.GetUtcNow();
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        patience.CancelAfter(s_patience);
        foreach (DatabaseRecord record in _databases!.ListRecords())
        {
            try
            {
                ScheduleWorker? worker = _databases.Find(record.Name).Database?.FindPart<ScheduleWorker>();
                await (worker?.WaitUntilDoneAsync(moment, patience.Token) ?? Task.CompletedTask).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
            {
                throw new TimeoutException(
                    $"Database '{record.Name}' did not do what is due within {s_patience.TotalSeconds} seconds; the log of the server says why.");
            }
        }
    }

    /// <summary>Waits until all indexes of a database have read what is stored now. It does not wait for indexes that are disabled or
    /// paused.</summary>
    /// <param name="patience">How long to wait, by the system's clock; null for 15 seconds.</param>
    /// <exception cref="ArgumentException">There is no such database.</exception>
    /// <exception cref="InvalidOperationException">An index has failed.</exception>
    /// <exception cref="TimeoutException">An index has not read everything in time.</exception>
    public async Task WaitForIndexingAsync(string database, TimeSpan? patience = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(database);
        ObjectDisposedException.ThrowIf(_disposal is not null, this);
        TimeSpan limit = patience ?? s_patience;
        DatabaseLookup lookup = await _databases!.FindOpenAsync(database, limit, cancellationToken).ConfigureAwait(false);
        DocumentDatabase found = lookup.Database
            ?? throw new ArgumentException($"There is no open database '{database}' ({lookup.Status}).", nameof(database));
        DatabaseIndexes indexes = found.FindPart<DatabaseIndexes>()!;
        Etag last;
        using (DocumentReadScope read = found.BeginRead())
        {
            last = read.LastEtag;
        }

        IReadOnlyList<string> behind = await indexes.Waits.WaitForWritesAsync(Etag.None, last, [], limit, cancellationToken).ConfigureAwait(false);
        if (indexes.Catalog.All.FirstOrDefault(index => index.HasFailed || index.Fault is not null) is { } failed)
        {
            throw new InvalidOperationException($"Index '{failed.Name}' of database '{database}' has failed: {failed.Fault ?? failed.Failures.Last?.Message}");
        }

        if (behind.Count > 0)
        {
            throw new TimeoutException(
                $"Indexes of database '{database}' have not read everything within {limit.TotalSeconds} seconds: {string.Join(", ", behind)}.");
        }
    }

    /// <summary>Ends running requests with an error, stops the server and frees its memory. A second call waits for the first.</summary>
    public ValueTask DisposeAsync()
    {
        lock (_lock)
        {
            _disposal ??= Task.Run(StopAsync);
            return new ValueTask(_disposal);
        }
    }

    private static byte[] RecordOf(string name, bool hasExpiration) => JsonSerializer.SerializeToUtf8Bytes(hasExpiration
        ? new { DatabaseName = name, Expiration = s_enabled, Refresh = s_enabled, DataArchival = s_enabled }
        : (object)new { DatabaseName = name });

    private Task<DatabaseCatalog> OpenAsync(ServerOptions options, IProgress<RecoveryProgress> progress, CancellationToken cancellationToken)
    {
        var storages = new StorageOptions { Time = Clock, JournalFileBytes = JournalFileBytes };
        return ServerDatabases.OpenAsync(_platform, storages, options, _logger, progress, cancellationToken);
    }

    // It runs in the background, because a call that blocks may dispose a store.
    private void Release(string? database)
    {
        lock (_lock)
        {
            if (database is not null && _disposal is null)
            {
                _deletions.RemoveAll(deletion => deletion.IsCompleted);
                _deletions.Add(Task.Run(async () => await _databases!.DeleteAsync(database, hard: true, CancellationToken.None).ConfigureAwait(false)));
            }
        }
    }

    private async Task StopAsync()
    {
        _transport?.Cut();

        // A database that a reader holds open is closed below, with the others.
        await Task.WhenAll(_deletions).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _server.DisposeAsync().ConfigureAwait(false);
        if (_platform.Exists(_dataFolder))
        {
            _platform.DeleteDirectory(_dataFolder); // files in memory go with their names
        }

        _certificates?.Dispose();
        if (_transport is null)
        {
            Directory.Delete(_dataFolder, recursive: true);
        }
    }
}
