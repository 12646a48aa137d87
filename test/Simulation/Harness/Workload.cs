using Jackdaw.Pal;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Simulation.Harness;

/// <summary>Random life of one storage on one thread: transactions through both commit paths, rollbacks, snapshots, flushes,
/// syncs and reopens, with an oracle beside it.</summary>
internal sealed class Workload(IPlatform platform, Oracle oracle, int seed, StorageOptions? options = null) : IWork
{
    private readonly Random _random = new(seed);
    private readonly List<PendingCommit> _pending = [];
    private readonly List<(ReadTransaction Transaction, ModelState State)> _snapshots = [];
    private StorageEnvironment? _storage;
    private ModelState _state = ModelState.Empty;

    public Oracle Oracle => oracle;

    public IReadOnlyList<Oracle> Oracles => [oracle];

    /// <summary>How the storage is opened; by itself unless set.</summary>
    public Func<StorageEnvironment>? Opening { get; init; }

    /// <summary>What a transaction does, on the storage and on the model.</summary>
    public Func<Random, WriteTransaction, ModelState, ModelState> Script { get; init; } =
        (random, transaction, state) => new TransactionScript(random).Run(transaction, state);

    /// <summary>Gives free pages back after a sync; the storage's own way unless a test breaks its rule.</summary>
    public Action<StorageEnvironment> Punch { get; init; } = storage => storage.PunchHoles();

    /// <summary>Called with each transaction before it is submitted, by tests that break a rule; null = nothing.</summary>
    public Action<StorageEnvironment, WriteTransaction>? BeforeSubmit { get; init; }

    /// <summary>Called when a transaction was submitted, or refused; null = nothing.</summary>
    public Action? AfterSubmit { get; init; }

    /// <summary>What the storage must hold.</summary>
    public ModelState State => _state;

    public bool IsOpen => _storage is not null;

    public StorageEnvironment Storage => _storage ?? throw new InvalidOperationException("The storage is not open.");

    /// <summary>Opens the storage; its state must be one that the oracle allows, and becomes the one to go on from.</summary>
    public void Open()
    {
        OracleView allowed = oracle.View;
        _storage = Opening?.Invoke() ?? StorageEnvironment.Open(platform, SmallStorage.Path, options ?? SmallStorage.Options);
        long found = _storage.Current.TransactionId;
        if (found < allowed.Acknowledged || found > allowed.Submitted)
        {
            throw new SimulationViolationException(
                $"{_storage.Path}: transaction {found} was recovered, but {allowed.Acknowledged} was acknowledged and {allowed.Submitted} submitted");
        }

        _state = allowed.States[found];
        CheckContents();
        oracle.Recover(found);
    }

    /// <summary>Everything read equals the oracle's state, and the verifier finds nothing.</summary>
    public void CheckContents()
    {
        WaitForAll();
        using (ReadTransaction transaction = Storage.BeginRead())
        {
            StorageContents.RequireEqual(transaction, _state);
        }

        StorageContents.RequireSound(Storage);
    }

    /// <summary>One random step.</summary>
    public void Step() => Step(Reopen);

    /// <summary>One random step; reopening is up to the caller.</summary>
    public void Step(Action reopen)
    {
        switch (_random.Next(100))
        {
            case < 40:
                Commit();
                break;
            case < 68:
                SubmitOnly();
                break;
            case < 74:
                RollBack();
                break;
            case < 84:
                Storage.Flush();
                break;
            case < 92:
                Storage.Flush();
                Storage.Sync();
                Punch(Storage);
                break;
            case < 96:
                ToggleSnapshot();
                break;
            default:
                reopen();
                break;
        }
    }

    /// <summary>Runs a transaction and waits for it: the calling thread writes the journal.</summary>
    public void Commit()
    {
        Run(transaction =>
        {
            transaction.Commit();
            oracle.Acknowledge(transaction.TransactionId);
        });
        WaitForAll();
    }

    /// <summary>Runs a transaction and leaves it to the committer, so that the next one runs beside its write.</summary>
    public void SubmitOnly() => Run(transaction =>
    {
        PendingCommit commit = transaction.Submit();
        commit.OnCompleted(AcknowledgeIfDone);
        _pending.Add(commit);
    });

    public void WaitForAll()
    {
        foreach (PendingCommit commit in _pending)
        {
            commit.Wait();
        }

        _pending.Clear();
    }

    /// <summary>Closes cleanly.</summary>
    public void Close()
    {
        WaitForAll();
        EndSnapshots(check: true);
        _storage?.Dispose();
        _storage = null;
    }

    /// <summary>Closes a storage that failed or is to be given up; never throws for what it holds.</summary>
    public void GiveUp()
    {
        _pending.Clear();
        EndSnapshots(check: false);
        _storage?.Dispose();
        _storage = null;
    }

    private void Run(Action<WriteTransaction> commit)
    {
        using WriteTransaction transaction = Storage.BeginWrite();
        ModelState next = Script(_random, transaction, _state);
        BeforeSubmit?.Invoke(Storage, transaction);
        oracle.Submit(transaction.TransactionId, next);
        try
        {
            commit(transaction);
        }
        catch (Exception e) when (e is DiskFullException or ResourceShortageException)
        {
            oracle.Withdraw(transaction.TransactionId);
            throw;
        }
        finally
        {
            AfterSubmit?.Invoke();
        }

        _state = next;
    }

    private void AcknowledgeIfDone(PendingCommit commit)
    {
        if (commit.Failure is null)
        {
            oracle.Acknowledge(commit.TransactionId);
        }
    }

    private void RollBack()
    {
        using WriteTransaction transaction = Storage.BeginWrite();
        Script(_random, transaction, _state);
        if (_random.Next(2) == 0)
        {
            transaction.WriteDirectRuns();
        }
    }

    private void ToggleSnapshot()
    {
        if (_snapshots.Count > 0)
        {
            EndSnapshots(check: true);
            return;
        }

        WaitForAll();
        _snapshots.Add((Storage.BeginRead(), _state));
    }

    private void EndSnapshots(bool check)
    {
        foreach ((ReadTransaction transaction, ModelState state) in _snapshots)
        {
            using (transaction)
            {
                if (check)
                {
                    StorageContents.RequireEqual(transaction, state);
                }
            }
        }

        _snapshots.Clear();
    }

    private void Reopen()
    {
        Close();
        Open();
    }
}
