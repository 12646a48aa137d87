using System.Text;

using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Json;
using Jackdaw.Server.Documents.Operations;

namespace Jackdaw.Server.Http;

/// <summary>Hands batches of a bulk insert to the store: one is written while the next one is filled, and no third is
/// begun.</summary>
/// <remarks>The memory of a bulk insert is that of two batches and one command, while it pauses that of one command. A command that is
/// larger than a batch has a place among the large bodies until it is stored. Used by one request.</remarks>
internal sealed class BulkInsertWriter(DocumentDatabase database, Operation operation, bool skipUnchanged, LargeBodies places)
    : IAsyncDisposable
{
    private CommandBatch _filling = new();
    private CommandBatch _writing = new();
    private Task _write = Task.CompletedTask;
    private BulkInsertCounts _counts;

    /// <summary>The batch that takes commands now.</summary>
    public CommandBatch Filling => _filling;

    /// <summary>There are commands, or a batch whose end nobody has looked at.</summary>
    public bool IsBusy => _filling.Count > 0 || _writing.Count > 0;

    /// <summary>There is a large command: others may wait for its place.</summary>
    public bool HasPlace { get; private set; }

    /// <summary>Waits for a place for the command that is coming, unless it has one.</summary>
    public async ValueTask EnterAsync(CancellationToken cancellationToken)
    {
        if (!HasPlace)
        {
            await places.EnterAsync(cancellationToken).ConfigureAwait(false);
            HasPlace = true;
        }
    }

    /// <summary>After each command.</summary>
    public ValueTask WriteIfFullAsync(CancellationToken cancellationToken) =>
        HasPlace ? WriteLargeAsync(cancellationToken)
        : _filling.ByteCount >= DocumentLimits.BulkInsertBatchBytesMax ? SwapAsync(cancellationToken)
        : ValueTask.CompletedTask;

    /// <summary>Writes what there is; afterwards everything is durable, and holds no memory.</summary>
    public async ValueTask FinishAsync(CancellationToken cancellationToken)
    {
        if (_filling.Count > 0)
        {
            await SwapAsync(cancellationToken).ConfigureAwait(false);
        }

        await _write.ConfigureAwait(false);
        _writing.Clear();
    }

    public async ValueTask DisposeAsync()
    {
        // The store reads the batch's memory until the write is answered, whatever became of the request.
        await _write.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _filling.Dispose();
        _writing.Dispose();
        Leave();
    }

    private async ValueTask WriteLargeAsync(CancellationToken cancellationToken)
    {
        await FinishAsync(cancellationToken).ConfigureAwait(false);
        Leave();
    }

    private void Leave()
    {
        if (HasPlace)
        {
            HasPlace = false;
            places.Leave();
        }
    }

    private async ValueTask SwapAsync(CancellationToken cancellationToken)
    {
        await _write.ConfigureAwait(false);
        _writing.Clear();
        (_filling, _writing) = (_writing, _filling);
        _write = WriteAsync(_writing, cancellationToken);
    }

    private async Task WriteAsync(CommandBatch batch, CancellationToken cancellationToken)
    {
        var write = new WriteBatch
        {
            Commands = CommandConversion.ToCommands(database, batch, batch.Count),
            SkipUnchanged = skipUnchanged,
            ResultsWanted = false,
        };
        WriteResult result = await database.WriteAsync(write, cancellationToken).ConfigureAwait(false);
        WriteProblems.Check(result, write, database);
        _counts = new BulkInsertCounts(
            _counts.Documents + batch.Count, _counts.Batches + 1, Encoding.UTF8.GetString(
                batch[batch.Count - 1].Id.Span));
        operation.Report(_counts);
    }
}
