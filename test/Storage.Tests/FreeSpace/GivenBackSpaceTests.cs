using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Jackdaw.Pal.Native;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Storage.Tests.FreeSpace;

/// <summary>Real files: what is deleted goes back to the file system while the storage runs, by itself.</summary>
public sealed class GivenBackSpaceTests(ITestOutputHelper output) : IDisposable
{
    private const int ValueBytes = 1000;
    private const int ValuesPerTransaction = 10_000;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(120);

    private readonly string _folder = Directory.CreateTempSubdirectory("jackdaw-space-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Delete_OfNineTenths_GivesFourFifthsOfTheSpaceBackWithoutARestart() => Run(80_000);

    [Fact]
    [Trait("Tier", "Full")]
    public void Delete_OfNineTenthsOfFiveGigabytes_GivesFourFifthsOfTheSpaceBackWithoutARestart() => Run(5_000_000);

    private void Run(int values)
    {
        using (StorageEnvironment storage = Open())
        {
            Change(storage, 0, values, (tree, key, value) => tree.Put(key, value));
            WaitForSync(storage);
            long full = ReadAllocatedBytes();
            Assert.InRange(full, (long)values * ValueBytes, long.MaxValue);

            int deleted = values / 10 * 9;
            Change(storage, 0, deleted, (tree, key, _) => Assert.True(tree.Delete(key)));
            long started = Stopwatch.GetTimestamp();
            long left = WaitUntilSmall(full / 5);
            double seconds = Stopwatch.GetElapsedTime(started).TotalSeconds;
            output.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"{full >> 20} MB, after deleting nine tenths {left >> 20} MB, {seconds:0.0} s after the last commit"));
            Assert.True(left <= full / 5, $"{left} of {full} bytes are left: {storage.HoleProblem}");
            RequireSound(storage, deleted, values);

            Change(storage, 0, deleted, (tree, key, value) => tree.Put(key, value));
            WaitForSync(storage);
            RequireSound(storage, 0, values);
        }

        using StorageEnvironment again = Open();
        RequireSound(again, 0, values);
    }

    private StorageEnvironment Open() => StorageEnvironment.Open(new NativePlatform(), _folder, new StorageOptions { IdleFlushMs = 100 });

    private static void Change(StorageEnvironment storage, int first, int end, Action<BTree, byte[], byte[]> change)
    {
        for (int next = first; next < end; next += ValuesPerTransaction)
        {
            using WriteTransaction transaction = storage.BeginWrite();
            BTree tree = transaction.Trees.CreateTree("orders");
            for (int i = next; i < Math.Min(end, next + ValuesPerTransaction); i++)
            {
                change(tree, KeyOf(i), ValueOf(i));
            }

            transaction.Commit();
        }
    }

    private static byte[] KeyOf(int number) => Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"orders/{number:D10}"));

    private static byte[] ValueOf(int number)
    {
        byte[] value = new byte[ValueBytes];
        MemoryMarshal.Cast<byte, int>(value.AsSpan()).Fill(number);
        return value;
    }

    private static void WaitForSync(StorageEnvironment storage) =>
        Eventually.IsTrue(() => storage.Figures.SyncedTransaction == storage.Current.TransactionId, patience: s_patience);

    private long WaitUntilSmall(long bytes)
    {
        using var pause = new ManualResetEventSlim();
        long started = Stopwatch.GetTimestamp();
        long left = ReadAllocatedBytes();
        while (left > bytes && Stopwatch.GetElapsedTime(started) < s_patience)
        {
            pause.Wait(50); // a look is a process of its own
            left = ReadAllocatedBytes();
        }

        return left;
    }

    /// <summary>What the file system says that the data file takes.</summary>
    private long ReadAllocatedBytes()
    {
        var du = new ProcessStartInfo("du", ["--block-size=1", Path.Combine(_folder, "data")]) { RedirectStandardOutput = true };
        using var process = Process.Start(du)!;
        string text = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return long.Parse(text.AsSpan(0, text.IndexOf('\t')), CultureInfo.InvariantCulture);
    }

    private static void RequireSound(StorageEnvironment storage, int first, int end)
    {
        Assert.Empty(EnvironmentVerifier.Verify(storage));
        using ReadTransaction read = storage.BeginRead();
        BTree tree = read.Trees.FindTree("orders")!;
        Assert.Equal(end - first, tree.EntryCount);
        for (int i = first; i < end; i++)
        {
            Assert.True(tree.TryGet(KeyOf(i), out ReadOnlySpan<byte> value) && value.SequenceEqual(ValueOf(i)), $"value {i} is wrong");
        }
    }
}
