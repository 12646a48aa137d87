using Jackdaw.Pal;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Storage.Tests.Model;

/// <summary>Runs a script against a storage and against ordered maps; the first difference is an exception.</summary>
/// <remarks>All steps run on one thread. What a step needs and does not find (a reader, a running transaction) is made
/// or passed over, so that any part of a script can be run.</remarks>
internal sealed partial class ModelRun : IDisposable
{
    private const int ReadersMax = 6;

    private readonly ModelSettings _settings;
    private readonly IPlatform _platform;
    private readonly string _path;
    private readonly StorageOptions _options;
    private readonly CommitVerifier? _verifier;
    private readonly Dictionary<long, ModelState> _history = new() { [0] = ModelState.Empty };
    private readonly List<PendingCommit> _pending = [];
    private readonly List<(ReadTransaction Transaction, ModelState State)> _readers = [];
    private readonly StorageEnvironment? _root;
    private StorageEnvironment _storage;
    private WriteTransaction? _transaction;
    private Table? _table;
    private ModelState _submitted = ModelState.Empty;
    private ModelState _working = ModelState.Empty;

    public ModelRun(ModelSettings settings)
    {
        _settings = settings;
        _platform = settings.CreatePlatform();
        _path = Path.Combine(Path.GetTempPath(), $"jackdaw-model-{settings.Seed}-{Guid.NewGuid():N}");
        _verifier = settings.VerifiesCommits ? new CommitVerifier(ModelTable.Schema) : null;
        _options = settings.CreateOptions() with { CommitObserver = _verifier };
        _root = settings.IsBranch ? StorageEnvironment.Open(_platform, _path, _options with { CommitObserver = null }) : null;
        _storage = Open();
        _verifier?.Watch(_storage);
    }

    /// <summary>Commits after which the whole storage was verified.</summary>
    public long VerifiedCommits => _verifier?.Verified ?? 0;

    /// <summary>The step under way, for messages.</summary>
    public int Position { get; private set; }

    public void Run(IReadOnlyList<ModelStep> script)
    {
        for (Position = 0; Position < script.Count; Position++)
        {
            Do(script[Position]);
        }

        Reopen();
        VerifyAll();
    }

    public void Dispose()
    {
        RollBack();
        CloseReaders();
        _storage.Dispose();
        _root?.Dispose();
        _platform.DeleteDirectory(_path);
    }

    private StorageEnvironment Open() => _root is null
        ? StorageEnvironment.Open(_platform, _path, _options)
        : StorageEnvironment.OpenBranch(_root, _path + "/Indexes/1", _options);

    private void Do(in ModelStep step)
    {
        switch (step.Kind)
        {
            case StepKind.Put or StepKind.PutDirect or StepKind.Delete or StepKind.DeletePrefix or StepKind.DropTree or StepKind.PutRow
                or StepKind.DeleteRow:
                Change(step);
                break;
            case StepKind.Get or StepKind.Range or StepKind.GetRow:
                Look(step);
                break;
            case StepKind.Commit:
                Submit()?.Wait();
                break;
            case StepKind.Submit:
                Submit();
                break;
            case StepKind.WriteDirect:
                _transaction?.WriteDirectRuns();
                break;
            case StepKind.Rollback:
                RollBack();
                break;
            case StepKind.OpenReader or StepKind.CheckReader or StepKind.CloseReader:
                UseReader(step);
                break;
            default:
                Maintain(step.Kind);
                break;
        }
    }

    private void Maintain(StepKind kind)
    {
        switch (kind)
        {
            case StepKind.Flush:
                _storage.Flush();
                break;
            case StepKind.Sync:
                _storage.Sync();
                break;
            case StepKind.Punch:
                _storage.PunchHoles();
                break;
            case StepKind.Settle:
                Settle();
                break;
            case StepKind.Verify:
                VerifyAll();
                break;
            case StepKind.Reopen:
                Reopen();
                break;
            default:
                Abandon();
                break;
        }
    }

    private void Change(in ModelStep step)
    {
        WriteTransaction transaction = GetTransaction();
        int tree = step.Target % ModelState.TreeCount;
        var value = new ModelValue(step.Seed, step.Length);
        switch (step.Kind)
        {
            case StepKind.PutDirect when step.Length > BTree.InlineValueBytesMax:
                BTree direct = transaction.Trees.CreateTree(ModelState.TreeName(tree));
                value.Bytes().CopyTo(direct.ReserveDirectRun(ModelState.KeyBytes(tree, step.Key), value.Length, out _));
                _working = _working.Put(tree, step.Key, value);
                break;
            case StepKind.DeletePrefix:
                DeletePrefix(transaction, tree, step);
                break;
            case StepKind.Put or StepKind.PutDirect:
                BTree put = transaction.Trees.CreateTree(ModelState.TreeName(tree));
                put.Put(ModelState.KeyBytes(tree, step.Key), value.Bytes());
                _working = _working.Put(tree, step.Key, value);
                break;
            case StepKind.Delete:
                bool isThere = _working.Trees[tree].ContainsKey(step.Key);
                BTree? from = transaction.Trees.FindTree(ModelState.TreeName(tree));
                Assert.Equal(isThere, from?.Delete(ModelState.KeyBytes(tree, step.Key)) ?? false);
                _working = _working.Delete(tree, step.Key);
                break;
            case StepKind.DropTree:
                transaction.Trees.DeleteTree(ModelState.TreeName(tree));
                _working = _working.Drop(tree);
                break;
            case StepKind.PutRow:
                var row = new ModelRow(_working.LastEtag + 1, step.Target % ModelTable.CollectionCount, value);
                ModelTable.Put(GetTable(), step.Key, row);
                _working = _working.PutRow(step.Key, row);
                break;
            default:
                Assert.Equal(_working.Rows.ContainsKey(step.Key), ModelTable.Delete(GetTable(), step.Key));
                _working = _working.DeleteRow(step.Key);
                break;
        }
    }

    private void DeletePrefix(WriteTransaction transaction, int tree, in ModelStep step)
    {
        byte[] key = ModelState.KeyBytes(tree, step.Key);
        byte[] prefix = key[..Math.Min(key.Length, (tree == 1 ? 60 : 0) + 2 + (step.Seed % 3))];
        int[] alike = [.. _working.Trees[tree].Keys.Where(other => ModelState.KeyBytes(tree, other).AsSpan().StartsWith(prefix))];
        PrefixDeletion deleted = transaction.Trees.FindTree(ModelState.TreeName(tree))?.DeletePrefix(prefix, step.Length + 1) ?? new(0, 0, true);
        Assert.Equal(deleted.IsDone, deleted.Entries == alike.Length);
        Assert.InRange(deleted.Entries, Math.Min(1, alike.Length), alike.Length);
        foreach (int gone in alike.Take((int)deleted.Entries))
        {
            _working = _working.Delete(tree, gone);
        }
    }

    private void Look(in ModelStep step)
    {
        WriteTransaction transaction = GetTransaction();
        int tree = step.Target % ModelState.TreeCount;
        if (step.Kind == StepKind.GetRow)
        {
            ModelTable.CheckGet(GetTable(), step.Key, _working);
        }
        else if (step.Kind == StepKind.Get)
        {
            CheckGet(transaction.Trees, tree, step.Key, _working);
        }
        else
        {
            CheckRange(transaction.Trees, tree, step.Key, step.Length % 60, _working);
        }
    }

    private WriteTransaction GetTransaction() => _transaction ??= _storage.BeginWrite();

    private Table GetTable()
    {
        WriteTransaction transaction = GetTransaction();
        return _table ??= ModelTable.Open(transaction, transaction.Trees);
    }

    private PendingCommit? Submit()
    {
        if (_transaction is not { } transaction)
        {
            return null;
        }

        PendingCommit commit = transaction.Submit();
        bool isNothing = _working.IsSameAs(_submitted) && commit.TransactionId == transaction.TransactionId - 1;
        Assert.True(isNothing || commit.TransactionId == transaction.TransactionId);
        _transaction = null;
        _table = null;
        _submitted = _working;
        _history[commit.TransactionId] = _submitted;
        _history.Remove(commit.TransactionId - 10);
        _pending.RemoveAll(pending => pending.IsCompleted && pending.Failure is null);
        _pending.Add(commit);
        return commit;
    }

    private void RollBack()
    {
        _transaction?.Dispose();
        _transaction = null;
        _table = null;
        _working = _submitted;
    }

    private void UseReader(in ModelStep step)
    {
        if (step.Kind == StepKind.OpenReader)
        {
            if (_readers.Count < ReadersMax)
            {
                ReadTransaction opened = _storage.BeginRead();
                _readers.Add((opened, _history[opened.TransactionId]));
            }

            return;
        }

        if (_readers.Count == 0)
        {
            return;
        }

        int index = step.Target % _readers.Count;
        (ReadTransaction transaction, ModelState state) = _readers[index];
        CheckSome(transaction, state, step);
        if (step.Kind == StepKind.CloseReader)
        {
            CheckTree(transaction.Trees, step.Key % ModelState.TreeCount, state);
            transaction.Dispose();
            _readers.RemoveAt(index);
        }
    }

    private void CloseReaders()
    {
        _readers.ForEach(reader => reader.Transaction.Dispose());
        _readers.Clear();
    }
}
