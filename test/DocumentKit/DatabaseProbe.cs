using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;

namespace Jackdaw.DocumentKit;

/// <summary>A database with switches for the outcomes that it only has under load, and counters of what handlers ask of it.</summary>
internal sealed class DatabaseProbe : IDatabaseProbe
{
    private int _scopesBegun;
    private int _batches;
    private int _writesBegun;

    public DatabaseProbe(DocumentDatabase database)
    {
        Database = database;
        database.Probe = this;
    }

    /// <summary>What is probed.</summary>
    public DocumentDatabase Database { get; }

    /// <summary>Outcome of every write while it is not null.</summary>
    public WriteStatus? Refusal { get; set; }

    /// <summary>Awaited before each write while it is not null.</summary>
    public Task? Gate { get; set; }

    /// <summary>What every write cost while it is not null.</summary>
    public WriteCost? Cost { get; set; }

    /// <summary>Batches written so far.</summary>
    public int Batches => _batches;

    /// <summary>Commands of the last batch that was written, checks counted.</summary>
    public int LastCommands { get; private set; }

    /// <summary>Bytes of the commands of each batch that was written.</summary>
    public List<int> BatchBytes { get; } = [];

    /// <summary>Writes that came, those that wait at the gate counted.</summary>
    public int WritesBegun => Volatile.Read(ref _writesBegun);

    /// <summary>Read scopes that were begun.</summary>
    public int ScopesBegun => Volatile.Read(ref _scopesBegun);

    public void OnRead() => Interlocked.Increment(ref _scopesBegun);

    public async ValueTask<WriteOutcome> OnWriteAsync(WriteBatch batch, Func<ValueTask<WriteOutcome>> write, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Interlocked.Increment(ref _writesBegun);
        await (Gate ?? Task.CompletedTask);
        if (Refusal is { } refusal)
        {
            return new WriteOutcome { Status = refusal };
        }

        Interlocked.Increment(ref _batches);
        LastCommands = batch.Commands.Length;
        WriteOutcome outcome = await write();
        lock (BatchBytes)
        {
            BatchBytes.Add(batch.Commands.ToArray().Sum(command => command.SizeBytes));
        }

        return outcome with { Cost = Cost ?? outcome.Cost };
    }
}
