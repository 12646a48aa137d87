using System.Diagnostics;
using System.Globalization;
using System.Text;
using Jackdaw.Pal.Native;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Bench.Engine;

/// <summary>A bulk load into a data file that is allocated ahead, and into one that grows as it must, in turns.</summary>
internal static class AheadBench
{
    private const int Values = 500_000;
    private const int ValueBytes = 1024;
    private const int ValuesPerTransaction = 2_000;
    private const int Rounds = 4;

    public static void Run(string folder)
    {
        for (int round = 1; round <= Rounds; round++)
        {
            // Whoever comes second finds a warmer machine: they take turns in that too.
            bool first = round % 2 == 0;
            Load(folder, round, ahead: first);
            Load(folder, round, ahead: !first);
        }
    }

    private static void Load(string folder, int round, bool ahead)
    {
        string own = Path.Combine(folder, ahead ? "ahead" : "grown");
        Directory.CreateDirectory(own);
        var device = BlockDevice.Of(own);
        byte[] value = new byte[ValueBytes];
        new Random(42).NextBytes(value);
        using (StorageEnvironment storage = StorageEnvironment.Open(new NativePlatform(), own))
        {
            (long writes, long bytes) = device.Read();
            List<float> latencies = [];
            long started = Stopwatch.GetTimestamp();
            if (ahead)
            {
                storage.AllocateAhead((long)Values * (ValueBytes + 200));
            }

            for (int first = 0; first < Values; first += ValuesPerTransaction)
            {
                long before = Stopwatch.GetTimestamp();
                using WriteTransaction transaction = storage.BeginWrite();
                BTree tree = transaction.Trees.CreateTree("docs"u8);
                for (int i = first; i < first + ValuesPerTransaction; i++)
                {
                    tree.Put(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"orders/{i:D9}")), value);
                }

                transaction.Commit();
                latencies.Add((float)Stopwatch.GetElapsedTime(before).TotalMicroseconds);
            }

            storage.Flush();
            storage.Sync();
            double seconds = Stopwatch.GetElapsedTime(started).TotalSeconds;
            (long writesAfter, long bytesAfter) = device.Read();
            string name = $"load-{(ahead ? "ahead" : "grown")}-{round}";
            Figures.Print(name, "rate", Values / seconds, "values/s");
            Figures.Print(name, "device_writes", writesAfter - writes, "writes");
            Figures.Print(name, "device_MB", (bytesAfter - bytes) / 1048576.0, "MB");
            Figures.PrintLatencies(name, latencies);
        }

        Directory.Delete(own, recursive: true);
    }
}
