using System.Net.Sockets;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Security;
using Jackdaw.Security.Auditing;
using Jackdaw.Security.Keys;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Diagnostics;
using Jackdaw.Server.Hosting.Connections;
using Jackdaw.Server.Http.Handlers;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Live;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace Jackdaw.Server.Hosting;

/// <summary>One running server: Kestrel, the application directly on it, and the store.</summary>
/// <remarks>
/// Life: StartAsync listens at once, then opens the storages. Until they are open, every route except the always available ones is refused with 503. StopAsync
/// gives running requests <see cref="HttpLimits.StopTime"/>, then cuts the connections that are left (sooner when no request is running), and closes the store.
/// </remarks>
internal sealed class JackdawServer : IAsyncDisposable
{
    /// <summary>Consecutive checks that must find no running request before connections are cut: on a busy machine an
    /// answer needs several rounds of the thread pool to reach the system.</summary>
    private const int IdleLooksMin = 3;

    private static readonly TimeSpan s_idlePoll = TimeSpan.FromMilliseconds(50);

    private readonly ServerState _state;
    private readonly OpenDatabaseCatalog _openDatabases;
    private readonly ILogger<JackdawServer> _logger;
    private readonly ServiceProvider _services;
    private readonly IServer _kestrel;
    private readonly RequestApplication _application;
    private readonly Telemetry? _telemetry;
    private readonly SecureConnections? _secure;
    private readonly CancellationTokenSource _opening = new();
    private Task _opened = Task.CompletedTask;
    private KeyUpkeep? _upkeep;
    private bool _isStopped;

    /// <param name="options">Validated.</param>
    /// <param name="openDatabases">Called once, after the server listens.</param>
    /// <param name="loggers">The loggers of all parts.</param>
    /// <param name="time">The clock of all parts.</param>
    /// <param name="transport">Accepts connections in place of sockets; null: sockets.</param>
    /// <param name="callers">Tells who sent a request; null: everyone is the same caller, who may do everything.</param>
    /// <param name="log">Gets the lines of <paramref name="loggers"/>, to show them; null: none are shown.</param>
    public JackdawServer(
        ServerOptions options, OpenDatabaseCatalog openDatabases, ILoggerFactory loggers, TimeProvider time,
        IConnectionListenerFactory? transport = null, CallerSource? callers = null, LogTail? log = null)
    {
        bool isSecured = options.ServerUrl.IsSecured;
        _state = new ServerState(options, time, callers ?? (isSecured ? SecuredCallers.Find : static _ => Caller.Everyone))
        {
            Audit = MakeAudit(options, loggers, time),
            LogTail = log ?? new LogTail(time),
            Running = callers is null && !isSecured ? null : new RunningRequests(time, loggers.CreateLogger<RunningRequests>()),
        };
        _secure = isSecured ? new SecureConnections(time, new HandshakeLimits(), _state.Audit) : null;
        _openDatabases = openDatabases;
        _logger = loggers.CreateLogger<JackdawServer>();
        _services = KestrelSetup.BuildServices(options.ServerUrl, Wrap, loggers, transport);
        _kestrel = _services.GetRequiredService<IServer>();
        KnownRoutes = Routes.Build(_state.Meter, options.StudioEnabled);
        _application = new RequestApplication(_state, new Dispatcher(_state, KnownRoutes), loggers.CreateLogger<RequestApplication>());
        _telemetry = Telemetry.Start(options.OtlpEndpoint);
    }

    /// <summary>The address on which it listens, with the port that it got. Only after <see cref="StartAsync"/>.</summary>
    public string Address =>
        _kestrel.Features.GetRequiredFeature<IServerAddressesFeature>().Addresses.First().Replace(
            "[::]", "127.0.0.1", StringComparison.Ordinal);

    /// <summary>The page for the person who started the server, when this is the first secured start; else null.</summary>
    public string? FirstStart { get; private set; }

    public RouteTable KnownRoutes { get; }

    /// <summary>Null on a server without https.</summary>
    public ServerSecurity? Security => _state.Security;

    /// <summary>Completes when the storages are open; faults when they cannot be opened.</summary>
    public Task Opened => _opened;

    /// <summary>Why the storages could not be opened, in one line; null as long as they may still open.</summary>
    public string? Failure => _state.Failure;

    public int RequestsInWork => _state.RequestsInWork;

    /// <summary>The connections that have not finished their handshake.</summary>
    public int Handshakes => _secure?.Admission.Pending ?? 0;

    /// <summary>Whether somebody looks at requests.</summary>
    public bool IsWatchingRequests => !_state.Requests.IsEmpty;

    public AnswerAdmission Answers => _state.Answers;

    public AnswerAdmission UploadBuffers => _state.UploadBuffers;

    public AnswerAdmission WaitingBatches => _state.WaitingBatches;

    public LargeBodyAdmission LargeBodyAdmission => _state.LargeBodyAdmission;

    public DecompressionAdmissionLimit Decompression => _state.Decompression;

    /// <summary>Listens, and begins to open the storages.</summary>
    /// <exception cref="AddressUnusableException">The address is in use, or does not belong to this machine.</exception>
    /// <exception cref="KeyFileException">A file of keys or certificates cannot be used.</exception>
    /// <exception cref="IOException">The folder of keys cannot be read or written.</exception>
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        OpenKeys();
        try
        {
            await _kestrel.StartAsync(_application, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is IOException or SocketException)
        {
            throw new AddressUnusableException(_state.Options.ServerUrl, failure);
        }

        WriteFirstPage();
        _opened = Task.Run(OpenAsync, CancellationToken.None);
    }

    public async Task StopAsync()
    {
        if (_isStopped)
        {
            return;
        }

        _isStopped = true;
        await _state.Stopping.CancelAsync().ConfigureAwait(false);
        await _opening.CancelAsync().ConfigureAwait(false);
        using var limit = new CancellationTokenSource(HttpLimits.StopTime, _state.Time);
        Task stopped = _kestrel.StopAsync(limit.Token);
        await CutWhenIdleAsync(stopped, limit).ConfigureAwait(false);
        await stopped.ConfigureAwait(false);
        await _opened.ContinueWith(static _ => { }, TaskScheduler.Default).ConfigureAwait(false);
        if (_state.Databases is { } databases)
        {
            await databases.DisposeAsync().ConfigureAwait(false);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await StopAsync().ConfigureAwait(false);
        await _services.DisposeAsync().ConfigureAwait(false);
        _upkeep?.Dispose();
        _secure?.Dispose();
        _state.Security?.Dispose();
        _telemetry?.Dispose();
        _opening.Dispose();
        _state.Dispose();
    }

    // A server that leaves nothing behind has nothing to account for, unless it is secured: then its keys are on the disk too.
    private static AuditLog? MakeAudit(ServerOptions options, ILoggerFactory loggers, TimeProvider time)
    {
        bool isKept = !options.RunInMemory || options.ServerUrl.IsSecured;
        return isKept ? new AuditLog(SecurityFolder.At(options.DataDir).Audit, time, loggers.CreateLogger<AuditLog>()) : null;
    }

    private void Wrap(ListenOptions listen)
    {
        _secure?.Use(listen);
        if (_secure is null && _state.Options.Security.UnsecuredAccess == UnsecuredAccess.PrivateNetwork)
        {
            PrivateConnections.Use(listen, _state.Time, _state.Audit);
        }
    }

    private void OpenKeys()
    {
        if (_secure is { } secure)
        {
            _state.Security = SecuredStart.Open(_state.Options, _state.Time);
            secure.Serve(_state.Security);
            _upkeep = new KeyUpkeep(_state.Security.Keys, _state.Security.Authority, _logger, _state.Time);
        }
    }

    // Only now is the port known.
    private void WriteFirstPage()
    {
        if (_state.Security is { IsFirstPageDue: true } security)
        {
            Uri local = (_state.Options.ServerUrl with { Port = new Uri(Address).Port }).ToLocalUri();
            FirstStart = FirstStartPage.Make(security, _state.Options.PublicServerUrl ?? local);
            FirstStartPage.Write(security, FirstStart);
        }
    }

    // A connection that sends half of its headers, or the rest of a refused body, does not count as running work: only Kestrel waits for it.
    private async Task CutWhenIdleAsync(Task stopped, CancellationTokenSource limit)
    {
        // Measured by the clock: if checks are late, adding up their pauses would make the stop many times as long.
        long idleSince = _state.Time.GetTimestamp();
        int looks = 0;
        while (!stopped.IsCompleted && (looks < IdleLooksMin || _state.Time.GetElapsedTime(idleSince) < HttpLimits.StopIdleTime))
        {
            await Task.WhenAny(stopped, Task.Delay(s_idlePoll, _state.Time)).ConfigureAwait(false);
            looks++;
            if (_state.RequestsInWork > 0)
            {
                idleSince = _state.Time.GetTimestamp();
                looks = 0;
            }
        }

        await limit.CancelAsync().ConfigureAwait(false);
    }

    private async Task OpenAsync()
    {
        try
        {
            _state.Databases = await _openDatabases(_state.Options, _state, _opening.Token).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            _state.Failure = StartFailure.Describe(failure, _state.Options.DataDir);
            if (!StartFailure.IsExpected(failure))
            {
                _logger.LogCritical(failure, "The storages below {DataDir} could not be opened", _state.Options.DataDir);
            }

            throw;
        }
    }
}
