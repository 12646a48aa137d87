using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using Jackdaw.Pal.Native;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Bench.Engine;

/// <summary>Many durable transactions of a hundred small values each.</summary>
internal static class SeedBench
{
    private const int ValuesPerTransaction = 100;
    private const int ValueBytes = 128;
    private const int WarmUpTransactions = 1500;

    public static void Run(string folder, bool sequential)
    {
        string? wanted = Environment.GetEnvironmentVariable("TX");
        int transactions = wanted is null ? 10_000 : int.Parse(wanted, CultureInfo.InvariantCulture);
        WarmUp(folder, sequential);
        string name = sequential ? "jackdaw-seed-seq" : "jackdaw-seed-rnd";
        using StorageEnvironment storage = StorageEnvironment.Open(new NativePlatform(), folder);
        storage.FillJournalPool(4);
        List<float> latencies = new(transactions);
        long writeBytes = Figures.ReadWriteBytes();
        long sectors = Figures.ReadDeviceSectors();
        long started = Stopwatch.GetTimestamp();
        for (int i = 0; i < transactions; i++)
        {
            (byte[] Key, byte[] Value)[] values = Make(i, sequential);
            long before = Stopwatch.GetTimestamp();
            Commit(storage, values);
            latencies.Add((float)Stopwatch.GetElapsedTime(before).TotalMicroseconds);
        }

        double seconds = Stopwatch.GetElapsedTime(started).TotalSeconds;
        storage.Flush();
        storage.Sync();
        double secondsFlushed = Stopwatch.GetElapsedTime(started).TotalSeconds;
        Figures.Print(name, "tx_rate", transactions / seconds, "tx/s");
        Figures.Print(name, "tx_rate_flushed", transactions / secondsFlushed, "tx/s");
        Figures.Print(name, "write_bytes_per_tx", (double)(Figures.ReadWriteBytes() - writeBytes) / transactions, "bytes");
        Figures.Print(name, "device_bytes_per_tx", (Figures.ReadDeviceSectors() - sectors) * 512.0 / transactions, "bytes");
        Figures.PrintLatencies(name, latencies);
        PrintCosts(name, storage, transactions);
    }

    /// <summary>Compiled code first: a run of seconds would measure the compiler in its first fifth.</summary>
    private static void WarmUp(string folder, bool sequential)
    {
        string own = folder + "-warm";
        using (StorageEnvironment storage = StorageEnvironment.Open(new NativePlatform(), own))
        {
            for (int i = 0; i < WarmUpTransactions; i++)
            {
                Commit(storage, Make(i, sequential));
            }
        }

        Directory.Delete(own, recursive: true);
    }

    private static void Commit(StorageEnvironment storage, (byte[] Key, byte[] Value)[] values)
    {
        using WriteTransaction transaction = storage.BeginWrite();
        BTree tree = transaction.Trees.CreateTree("seed"u8);
        foreach ((byte[] key, byte[] value) in values)
        {
            tree.Put(key, value);
        }

        transaction.Commit();
    }

    private static void PrintCosts(string name, StorageEnvironment storage, int transactions)
    {
        CommitCosts costs = storage.Statistics.Sum;
        Figures.Print(name, "pages_per_tx", (double)costs.Pages / transactions, "pages");
        Figures.Print(name, "journal_raw_per_tx", (double)costs.RawBytes / transactions, "bytes");
        Figures.Print(name, "journal_stored_per_tx", (double)costs.StoredBytes / transactions, "bytes");
        Figures.Print(name, "prepare_per_tx", (double)costs.PrepareMicroseconds / transactions, "us");
        Figures.Print(name, "write_per_tx", (double)costs.WriteMicroseconds / transactions, "us");
        Figures.Print(name, "flushed_bytes_per_tx", (double)storage.FlushTotal.Bytes / transactions, "bytes");
    }

    private static (byte[] Key, byte[] Value)[] Make(int transaction, bool sequential)
    {
        var values = new (byte[] Key, byte[] Value)[ValuesPerTransaction];
        for (int i = 0; i < values.Length; i++)
        {
            ulong number = ((ulong)transaction * ValuesPerTransaction) + (ulong)i;
            ulong key = sequential ? number : Figures.Mix(number);
            byte[] value = new byte[ValueBytes];
            Span<ulong> words = MemoryMarshal.Cast<byte, ulong>(value.AsSpan());
            for (int j = 0; j < words.Length; j++)
            {
                words[j] = Figures.Mix((number * 16) + (ulong)j);
            }

            byte[] text = new byte[16];
            key.TryFormat(text, out _, "x16", CultureInfo.InvariantCulture);
            values[i] = (text, value);
        }

        return values;
    }
}
