using System.Collections.Immutable;
using System.Globalization;
using System.Text;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Simulation.Harness;

/// <summary>Random operations of one transaction, made on the storage and on the model alike.</summary>
internal sealed class TransactionScript(Random random)
{
    /// <summary>Keys per collection: few, so that most operations replace or delete and pages are used again.</summary>
    private const int KeyCount = 48;

    private const int OperationsMax = 10;
    private const int MarkerLength = 16;
    private const string Marker = "~transaction";

    /// <summary>Runs on a transaction and returns the model's state after it.</summary>
    public ModelState Run(WriteTransaction transaction, ModelState state)
    {
        long id = transaction.TransactionId;
        var table = new Table(transaction, transaction.Trees, StorageContents.Schema);
        int operations = 1 + random.Next(OperationsMax);
        for (int i = 0; i < operations; i++)
        {
            int collection = random.Next(ModelState.CollectionCount);
            long seed = (id * 100) + i;
            state = collection switch
            {
                ModelState.TableIndex => ChangeTable(table, state, seed),
                ModelState.ColumnIndex => new ColumnScript(random).Run(transaction, state, seed),
                _ => ChangeTree(transaction, state, collection, seed),
            };
        }

        // Each transaction changes something, so that it has an id and a journal entry.
        return PutInTree(transaction, state, 0, Marker, new ModelValue(id, MarkerLength));
    }

    private ModelState ChangeTree(WriteTransaction transaction, ModelState state, int collection, long seed)
    {
        string key = RandomKey();
        switch (random.Next(100))
        {
            case < 62:
                var value = new ModelValue(seed, RandomLength());
                bool isDirect = value.Length > BTree.InlineValueBytesMax && random.Next(3) != 0;
                return isDirect ? PutDirect(transaction, state, collection, key, value) : PutInTree(transaction, state, collection, key, value);
            case < 66:
                return DeletePrefix(transaction, state, collection, key[..random.Next(1, 4)], 1 + random.Next(60_000));
            case < 96:
                bool deleted = transaction.Trees.CreateTree(StorageContents.NameOf(collection)).Delete(Encoding.ASCII.GetBytes(key));
                Require(deleted == state[collection].ContainsKey(key));
                return state.With(collection, state[collection].Remove(key));
            case < 98:
                transaction.Trees.CreateTree(StorageContents.NameOf(collection)).Clear();
                return state.With(collection, state[collection].Clear());
            default:
                transaction.Trees.DeleteTree(StorageContents.NameOf(collection));
                return state.With(collection, state[collection].Clear());
        }
    }

    /// <summary>The run goes to the data file and not to the journal; sometimes at once, so that it may be freed or changed afterwards.</summary>
    private ModelState PutDirect(WriteTransaction transaction, ModelState state, int collection, string key, ModelValue value)
    {
        BTree tree = transaction.Trees.CreateTree(StorageContents.NameOf(collection));
        value.ToBytes().CopyTo(tree.ReserveDirectRun(Encoding.ASCII.GetBytes(key), value.Length, out _));
        if (random.Next(3) == 0)
        {
            transaction.WriteDirectRuns();
        }

        return state.With(collection, state[collection].SetItem(key, value));
    }

    private static ModelState DeletePrefix(WriteTransaction transaction, ModelState state, int collection, string prefix, long bytesMax)
    {
        PrefixDeletion deleted = transaction.Trees.CreateTree(StorageContents.NameOf(collection)).DeletePrefix(Encoding.ASCII.GetBytes(prefix), bytesMax);
        string[] alike = [.. state[collection].Keys.Where(key => key.StartsWith(prefix, StringComparison.Ordinal))];
        Require(deleted.Entries <= alike.Length && deleted.IsDone == (deleted.Entries == alike.Length));
        return state.With(collection, state[collection].RemoveRange(alike.Take((int)deleted.Entries)));
    }

    private ModelState ChangeTable(Table table, ModelState state, long seed)
    {
        string key = RandomKey();
        byte[] keyBytes = Encoding.ASCII.GetBytes(key);
        ImmutableSortedDictionary<string, ModelValue> rows = state[ModelState.TableIndex];
        if (random.Next(3) == 0)
        {
            Require(table.DeleteByKey(keyBytes) == rows.ContainsKey(key));
            return state.With(ModelState.TableIndex, rows.Remove(key));
        }

        var value = new ModelValue(seed, RandomLength());
        using var builder = new TableRowBuilder(StorageContents.Schema);
        builder.AddInt64(value.Seed).Add(keyBytes).Add(value.ToBytes());
        table.Upsert(builder.Finish().Span);
        return state.With(ModelState.TableIndex, rows.SetItem(key, value));
    }

    private static ModelState PutInTree(WriteTransaction transaction, ModelState state, int collection, string key, ModelValue value)
    {
        BTree tree = transaction.Trees.CreateTree(StorageContents.NameOf(collection));
        tree.Put(Encoding.ASCII.GetBytes(key), value.ToBytes());
        return state.With(collection, state[collection].SetItem(key, value));
    }

    private string RandomKey()
    {
        int number = random.Next(KeyCount);
        return string.Create(CultureInfo.InvariantCulture, $"{number:D3}{new string('k', number)}");
    }

    /// <summary>Mostly small, some as large as fits a leaf, a few in overflow runs of up to five pages.</summary>
    private int RandomLength() => random.Next(20) switch
    {
        < 12 => random.Next(120),
        < 17 => random.Next(1500),
        _ => 2001 + random.Next(36_000),
    };

    private static void Require(bool asExpected)
    {
        if (!asExpected)
        {
            throw new SimulationViolationException("a write transaction saw another state than the one before it left");
        }
    }
}
