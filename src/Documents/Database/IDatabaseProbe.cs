using Jackdaw.Documents.Commands;

namespace Jackdaw.Documents.Database;

/// <summary>Sees the reads and writes of a database. Tests count them, hold them back, and choose outcomes that real writes only have under load;
/// the product uses none. Any thread.</summary>
internal interface IDatabaseProbe
{
    /// <summary>Is called when a snapshot is taken.</summary>
    void OnRead();

    /// <summary>Is called when a batch is written.</summary>
    /// <param name="write">Writes the batch.</param>
    ValueTask<WriteOutcome> OnWriteAsync(WriteBatch batch, Func<ValueTask<WriteOutcome>> write, CancellationToken cancellationToken);
}
