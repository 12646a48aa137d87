using Jackdaw.Documents.Commands;

namespace Jackdaw.Documents.Database;

/// <summary>Sees the reads and writes of a database. Tests count them, hold them back, and choose outcomes that real writes only have under load;
/// the product uses none. Any thread.</summary>
internal interface IDatabaseProbe
{
    /// <summary>A snapshot is taken.</summary>
    void OnRead();

    /// <summary>A batch is written.</summary>
    /// <param name="write">Writes it.</param>
    ValueTask<WriteOutcome> OnWriteAsync(WriteBatch batch, Func<ValueTask<WriteOutcome>> write, CancellationToken cancellationToken);
}
