using System.Diagnostics;
using System.Globalization;
using System.Text;
using Jackdaw.Pal.Native;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Bench.Engine;

/// <summary>Point reads, each in a snapshot of its own, over a million values of 1 KB.</summary>
internal static class ReadBench
{
    private const int Count = 1_000_000;
    private const int ValueBytes = 1024;

    public static void Run(string folder)
    {
        using StorageEnvironment storage = StorageEnvironment.Open(new NativePlatform(), folder);
        long started = Stopwatch.GetTimestamp();
        Load(storage);
        storage.Flush();
        storage.Sync();
        Figures.Print("jackdaw-bulkload-1M", "rate", Count / Stopwatch.GetElapsedTime(started).TotalSeconds, "docs/s");
        for (int repetition = 0; repetition < 3; repetition++)
        {
            foreach (int threads in (int[])[1, 2])
            {
                Read(storage, threads, (ulong)repetition);
            }
        }
    }

    private static void Load(StorageEnvironment storage)
    {
        byte[] value = new byte[ValueBytes];
        new Random(42).NextBytes(value);
        for (int first = 1; first <= Count; first += 10_000)
        {
            using WriteTransaction transaction = storage.BeginWrite();
            BTree tree = transaction.Trees.CreateTree("docs"u8);
            for (int i = first; i < first + 10_000; i++)
            {
                tree.Put(Encoding.ASCII.GetBytes("orders/" + i.ToString(CultureInfo.InvariantCulture)), value);
            }

            transaction.Commit();
        }
    }

    private static void Read(StorageEnvironment storage, int threadCount, ulong repetition)
    {
        long[] counts = new long[threadCount];
        List<float>[] latencies = new List<float>[threadCount];
        var threads = new Thread[threadCount];
        long started = Stopwatch.GetTimestamp();
        for (int i = 0; i < threadCount; i++)
        {
            int index = i;
            threads[i] = new Thread(() => (counts[index], latencies[index]) = ReadLoop(storage, ((repetition * 64) + (ulong)index + 1) << 32));
            threads[i].Start();
        }

        foreach (Thread thread in threads)
        {
            thread.Join();
        }

        double seconds = Stopwatch.GetElapsedTime(started).TotalSeconds;
        string name = $"jackdaw-read-t{threadCount}";
        Figures.Print(name, "rate", counts.Sum() / seconds, "ops/s");
        Figures.PrintLatencies(name, latencies[0]);
    }

    private static (long Count, List<float> Latencies) ReadLoop(StorageEnvironment storage, ulong seed)
    {
        List<float> latencies = new(4_000_000);
        byte[] copy = new byte[2048];
        Span<byte> key = stackalloc byte[32];
        "orders/"u8.CopyTo(key);
        long started = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(started).TotalSeconds < 3)
        {
            for (int i = 0; i < 64; i++)
            {
                (1 + (Figures.Mix(seed++) % Count)).TryFormat(key[7..], out int digits, default, CultureInfo.InvariantCulture);
                long before = Stopwatch.GetTimestamp();
                using (ReadTransaction transaction = storage.BeginRead())
                {
                    transaction.Trees.FindTree("docs"u8)!.TryGet(key[..(7 + digits)], out ReadOnlySpan<byte> value);
                    value.CopyTo(copy);
                    if (value.Length != ValueBytes)
                    {
                        throw new InvalidOperationException("A value is missing.");
                    }
                }

                latencies.Add((float)Stopwatch.GetElapsedTime(before).TotalMicroseconds);
            }
        }

        return (latencies.Count, latencies);
    }
}
