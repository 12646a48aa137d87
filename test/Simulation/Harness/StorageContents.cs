using System.Text;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Simulation.Harness;

/// <summary>Reads and compares all that a storage holds.</summary>
internal static class StorageContents
{
    private static readonly string[] s_names = ["alpha", "beta", "gamma", "docs", "pages"];

    /// <summary>Schema of the table among the collections.</summary>
    public static TableSchema Schema { get; } = CreateSchema();

    public static TableIndex ByNumber => Schema.Indexes[1];

    public static string NameOf(int collection) => s_names[collection];

    /// <summary>Every entry of every collection equals the model's, and nothing else is there.</summary>
    public static void RequireEqual(ReadTransaction transaction, ModelState expected)
    {
        for (int i = 0; i < ModelState.TableIndex; i++)
        {
            CompareTree(transaction, i, expected);
        }

        CompareTable(transaction, expected);
        string? problem = ColumnScript.FindProblem(transaction, expected);
        Require(problem is null, ModelState.ColumnIndex, problem ?? "");
    }

    /// <summary>The verifier finds nothing.</summary>
    public static void RequireSound(StorageEnvironment storage)
    {
        IReadOnlyList<VerificationProblem> problems = EnvironmentVerifier.Verify(storage, Schema);
        if (problems.Count > 0)
        {
            throw new SimulationViolationException(
                $"the verifier found {problems.Count} problems, the first: page {problems[0].Page}: {problems[0].Reason}");
        }
    }

    private static TableSchema CreateSchema()
    {
        var schema = new TableSchema(s_names[ModelState.TableIndex],
            new TableColumn("number", sizeof(long)), new TableColumn("id"), new TableColumn("body"));
        schema.AddKeyIndex("id", 1);
        schema.AddNumberIndex("number", 0);
        return schema;
    }

    private static void CompareTree(ReadTransaction transaction, int collection, ModelState expected)
    {
        BTree? tree = transaction.Trees.FindTree(NameOf(collection));
        if (tree is null)
        {
            Require(expected[collection].Count == 0, collection, "the tree is missing");
            return;
        }

        using BTreeCursor cursor = tree.OpenCursor();
        bool on = cursor.SeekFirst();
        foreach ((string key, ModelValue value) in expected[collection])
        {
            Require(on, collection, $"'{key}' and what follows is missing");
            CompareEntry(collection, key, value, cursor.Key, cursor.Value);
            on = cursor.MoveNext();
        }

        Require(!on && tree.EntryCount == expected[collection].Count, collection, "there are more entries than written");
    }

    private static void CompareTable(ReadTransaction transaction, ModelState expected)
    {
        const int collection = ModelState.TableIndex;
        var table = new Table(transaction, transaction.Trees, Schema);
        Require(table.Count == expected[collection].Count, collection, $"{table.Count} rows, not {expected[collection].Count}");
        using TableKeyCursor cursor = table.OpenKeys(Schema.PrimaryKey!);
        bool on = cursor.SeekFirst();
        foreach ((string key, ModelValue value) in expected[collection])
        {
            Require(on, collection, $"'{key}' and what follows is missing");
            TableRow row = cursor.Row;
            Require(row.GetInt64(0) == value.Seed, collection, $"'{key}' has number {row.GetInt64(0)}, not {value.Seed}");
            CompareEntry(collection, key, value, row.GetColumn(1), row.GetColumn(2));
            bool found = table.TryGetByNumber(ByNumber, value.Seed, out TableRow same);
            Require(found && same.Id == row.Id, collection, $"'{key}' is not found by its number");
            on = cursor.MoveNext();
        }

        Require(!on, collection, "there are more rows than written");
    }

    private static void CompareEntry(
        int collection, string key, ModelValue value, ReadOnlySpan<byte> foundKey, ReadOnlySpan<byte> found)
    {
        Require(foundKey.SequenceEqual(Encoding.ASCII.GetBytes(key)), collection,
            $"'{Encoding.ASCII.GetString(foundKey)}' stands where '{key}' should");
        Require(found.SequenceEqual(value.ToBytes()), collection, $"'{key}' has other bytes than were written");
    }

    private static void Require(bool condition, int collection, string claim)
    {
        if (!condition)
        {
            throw new SimulationViolationException($"{NameOf(collection)}: {claim}");
        }
    }
}
