using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Batches;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Operations;
using Jackdaw.Documents.Patching;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Store;

/// <summary>One open database as the HTTP layer sees it.</summary>
/// <remarks>
/// Any thread may call any member. Reads take no lock and never wait for writes. A write does all work that does not
/// need the writer thread (lower-casing, row building, hashing) on the caller's thread before it is queued; the
/// returned task completes when the batch is durable and visible, and its continuations do not run on the writer
/// thread. A cancellation is honoured before the write is queued; afterwards the write is carried out.
/// </remarks>
public abstract class DocumentDatabase : IReadableDatabase
{
    /// <param name="name">In the casing of its creation.</param>
    /// <param name="replica">Its identity in change vectors.</param>
    protected DocumentDatabase(string name, Replica replica)
        : this(name, replica, StandardExtensions.All)
    {
    }

    /// <param name="name">In the casing of its creation.</param>
    /// <param name="replica">Its identity in change vectors.</param>
    /// <param name="extensions">What its documents can have besides their text.</param>
    private protected DocumentDatabase(string name, Replica replica, DocumentExtensions extensions)
    {
        Extensions = extensions;
        CommandKinds = new BatchKinds(extensions);
        Name = name;
        Replica = replica;
    }

    public string Name { get; }

    public Replica Replica { get; }

    /// <summary>What its documents can have besides their text.</summary>
    internal DocumentExtensions Extensions { get; }

    /// <summary>The commands that clients send.</summary>
    internal BatchKinds CommandKinds { get; }

    DocumentExtensions IReadableDatabase.Extensions => Extensions;

    public string DatabaseId => Replica.DatabaseId;

    /// <summary>Commit index at which the database's topology last changed; greater than 0.</summary>
    public abstract long TopologyEtag { get; }

    /// <summary>Commit index of the client configuration that is in force here (own or server-wide); 0 for
    /// none.</summary>
    public abstract long ClientConfigurationEtag { get; }

    /// <summary>Bytes of the files on disk (or in memory).</summary>
    public abstract long SizeBytes { get; }

    /// <summary>Writes waiting for the writer thread.</summary>
    public abstract int QueuedWrites { get; }

    /// <summary>Figures of storage and merger; null for a database without them.</summary>
    public virtual DatabaseFigures? Figures => null;

    /// <summary>Long-running operations that clients poll; lives as long as the database is open.</summary>
    public OperationRegistry Operations { get; } = new();

    /// <summary>Whose turn it is to patch a document.</summary>
    internal PatchTurns Patches { get; } = new();

    /// <summary>Contents of attachments that requests send or read.</summary>
    internal virtual ContentHolds ContentHolds { get; } = new();

    /// <summary>The part of the database of a type; null when there is none. Takes no lock.</summary>
    public virtual TPart? FindPart<TPart>()
        where TPart : DatabasePart => null;

    /// <inheritdoc/>
    public abstract DocumentReadScope BeginRead(ReaderKind kind = ReaderKind.Other);

    /// <summary>Writes all commands in one transaction or none of them; the commands hold their results.</summary>
    public abstract ValueTask<WriteOutcome> WriteAsync(WriteBatch batch, CancellationToken cancellationToken);
}
