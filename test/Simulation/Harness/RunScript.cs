using System.Globalization;
using System.Text;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Simulation.Harness;

/// <summary>Random operations of one transaction on few keys whose values are runs of a few pages, most of them direct: pages are freed and used
/// again all the time, in all combinations of ordinary and direct runs.</summary>
internal static class RunScript
{
    private const int Keys = 9;
    private const int OperationsMax = 5;
    private const int PagesMax = 5;
    private const string Marker = "~transaction";

    /// <summary>Runs on a transaction and returns the model's state after it.</summary>
    public static ModelState Run(Random random, WriteTransaction transaction, ModelState state)
    {
        BTree tree = transaction.Trees.CreateTree(StorageContents.NameOf(0));
        int operations = 1 + random.Next(OperationsMax);
        for (int i = 0; i < operations; i++)
        {
            state = Change(random, transaction, tree, state, (transaction.TransactionId * 100) + i);
        }

        // Each transaction changes something, so that it has an id and a journal entry.
        return Put(tree, state, Marker, new ModelValue(transaction.TransactionId, 16));
    }

    private static ModelState Change(Random random, WriteTransaction transaction, BTree tree, ModelState state, long seed)
    {
        string key = random.Next(Keys).ToString("D2", CultureInfo.InvariantCulture);
        byte[] keyBytes = Encoding.ASCII.GetBytes(key);
        var value = new ModelValue(seed, random.Next(BTree.InlineValueBytesMax + 1, PagesMax * Page.Size));
        switch (random.Next(20))
        {
            case < 9:
                value.ToBytes().CopyTo(tree.ReserveDirectRun(keyBytes, value.Length, out _));
                if (random.Next(4) == 0)
                {
                    transaction.WriteDirectRuns();
                }

                return state.With(0, state[0].SetItem(key, value));
            case < 13:
                return Put(tree, state, key, value);
            case < 14:
                return Put(tree, state, key, value with { Length = random.Next(100) });
            case < 18:
                Require(tree.Delete(keyBytes) == state[0].ContainsKey(key));
                return state.With(0, state[0].Remove(key));
            case < 19:
                PrefixDeletion deleted = tree.DeletePrefix(keyBytes.AsSpan(0, 1), 1 + random.Next(40_000));
                return state.With(0, state[0].RemoveRange([.. state[0].Keys.Where(other => other[0] == key[0]).Take((int)deleted.Entries)]));
            default:
                tree.Clear();
                return state.With(0, state[0].Clear());
        }
    }

    private static ModelState Put(BTree tree, ModelState state, string key, ModelValue value)
    {
        tree.Put(Encoding.ASCII.GetBytes(key), value.ToBytes());
        return state.With(0, state[0].SetItem(key, value));
    }

    private static void Require(bool asExpected)
    {
        if (!asExpected)
        {
            throw new SimulationViolationException("a write transaction saw another state than the one before it left");
        }
    }
}
