using System.Diagnostics.Metrics;
using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Databases;
using Jackdaw.Scripting.Caching;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Diagnostics;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Server.Http.Problems;

namespace Jackdaw.Server.Http.Routing;

/// <summary>What handlers share: options, the store once it is open, and how far its opening has come.</summary>
/// <remarks>Starting -> Ready (Store is set) or Failed (Failure is set); Ready -> Stopping. Written by the host, read
/// by all.</remarks>
internal sealed class ServerState : IProgress<RecoveryProgress>, IDisposable
{
    /// <summary>One node and no way to change that: the topology of the cluster is always the first.</summary>
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
        Started = time.GetUtcNow();
        Scripts = new QueryScripts(time);
        Meter = new Meter(PrometheusListener.ServerMeterName);
        Metrics = new PrometheusListener(Meter);
        _ = new DatabaseMetrics(Meter, ListFigures);
        Memory = new MemoryWatch(time);
        MemoryMetrics.Add(Meter, Memory);
        Meter.CreateObservableGauge(
            "jackdaw.changes.connections", () => ChangesConnections, "{connection}", "Clients that are told of changes now.");
    }

    public ServerOptions Options { get; }

    /// <summary>Tag of this server, the only node. Each database has its own, kept with it.</summary>
    public string NodeTag => Options.NodeTag.Text;

    public TimeProvider Time { get; }

    public DateTimeOffset Started { get; }

    /// <summary>Meter of this server, not of the process, so that two servers in one process are counted
    /// separately.</summary>
    public Meter Meter { get; }

    public PrometheusListener Metrics { get; }

    /// <summary>The process's memory.</summary>
    public MemoryWatch Memory { get; }

    /// <summary>Tells who sent a request.</summary>
    public CallerSource Callers { get; }

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

    public LargeBodyAdmission LargeBodyAdmission { get; init; } = new();

    /// <summary>What compressed bodies may hold while they are read.</summary>
    public DecompressionAdmissionLimit Decompression { get; init; } = new();

    /// <summary>What buffers of attachments hold while they are received.</summary>
    public AnswerAdmission UploadBuffers { get; init; } = UploadAdmission.NewLimit();

    /// <summary>What large batches hold while their attachments are received.</summary>
    public AnswerAdmission WaitingBatches { get; init; } = UploadAdmission.NewBatchLimit();

    public AnswerAdmission Answers { get; init; } = new();

    /// <summary>What runs the scripts of queries.</summary>
    public QueryScripts Scripts { get; }

    /// <summary>Fires when the server begins to stop: long requests then end early.</summary>
    public CancellationTokenSource Stopping { get; } = new();

    /// <summary>Requests between their headers and the end of their answer.</summary>
    public int RequestsInWork => Volatile.Read(ref _requestsInWork);

    /// <summary>Websockets that are told of changes.</summary>
    public int ChangesConnections => Volatile.Read(ref _changesConnections);

    public void AddChangesConnections(int added) => Interlocked.Add(ref _changesConnections, added);

    public void BeginRequest() => Interlocked.Increment(ref _requestsInWork);

    public void EndRequest() => Interlocked.Decrement(ref _requestsInWork);

    public void Report(RecoveryProgress value) => _progress = value;

    public void Dispose()
    {
        Metrics.Dispose();
        Meter.Dispose();
        Stopping.Dispose();
        Scripts.Dispose();
        LargeBodyAdmission.Dispose();
        Decompression.Dispose();
    }

    private IEnumerable<(string Name, DatabaseFigures Figures)> ListFigures()
    {
        foreach (DatabaseRecord record in _store?.ListRecords() ?? [])
        {
            if (_store?.Find(record.Name).Database?.Figures is { } figures)
            {
                yield return (record.Name, figures);
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
