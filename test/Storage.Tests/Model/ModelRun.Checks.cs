using Jackdaw.Pal;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Storage.Tests.Model;

/// <content>Comparing, verifying, closing and opening again.</content>
internal sealed partial class ModelRun
{
    private const int GetsPerCheck = 10;

    private static readonly TimeSpan s_forkPatience = TimeSpan.FromSeconds(5);

    /// <summary>The current journal, the next one, those behind the older copy of the header, and prepared ones that were too
    /// small for the bound of an entry: at most one per doubling.</summary>
    private const int JournalsMax = 10;

    private static void CheckGet(TreeCatalog trees, int tree, int key, ModelState expected)
    {
        BTree? found = trees.FindTree(ModelState.TreeName(tree));
        bool isExpected = expected.Trees[tree].TryGetValue(key, out ModelValue value);
        ReadOnlySpan<byte> bytes = default;
        bool isFound = found is not null && found.TryGet(ModelState.KeyBytes(tree, key), out bytes);
        Assert.True(isExpected == isFound, $"tree {tree} key {key}: expected {isExpected}, found {isFound}");
        Assert.True(!isFound || bytes.SequenceEqual(value.Bytes()), $"tree {tree} key {key}: another value");
    }

    private static void CheckRange(TreeCatalog trees, int tree, int from, int count, ModelState expected)
    {
        IEnumerable<KeyValuePair<int, ModelValue>> wanted =
            expected.Trees[tree].SkipWhile(entry => entry.Key < from).Take(count);
        if (trees.FindTree(ModelState.TreeName(tree)) is not { } found)
        {
            Assert.Empty(wanted);
            return;
        }

        using BTreeCursor cursor = found.OpenCursor();
        bool more = cursor.Seek(ModelState.KeyBytes(tree, from));
        foreach ((int key, ModelValue value) in wanted)
        {
            Assert.True(more, $"tree {tree}: no key {key}");
            CheckEntry(cursor, tree, key, value);
            more = cursor.MoveNext();
        }
    }

    private static void CheckTree(TreeCatalog trees, int tree, ModelState expected)
    {
        if (trees.FindTree(ModelState.TreeName(tree)) is not { } found)
        {
            Assert.Empty(expected.Trees[tree]);
            return;
        }

        Assert.Equal(expected.Trees[tree].Count, found.EntryCount);
        using BTreeCursor cursor = found.OpenCursor();
        bool more = cursor.SeekFirst();
        foreach ((int key, ModelValue value) in expected.Trees[tree])
        {
            Assert.True(more, $"tree {tree}: no key {key}");
            CheckEntry(cursor, tree, key, value);
            more = cursor.MoveNext();
        }

        Assert.False(more);
    }

    private static void CheckEntry(BTreeCursor cursor, int tree, int key, ModelValue value)
    {
        Assert.True(cursor.Key.SequenceEqual(ModelState.KeyBytes(tree, key)), $"tree {tree}: key {key} is not next");
        Assert.True(cursor.Value.SequenceEqual(value.Bytes()), $"tree {tree} key {key}: another value");
    }

    private static void CheckSome(ReadTransaction transaction, ModelState state, in ModelStep step)
    {
        int tree = step.Seed % ModelState.TreeCount;
        CheckRange(transaction.Trees, tree, step.Key, 20, state);
        for (int i = 0; i < GetsPerCheck; i++)
        {
            int key = (step.Key + (i * 131)) % ModelScript.KeyCount;
            CheckGet(transaction.Trees, (tree + i) % ModelState.TreeCount, key, state);
            ModelTable.CheckGet(ModelTable.Open(transaction, transaction.Trees), key, state);
        }
    }

    /// <summary>Everything of the last published transaction, by the verifier and by comparison.</summary>
    private void VerifyAll()
    {
        _pending.ForEach(commit => commit.Wait());
        Assert.Empty(EnvironmentVerifier.Verify(_storage, ModelTable.Schema));
        using ReadTransaction transaction = _storage.BeginRead();
        ModelState expected = _history[transaction.TransactionId];
        Assert.Same(_submitted, expected);
        for (int tree = 0; tree < ModelState.TreeCount; tree++)
        {
            CheckTree(transaction.Trees, tree, expected);
        }

        ModelTable.CheckAll(ModelTable.Open(transaction, transaction.Trees), expected);
    }

    /// <summary>Ends all that runs; then nothing may be left in scratch, and no journal that is not needed.</summary>
    private void Settle()
    {
        RollBack();
        CloseReaders();
        _pending.ForEach(commit => commit.Wait());
        _storage.Flush();
        _storage.Sync();
        if (!_settings.HasBackground)
        {
            Assert.Equal(0, _storage.Readers.CountActive());
            Assert.Equal(0, _storage.Table.Count);
            Assert.Equal(0, _storage.Scratch.RentedBytes);
            Assert.InRange(_storage.Journals.FileCount, 0, JournalsMax);
        }
    }

    private void Reopen()
    {
        RollBack();
        CloseReaders();
        _storage.Dispose();
        _pending.ForEach(commit => commit.Wait());
        _storage = OpenAgain();
        Assert.Empty(_storage.Warnings);
        GoOnWith(_submitted);
        VerifyAll();
    }

    /// <summary>As if the process had ended: what was answered must be there, what was only submitted may be.</summary>
    private void Abandon()
    {
        RollBack();
        CloseReaders();
        _storage.Abandon();
        long answered = _pending.Where(commit => commit.IsCompleted && commit.Failure is null)
            .Select(commit => commit.TransactionId).DefaultIfEmpty().Max();
        _storage = OpenAgain();
        long recovered = _storage.Current.TransactionId;
        Assert.InRange(recovered, answered, _history.Keys.Max());
        GoOnWith(_history[recovered]);
        VerifyAll();
    }

    /// <summary>The tests beside this one start processes: from its fork to its exec a child holds this process's locks too.</summary>
    private StorageEnvironment OpenAgain()
    {
        StorageEnvironment? opened = null;
        PalException? locked = null;
        SpinWait.SpinUntil( // no other process says that it let a lock go
            () =>
            {
                try
                {
                    opened = Open();
                }
                catch (PalException e) when (e.Status == PalStatus.Locked)
                {
                    locked = e;
                }

                return opened is not null;
            },
            s_forkPatience);
        _verifier?.Watch(opened ?? throw locked!);
        return opened ?? throw locked!;
    }

    private void GoOnWith(ModelState state)
    {
        _pending.Clear();
        _history.Clear();
        _history[_storage.Current.TransactionId] = _submitted = _working = state;
    }
}
