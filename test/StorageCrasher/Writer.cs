using System.Globalization;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Merging;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.StorageCrasher;

/// <summary>One writer: record after record, each reported when it was acknowledged.</summary>
internal static class Writer
{
    public static async Task RunAsync(StorageEnvironment storage, TransactionMerger merger, int writer, Stream output)
    {
        long number;
        using (ReadTransaction read = storage.BeginRead())
        {
            number = CrasherFormat.ReadLast(read, writer);
        }

        while (true)
        {
            CommandCosts costs = await merger.ExecuteAsync(new PutCommand(writer, ++number)).ConfigureAwait(false);
            await Report.WriteAsync(output, string.Create(
                CultureInfo.InvariantCulture, $"{writer} {number} {costs.TransactionId}")).ConfigureAwait(false);
        }
    }

    private sealed class PutCommand(int writer, long number) : WriteCommand
    {
        protected override void Execute(WriteTransaction transaction) =>
            CrasherFormat.Put(transaction, writer, number);
    }
}
