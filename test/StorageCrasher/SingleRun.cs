using Jackdaw.Pal;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Merging;

namespace Jackdaw.StorageCrasher;

/// <summary>One storage under several writers, for ever.</summary>
internal static class SingleRun
{
    public static async Task RunAsync(IPlatform platform, string path, Report report)
    {
        report.Write("opening");
        using StorageEnvironment storage = StorageEnvironment.Open(platform, path, CrasherFormat.Options());
        using var merger = new TransactionMerger(storage, "crasher", TimeProvider.System);
        report.Write("ready");
        await Task.WhenAll(Enumerable.Range(0, CrasherFormat.WriterCount).Select(number => Task.Run(() =>
            new Writer(storage, number, CrasherFormat.KeptRecords, report).RunAsync(merger, CancellationToken.None))))
            .ConfigureAwait(false);
    }
}
