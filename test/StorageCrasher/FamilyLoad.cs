using Jackdaw.Storage.Merging;

namespace Jackdaw.StorageCrasher;

/// <summary>All storages of a family write at the same time: the root through a merger, each branch from a thread of its own.</summary>
internal sealed class FamilyLoad : IDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly TransactionMerger _merger;
    private readonly List<Task> _rootWriters = [];
    private readonly List<Thread> _branchWriters = [];

    /// <param name="family">Where to write.</param>
    /// <param name="report">Where acknowledged records are told.</param>
    public FamilyLoad(Family family, Report report)
    {
        _merger = new TransactionMerger(family.Root, "crasher", TimeProvider.System);
        for (int i = 0; i < CrasherFormat.WriterCount; i++)
        {
            var writer = new Writer(family.Root, i, Family.KeptRecords, report);
            _rootWriters.Add(Task.Run(() => RunAsync(writer)));
        }

        for (int i = 0; i < family.Branches.Count; i++)
        {
            var writer = new Writer(family.Branches[i], Family.WritersOf(i + 1).First, Family.KeptRecords, report);
            var thread = new Thread(() => Run(writer)) { IsBackground = true };
            _branchWriters.Add(thread);
            thread.Start();
        }
    }

    /// <summary>Lets each writer finish what it does.</summary>
    public void Dispose()
    {
        _stop.Cancel();
        Task.WaitAll(_rootWriters);
        _branchWriters.ForEach(thread => thread.Join());
        _merger.Dispose();
        _stop.Dispose();
    }

    private async Task RunAsync(Writer writer)
    {
        try
        {
            await writer.RunAsync(_merger, _stop.Token).ConfigureAwait(false);
        }
        catch (Exception) when (PowerCut.HasCome)
        {
            // The disk is gone.
        }
        catch (Exception e)
        {
            Environment.FailFast(e.Message, e);
        }
    }

    private void Run(Writer writer)
    {
        try
        {
            writer.Run(_stop.Token);
        }
        catch (Exception) when (PowerCut.HasCome)
        {
            // The disk is gone.
        }
    }
}
