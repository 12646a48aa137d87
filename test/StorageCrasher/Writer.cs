using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Merging;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.StorageCrasher;

/// <summary>One writer: record after record, each reported when it was acknowledged.</summary>
/// <param name="Storage">Where it writes.</param>
/// <param name="Number">Who it is.</param>
/// <param name="Kept">Records that it keeps.</param>
/// <param name="Report">Where it reports.</param>
internal sealed record Writer(StorageEnvironment Storage, int Number, int Kept, Report Report)
{
    /// <summary>Writes through a merger, until told to stop.</summary>
    public async Task RunAsync(TransactionMerger merger, CancellationToken stop)
    {
        long record = ReadLast();
        while (!stop.IsCancellationRequested)
        {
            var command = new PutCommand(Number, ++record, Kept);
            CommandCosts costs = await merger.ExecuteAsync(command, cancellation: CancellationToken.None).ConfigureAwait(false);
            Report.Acknowledge(Number, record, costs.TransactionId);
        }
    }

    /// <summary>Writes a transaction for each record, until told to stop. A thread of its own.</summary>
    public void Run(CancellationToken stop)
    {
        long record = ReadLast();
        while (!stop.IsCancellationRequested)
        {
            using WriteTransaction transaction = Storage.BeginWrite();
            CrasherFormat.Put(transaction, Number, ++record, Kept);
            transaction.Commit();
            Report.Acknowledge(Number, record, transaction.TransactionId);
        }
    }

    private long ReadLast()
    {
        using ReadTransaction read = Storage.BeginRead();
        return CrasherFormat.ReadLast(read, Number);
    }

    private sealed class PutCommand(int writer, long number, int kept) : WriteCommand
    {
        protected override void Execute(WriteTransaction transaction) =>
            CrasherFormat.Put(transaction, writer, number, kept);
    }
}
