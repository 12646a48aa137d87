using System.Security.Cryptography;
using Jackdaw.Pal;
using Jackdaw.Server.Documents.Json;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Merging;
using Jackdaw.Storage.Transactions;
using Microsoft.Extensions.ObjectPool;

namespace Jackdaw.Server.Documents.Storage;

/// <summary>One open database on a storage of its own. Any thread.</summary>
/// <remarks>
/// States: open -> closing (new requests are refused, running ones end) -> closed. A storage that stopped after a
/// failed write stays
/// open in this sense: each request tells the failure, and the owner is told once, so that it closes this object and
/// opens another.
/// </remarks>
internal sealed partial class StoredDatabase : DocumentDatabase, IAsyncDisposable
{
    /// <summary>How long callers wait for running requests. Read scopes are held for the time of copying bytes: who still has one is stuck, on
    /// a disk that does not answer maybe, and its pages are not taken away.</summary>
    private static readonly TimeSpan s_readersPatience = TimeSpan.FromSeconds(30);

    private const int ReadersPollMsMax = 100;

    private readonly StorageEnvironment _environment;
    private readonly TransactionMerger _merger;
    private readonly DocumentWriter _writer;
    private readonly DocumentsState _opened;
    private readonly DatabaseSettings _settings;
    private readonly TaskCompletionSource _drained = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Lazy<Task> _closed;
    private readonly TimeProvider _time;
    private int _writes;
    private int _isClosing;
    private int _isFailureTold;

    private StoredDatabase(
        string name, string databaseId, StorageEnvironment environment, DatabaseSettings settings, TimeProvider time)
        : base(name, databaseId)
    {
        _environment = environment;
        _settings = settings;
        using (ReadTransaction read = environment.BeginRead())
        {
            _opened = DocumentTransaction.ReadState(read, read.Trees);
        }

        _writer = new DocumentWriter(_opened, time);
        _batches = new DefaultObjectPool<BatchCommand>(new BatchCommandPolicy(_writer), IdleBatchesMax);
        _merger = new TransactionMerger(environment, name, time);
        _closed = new Lazy<Task>(CloseAsync);
        _time = time;
    }

    /// <summary>Raised once, on any thread, when the storage stopped. The handler must be short.</summary>
    public event Action<StoredDatabase, StoragePoisonedException>? Failed;

    public override long TopologyEtag => _settings.TopologyEtag;

    public override long ClientConfigurationEtag => _settings.ClientConfigurationEtag;

    public override long SizeBytes => IsClosing ? 0 : _environment.FileBytes;

    public override int QueuedWrites => _merger.QueueLength;

    public override DatabaseFigures? Figures => IsClosing
        ? null
        : new DatabaseFigures(_environment.Figures, _environment.Statistics, _merger.Statistics, _environment.RecentFlushes);

    /// <summary>What recovery found worth telling.</summary>
    public IReadOnlyList<string> Warnings => _environment.Warnings;

    /// <summary>What kept the closing from writing everything to the data file; null when nothing did. The next opening recovers it.</summary>
    public Exception? ClosingFailure { get; private set; }

    internal StorageEnvironment Environment => _environment;

    internal MergerStatistics MergerStatistics => _merger.Statistics;

    private bool IsClosing => Volatile.Read(ref _isClosing) != 0;

    /// <summary>Opens the database in a folder, or creates it there.</summary>
    /// <param name="databaseIdIfNew">Its id when the folder has none; an existing database keeps its own.</param>
    /// <exception cref="PalException">A failed call, or another process has it open.</exception>
    /// <exception cref="CorruptionException">Acknowledged data is damaged.</exception>
    public static StoredDatabase Open(
        IPlatform platform,
        string path,
        string name,
        string databaseIdIfNew,
        DatabaseSettings settings,
        StorageOptions options)
    {
        StorageEnvironment environment = StorageEnvironment.Open(platform, path, options);
        try
        {
            string databaseId = DatabaseIdTree.ReadOrWrite(environment, databaseIdIfNew);
            return new StoredDatabase(name, databaseId, environment, settings, options.Time);
        }
        catch
        {
            environment.Dispose();
            throw;
        }
    }

    /// <summary>An id for a new database.</summary>
    public static string MakeDatabaseId() =>
        Convert.ToBase64String(RandomNumberGenerator.GetBytes(16))[..ChangeVector.DatabaseIdBytes];

    public override DocumentReadScope BeginRead(ReaderKind kind = ReaderKind.Other) => BeginScope(kind);

    /// <summary>As <see cref="BeginRead"/>, with what only this store has.</summary>
    public StoredReadScope BeginScope(ReaderKind kind = ReaderKind.Other)
    {
        try
        {
            ReadTransaction transaction = _environment.BeginRead(kind);
            if (IsClosing)
            {
                // Looked at after the transaction was registered: either we see the closing, or the closing sees us.
                transaction.Dispose();
                throw new ObjectDisposedException(Name, $"Database '{Name}' is closed.");
            }

            return StoredReadScope.Begin(transaction, transaction.State.ClientState as DocumentsState ?? _opened);
        }
        catch (StoragePoisonedException failure)
        {
            TellFailure(failure);
            throw;
        }
    }

    /// <summary>Refuses new requests, waits for the running ones, and closes the storage. Any number of
    /// callers.</summary>
    /// <exception cref="TimeoutException">A reader did not end. The closing goes on, and can be waited for again.</exception>
    public async ValueTask DisposeAsync()
    {
        try
        {
            await _closed.Value.WaitAsync(s_readersPatience, _time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            throw new TimeoutException($"Database '{Name}' cannot be closed yet, for a request still reads from it or writes to it; try again in a moment.");
        }
    }

    private bool TryEnterWrite()
    {
        Interlocked.Increment(ref _writes);
        if (!IsClosing)
        {
            return true;
        }

        LeaveWrite();
        return false;
    }

    private void LeaveWrite()
    {
        if (Interlocked.Decrement(ref _writes) == 0 && IsClosing)
        {
            _drained.TrySetResult();
        }
    }

    private void TellFailure(StoragePoisonedException failure)
    {
        if (Interlocked.Exchange(ref _isFailureTold, 1) == 0)
        {
            Failed?.Invoke(this, failure);
        }
    }

    private async Task CloseAsync()
    {
        await Task.Yield();
        Interlocked.Exchange(ref _isClosing, 1);
        if (Volatile.Read(ref _writes) == 0)
        {
            _drained.TrySetResult();
        }

        await _drained.Task.ConfigureAwait(false);
        _merger.Dispose();
        _writer.Dispose();
        for (int pollMs = 1; _environment.ActiveTransactions > 0; pollMs = Math.Min(pollMs * 2, ReadersPollMsMax))
        {
            await Task.Delay(pollMs).ConfigureAwait(false);
        }

        bool wasWhole = _environment.Failure is null;
        _environment.Dispose();
        ClosingFailure = wasWhole ? _environment.Failure : null;
    }
}
