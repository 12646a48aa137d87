using System.Globalization;
using System.Text;
using Jackdaw.Pal.Native;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Merging;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.SelfTest;

/// <summary>The process that the crash test kills: writers that store record after record and report each when it was
/// acknowledged.</summary>
/// <remarks>A report is one write to a pipe, whose content the kernel keeps when the process is killed. So everything that was reported was acknowledged before
/// the kill. The process ends when its input does, so that it never outlives the process that started it.</remarks>
internal static class CrashWriter
{
    /// <summary>The hidden verb of the process that the crash test kills.</summary>
    public const string VerbName = "selftest-writer";

    /// <summary>Writers at once.</summary>
    public const int Writers = 4;

    /// <summary>The line before the first report.</summary>
    public const string ReadyLine = "ready";

    /// <summary>Writes until it is killed or its input ends.</summary>
    public static async Task<int> RunAsync(string folder)
    {
        using StorageEnvironment storage = StorageEnvironment.Open(new NativePlatform(), folder, SelfTestRecords.Options());
        using var merger = new TransactionMerger(storage, "selftest", TimeProvider.System);
        using Stream output = Console.OpenStandardOutput();
        using var turn = new SemaphoreSlim(1);
        using var stop = new CancellationTokenSource();
        await ReportAsync(output, turn, ReadyLine).ConfigureAwait(false);
        Task writing = Task.WhenAll(Enumerable.Range(0, Writers).Select(async writer =>
        {
            long number = ReadLast(storage, writer);
            while (!stop.IsCancellationRequested)
            {
                await merger.ExecuteAsync(new PutRecord(writer, ++number)).ConfigureAwait(false);
                await ReportAsync(output, turn, string.Create(CultureInfo.InvariantCulture, $"{writer} {number}")).ConfigureAwait(false);
            }
        }));
        Task ended = Console.In.ReadToEndAsync(CancellationToken.None);
        await Task.WhenAny(writing, ended).ConfigureAwait(false);
        await stop.CancelAsync().ConfigureAwait(false);
        await writing.ConfigureAwait(false);
        return 0;
    }

    private static long ReadLast(StorageEnvironment storage, int writer)
    {
        using ReadTransaction read = storage.BeginRead();
        return SelfTestRecords.ReadLast(read, writer);
    }

    private static async Task ReportAsync(Stream output, SemaphoreSlim turn, string line)
    {
        byte[] bytes = Encoding.ASCII.GetBytes(line + "\n");
        await turn.WaitAsync().ConfigureAwait(false);
        try
        {
            await output.WriteAsync(bytes).ConfigureAwait(false);
            await output.FlushAsync().ConfigureAwait(false);
        }
        finally
        {
            turn.Release();
        }
    }

    private sealed class PutRecord(int writer, long number) : WriteCommand
    {
        protected override void Execute(WriteTransaction transaction) => SelfTestRecords.Put(transaction, writer, number);
    }
}
