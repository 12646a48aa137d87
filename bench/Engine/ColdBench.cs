using System.Diagnostics;
using System.Globalization;
using System.Text;
using Jackdaw.Pal.Native;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Bench.Engine;

/// <summary>Reads of a storage that is not in memory. The script that calls it drops the file from the cache before each mode (bench/run-cold.sh).</summary>
internal static class ColdBench
{
    private const int Count = 1_000_000;
    private const int ValueBytes = 1024;
    private const int Gets = 500;
    private const int RangeEntries = 200;
    private const int Changes = 20_000;

    public static void Run(string mode, string folder)
    {
        if (mode == "cold-load")
        {
            Load(folder);
            return;
        }

        long started = Stopwatch.GetTimestamp();
        using StorageEnvironment storage = StorageEnvironment.Open(new NativePlatform(), folder, new() { BackgroundFlush = mode != "cold-change" });
        Figures.Print(mode, "open", Stopwatch.GetElapsedTime(started).TotalMilliseconds, "ms");
        started = Stopwatch.GetTimestamp();
        switch (mode)
        {
            case "cold-change":
                Change(storage);
                Environment.Exit(0); // as a crash: the journals have what the data file does not
                break;
            case "cold-get":
                Read(storage, Gets, 1);
                break;
            case "cold-range":
                Read(storage, Gets / 10, RangeEntries);
                break;
            case "cold-scan":
                Read(storage, 1, Count);
                break;
            case "cold-verify" when EnvironmentVerifier.Verify(storage).Count > 0:
                throw new InvalidOperationException("The storage is damaged.");
        }

        Figures.Print(mode, "time", Stopwatch.GetElapsedTime(started).TotalMilliseconds, "ms");
        Figures.Print(mode, "read", BytesRead() / 1e6, "MB");
    }

    private static void Load(string folder)
    {
        using StorageEnvironment storage = StorageEnvironment.Open(new NativePlatform(), folder);
        byte[] value = new byte[ValueBytes];
        new Random(42).NextBytes(value);
        for (int first = 0; first < Count; first += 10_000)
        {
            using WriteTransaction transaction = storage.BeginWrite();
            BTree tree = transaction.Trees.CreateTree("docs"u8);
            for (int i = first; i < first + 10_000; i++)
            {
                tree.Put(KeyOf(i), value);
            }

            transaction.Commit();
        }
    }

    private static void Change(StorageEnvironment storage)
    {
        byte[] value = new byte[ValueBytes];
        for (int i = 0; i < Changes; i += 1_000)
        {
            using WriteTransaction transaction = storage.BeginWrite();
            for (int j = i; j < i + 1_000; j++)
            {
                transaction.Trees.CreateTree("docs"u8).Put(KeyOf((int)(Figures.Mix((ulong)j) % Count)), value);
            }

            transaction.Commit();
        }
    }

    private static void Read(StorageEnvironment storage, int reads, int entries)
    {
        byte[] copy = new byte[2048];
        for (int i = 0; i < reads; i++)
        {
            using ReadTransaction transaction = storage.BeginRead();
            using BTreeCursor cursor = transaction.Trees.FindTree("docs"u8)!.OpenCursor();
            bool on = entries == Count ? cursor.SeekFirst() : cursor.Seek(KeyOf((int)(Figures.Mix((ulong)i) % Count)));
            for (int j = 0; on && j < entries; j++, on = j < entries && cursor.MoveNext())
            {
                cursor.Value.CopyTo(copy);
            }
        }
    }

    private static byte[] KeyOf(int number) => Encoding.ASCII.GetBytes("orders/" + number.ToString("D7", CultureInfo.InvariantCulture));

    private static long BytesRead() =>
        long.Parse(
            File.ReadLines("/proc/self/io").First(line => line.StartsWith("read_bytes: ", StringComparison.Ordinal))[12..], CultureInfo.InvariantCulture);
}
