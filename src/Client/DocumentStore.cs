using System.Collections.Concurrent;
using Jackdaw.Client.BulkInserts;
using Jackdaw.Client.Caching;
using Jackdaw.Client.Changes;
using Jackdaw.Client.Changes.Feed;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Diagnostics;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Serialization;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Sessions.Core;
using Jackdaw.Client.Sessions.Events;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Client;

/// <inheritdoc cref="IDocumentStore"/>
public sealed partial class DocumentStore : SessionEventSource, IDocumentStore, IRecordStore
{
    private static readonly SessionOptions s_usual = new();

    private readonly Uri[] _servers;
    private readonly ConcurrentDictionary<string, Lazy<DatabaseAccess>> _databases = new(StringComparer.OrdinalIgnoreCase);
    private readonly Lock _lock = new(); // guards the initialization and the disposal
    private EntityConverter? _converter;
    private HttpTransport? _transport;
    private MaintenanceOperationExecutor? _maintenance;
    private DocumentOperationExecutor? _operations;
    private ClientLog _log = ClientLog.None;
    private bool _isDisposed;

    /// <summary>A store of one server.</summary>
    /// <param name="url">Such as <c>http://127.0.0.1:8080</c>.</param>
    /// <param name="database">The database of sessions that name none.</param>
    public DocumentStore(string url, string? database = null)
        : this([url], database)
    {
    }

    /// <summary>A store of servers that hold the same databases: the first one that works is used.</summary>
    /// <exception cref="ArgumentException">An address is not valid, has a path, or has another scheme than the others.</exception>
    public DocumentStore(IReadOnlyList<string> urls, string? database = null)
        : base(SessionHandlers.None)
    {
        ArgumentNullException.ThrowIfNull(urls);
        _servers = [.. urls.Select(ServerOf)];
        if (_servers.Length == 0 || _servers.Any(server => server.Scheme != _servers[0].Scheme))
        {
            throw new ArgumentException("A store needs at least one address. Either all of them use http, or all use https.", nameof(urls));
        }

        Urls = [.. _servers.Select(server => server.GetLeftPart(UriPartial.Authority))];
        Database = database;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Urls { get; }

    /// <inheritdoc/>
    public string? Database { get; }

    /// <inheritdoc/>
    public DocumentConventions Conventions { get; } = new();

    /// <summary>Makes the connections, instead of ordinary sockets. The store disposes it. It has no certificates of the store.</summary>
    public HttpMessageHandler? MessageHandler { get; init; }

    /// <summary>Makes the logs of requests, queries and connections: the categories <c>Jackdaw.Client.Requests</c>, <c>.Queries</c> and
    /// <c>.Changes</c>. Null: nothing is logged.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <inheritdoc cref="IDocumentStore.Initialize"/>
    /// <exception cref="CertificateFileException">A file of certificates cannot be read.</exception>
    /// <exception cref="InvalidOperationException">The options of certificates contradict each other, or the address uses http.</exception>
    public DocumentStore Initialize()
    {
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            if (_transport is null)
            {
                Conventions.Freeze();
                _converter = new EntityConverter(Conventions, new DocumentSerializer(Conventions));
                _log = new ClientLog(LoggerFactory, Conventions.SlowQueryTime);
                _transport = new HttpTransport(_servers, MessageHandler, Conventions.RequestTimeout, _log, OpenCertificates());
                _maintenance = new MaintenanceOperationExecutor(database => AccessOf(database).Executor, _transport, Database);
                var notices = new OperationPause(Time);
                _operations = new DocumentOperationExecutor(
                    database => new OperationScope(AccessOf(database).Executor, _converter, notices), Database);
            }
        }

        return this;
    }

    /// <inheritdoc/>
    public event EventHandler<SessionCreatedEventArgs>? OnSessionCreated;

    /// <inheritdoc/>
    public event EventHandler<SessionDisposingEventArgs>? OnSessionDisposing;

    /// <inheritdoc/>
    public MaintenanceOperationExecutor Maintenance => _maintenance ?? throw NotInitialized();

    /// <inheritdoc/>
    public DocumentOperationExecutor Operations => _operations ?? throw NotInitialized();

    /// <inheritdoc/>
    public BulkInsertOperation BulkInsert(string? database = null)
    {
        DatabaseAccess access = AccessOf(database);
        return new BulkInsertOperation(access.Executor, _converter!, access.Ids);
    }

    /// <inheritdoc/>
    public IAsyncDocumentSession OpenAsyncSession() => OpenAsyncSession(s_usual);

    /// <inheritdoc/>
    public IAsyncDocumentSession OpenAsyncSession(string database) => OpenAsyncSession(new SessionOptions { Database = database });

    /// <inheritdoc/>
    public IAsyncDocumentSession OpenAsyncSession(SessionOptions options) => Opened(new AsyncDocumentSession(Open(options), Handlers));

    /// <inheritdoc/>
    public IDocumentSession OpenSession() => OpenSession(s_usual);

    /// <inheritdoc/>
    public IDocumentSession OpenSession(string database) => OpenSession(new SessionOptions { Database = database });

    /// <inheritdoc/>
    public IDocumentSession OpenSession(SessionOptions options) => Opened(new DocumentSession(Open(options), Handlers));

    /// <inheritdoc/>
    public IDatabaseChanges Changes(string? database = null) => AccessOf(database).Changes;

    /// <inheritdoc/>
    public IDisposable AggressivelyCache(string? database = null) => AccessOf(database).EnterCache(null, null);

    /// <inheritdoc/>
    public IDisposable AggressivelyCacheFor(TimeSpan duration, AggressiveCacheMode? mode = null, string? database = null) =>
        AccessOf(database).EnterCache(duration, mode);

    /// <inheritdoc/>
    public ValueTask<IDisposable> AggressivelyCacheAsync(string? database = null, CancellationToken token = default) =>
        AccessOf(database).EnterCacheAsync(null, null, token);

    /// <inheritdoc/>
    public ValueTask<IDisposable> AggressivelyCacheForAsync(
        TimeSpan duration, AggressiveCacheMode? mode = null, string? database = null, CancellationToken token = default) =>
        AccessOf(database).EnterCacheAsync(duration, mode, token);

    /// <inheritdoc/>
    public IDisposable DisableAggressiveCaching(string? database = null) => AccessOf(database).EnterCache(TimeSpan.Zero, null);

    /// <inheritdoc/>
    public void Dispose()
    {
        if (BeginDisposal())
        {
            foreach (DatabaseAccess access in Opened())
            {
                Completed.Result(access.DisposeAsync(isAsync: false));
            }

            _transport?.Dispose();
        }
    }

    /// <summary>Ends what waits for changes, returns the unused parts of ranges of ids, and closes the connections.</summary>
    public async ValueTask DisposeAsync()
    {
        if (BeginDisposal())
        {
            foreach (DatabaseAccess access in Opened())
            {
                await access.DisposeAsync().ConfigureAwait(false);
            }

            _transport?.Dispose();
        }
    }

    IDocumentStore IDocumentStore.Initialize() => Initialize();

    async ValueTask<T?> IRecordStore.LoadRecordAsync<T>(string? database, string id, CancellationToken token)
        where T : class
    {
        using IAsyncDocumentSession session = OpenAsyncSession(new SessionOptions { Database = database, NoTracking = true, NoCaching = true });
        return await session.LoadAsync<T>(id, token).ConfigureAwait(false);
    }

    IDisposable IRecordStore.SubscribeToRecords(string? database, IChangeNotices notices) => AccessOf(database).Subscribe(notices);

    private IEnumerable<DatabaseAccess> Opened() => _databases.Values.Where(access => access.IsValueCreated).Select(access => access.Value);

    private bool BeginDisposal()
    {
        lock (_lock)
        {
            bool isFirst = !_isDisposed;
            _isDisposed = true;
            return isFirst;
        }
    }

    private T Opened<T>(T session)
        where T : SessionOperations
    {
        if (OnSessionDisposing is { } disposing)
        {
            session.OnSessionDisposing += disposing;
        }

        OnSessionCreated?.Invoke(this, new SessionCreatedEventArgs(session));
        return session;
    }

    private SessionCore Open(SessionOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        DatabaseAccess access = AccessOf(options.Database);
        return new SessionCore(access.Executor, _converter!, access.Ids, new SessionSettings(!options.NoTracking, !options.NoCaching))
        {
            IsClusterWide = options.TransactionMode == TransactionMode.ClusterWide,
            IsGuarded = !options.DisableAtomicDocumentWritesInClusterWideTransaction,
        };
    }

    private DatabaseAccess AccessOf(string? database)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (_transport is null)
        {
            throw NotInitialized();
        }

        string name = database ?? Database
            ?? throw new InvalidOperationException(
                "Neither the session nor the store names a database: give one to the store's constructor or to OpenAsyncSession.");
        return _databases.TryGetValue(name, out Lazy<DatabaseAccess>? access) ? access.Value : FirstAccessTo(name);
    }

    private DatabaseAccess FirstAccessTo(string database)
    {
        if (!IsDatabaseName(database))
        {
            throw new ArgumentException(
                $"'{database}' is not a name of a database. A name consists of ASCII letters, digits, '_', '-' and '.', "
                + "and does not begin or end with '.'.", nameof(database));
        }

        return _databases.GetOrAdd(database, name => new Lazy<DatabaseAccess>(() => Make(name))).Value;
    }

    // A name that has a meaning in a path would lead to another database.
    private static bool IsDatabaseName(string name) =>
        name.Length > 0 && name[0] != '.' && name[^1] != '.' && name.All(c => char.IsAsciiLetterOrDigit(c) || c is '_' or '-' or '.');

    private static InvalidOperationException NotInitialized() => new("The store is not initialized: call Initialize() once, before it is used.");

    private DatabaseAccess Make(string database)
    {
        var executor = new RequestExecutor(_transport!, database, Conventions, Time);
        var feed = new FeedSettings(_servers, database, WebSocketConnector.Over(_transport!)) { Time = Time, Log = _log };
        return new DatabaseAccess(executor, feed, Conventions);
    }

    private static Uri ServerOf(string url) =>
        Uri.TryCreate(url, UriKind.Absolute, out Uri? uri) && uri.Scheme is "http" or "https" && uri.AbsolutePath == "/" && uri.Query.Length == 0
            ? uri
            : throw new ArgumentException($"'{url}' is not an address of a server: use http://host:port, without a path.", nameof(url));
}
