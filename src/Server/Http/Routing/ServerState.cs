using System.Diagnostics.Metrics;
using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Operations;
using Jackdaw.Queries.Running;
using Jackdaw.Scripting.Caching;
using Jackdaw.Security;
using Jackdaw.Security.Auditing;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Diagnostics;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Server.Http.Origins;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Live;

namespace Jackdaw.Server.Http.Routing;

/// <summary>The state that handlers share: options, the store once it is open, and the progress of its opening.</summary>
/// <remarks>Starting -> Ready (Store is set) or Failed (Failure is set); Ready -> Stopping. Written by the host, read
/// by all.</remarks>
internal sealed class ServerState : IProgress<RecoveryProgress>, IDisposable
{
    /// <summary>The topology of the cluster is always the first one, because there is only one node.</summary>
    public const long ClusterTopologyEtag = 1;

    private volatile DatabaseCatalog? _store;
    private volatile RecoveryProgress _progress = new("starting", 0, 0);
    private volatile string? _failure;
    private int _requestsInWork;
    private int _changesConnections;

    public ServerState(ServerOptions options, TimeProvider time, CallerSource callers)
    {
        Callers = callers;
        Options = options;
        Time = time;
        Origins = new OriginRules(options, IsCertified);
        Started = time.GetUtcNow();
        Scripts = new QueryScripts(time);
        Meter = new Meter(PrometheusListener.ServerMeterName);
        Metrics = new PrometheusListener(Meter);
        _ = new DatabaseMetrics(Meter, ListFigures);
        Memory = new MemoryWatch(time);
        ProcessMetrics.Add(Meter, Memory);
        Live = new LiveSampler(ListOpen, ReadStates, time);
        Meter.CreateObservableGauge(
            "jackdaw.changes.connections", () => ChangesConnections, "{connection}", "Clients that are being notified of changes.");
    }

    public ServerOptions Options { get; }

    /// <summary>The tag of this server, the only node. Each database has its own tag, which is stored with it.</summary>
    public string NodeTag => Options.NodeTag.Text;

    public TimeProvider Time { get; }

    public DateTimeOffset Started { get; }

    /// <summary>The meter of this server. It does not belong to the process, so that two servers in one process are counted separately.</summary>
    public Meter Meter { get; }

    public PrometheusListener Metrics { get; }

    /// <summary>The process's memory.</summary>
    public MemoryWatch Memory { get; }

    /// <summary>Samples of what the server does.</summary>
    public LiveSampler Live { get; }

    /// <summary>The requests that ended just now, while somebody looks.</summary>
    public RequestTails Requests { get; } = new();

    /// <summary>The newest lines of the log.</summary>
    public required LogTail LogTail { get; init; }

    /// <summary>Tells who sent a request.</summary>
    public CallerSource Callers { get; }

    /// <summary>Ends requests whose callers lose their access; null when callers cannot lose any.</summary>
    public RunningRequests? Running { get; init; }

    /// <summary>Keys, and who may do what; null on a server without https. Written before the server listens.</summary>
    public ServerSecurity? Security { get; set; }

    /// <summary>Null until the storages are open.</summary>
    public DatabaseCatalog? Databases
    {
        get => _store;
        set => _store = value;
    }

    public RecoveryProgress Progress => _progress;

    /// <summary>Why the storages could not be opened; null as long as they may still open.</summary>
    public string? Failure
    {
        get => _failure;
        set => _failure = value;
    }

    /// <summary>The record of who did what; null for an open server that keeps everything in memory.</summary>
    public AuditLog? Audit { get; init; }

    /// <summary>Which pages may make a browser send requests.</summary>
    public OriginRules Origins { get; }

    public LargeBodyAdmission LargeBodyAdmission { get; init; } = new();

    /// <summary>The limit of the bytes of compressed bodies while they are read.</summary>
    public DecompressionAdmissionLimit Decompression { get; init; } = new();

    /// <summary>The limit of the buffers of attachments while they are received.</summary>
    public AnswerAdmission UploadBuffers { get; init; } = UploadAdmission.NewLimit();

    /// <summary>The limit of large batches while their attachments are received.</summary>
    public AnswerAdmission WaitingBatches { get; init; } = UploadAdmission.NewBatchLimit();

    public AnswerAdmission Answers { get; init; } = new();

    /// <summary>The long-running operations that belong to no open database. Those of a database end with it.</summary>
    public OperationRegistry Operations { get; } = new();

    /// <summary>The queries that run now.</summary>
    public RunningQueries Queries { get; } = new();

    /// <summary>Runs the scripts of queries.</summary>
    public QueryScripts Scripts { get; }

    /// <summary>Is cancelled when the server begins to stop, so that long requests end early.</summary>
    public CancellationTokenSource Stopping { get; } = new();

    /// <summary>The number of requests between their headers and the end of their answer.</summary>
    public int RequestsInWork => Volatile.Read(ref _requestsInWork);

    /// <summary>The number of websockets that are notified of changes.</summary>
    public int ChangesConnections => Volatile.Read(ref _changesConnections);

    public void AddChangesConnections(int added) => Interlocked.Add(ref _changesConnections, added);

    public void BeginRequest() => Interlocked.Increment(ref _requestsInWork);

    public void EndRequest() => Interlocked.Decrement(ref _requestsInWork);

    public void Report(RecoveryProgress value) => _progress = value;

    public void Dispose()
    {
        Live.Dispose();
        Running?.Dispose();
        Audit?.Dispose();
        Metrics.Dispose();
        Meter.Dispose();
        Stopping.Dispose();
        Scripts.Dispose();
        LargeBodyAdmission.Dispose();
        Decompression.Dispose();
    }

    private bool IsCertified(string host) =>
        Uri.CheckHostName(host) == UriHostNameType.Dns
        && Security?.Keys.Current.MatchesHostname(host, allowWildcards: true, allowCommonName: false) == true;

    private IEnumerable<(string Name, DatabaseFigures Figures)> ListFigures()
    {
        foreach (DocumentDatabase database in ListOpen())
        {
            if (database.Figures is { } figures)
            {
                yield return (database.Name, figures);
            }
        }
    }

    private IReadOnlyList<DatabaseState> ReadStates() =>
        [.. (_store?.ListRecords() ?? []).Select(record => DatabaseState.Read(record, _store!.Find(record.Name)))];

    private IEnumerable<DocumentDatabase> ListOpen()
    {
        foreach (DatabaseRecord record in _store?.ListRecords() ?? [])
        {
            if (_store?.Find(record.Name).Database is { } database)
            {
                yield return database;
            }
        }
    }

    public Problem NotReadyProblem()
    {
        RecoveryProgress progress = _progress;
        string reached = progress.Total > 0 ? $"{progress.Phase}, {progress.Done} of {progress.Total}" : progress.Phase;
        return Problem.Unavailable(ProblemTypes.DatabaseLoading, _failure is { } failure
            ? $"The server could not open its storages: {failure}"
            : $"The server is starting ({reached}); try again in a moment, or watch /health/ready.");
    }
}

/// <summary>Tells who sent a request. Called once for each request, before anything else is looked at.</summary>
internal delegate Caller CallerSource(RequestContext context);
