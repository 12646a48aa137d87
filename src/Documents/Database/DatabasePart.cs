using Jackdaw.Pal;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Documents.Database;

/// <summary>A part of an open database, such as its indexes or the expiration of documents.</summary>
/// <remarks>
/// It is opened after the database's storage and before the first request. A token tells it to stop, and it is closed before the merger, whenever the database
/// is disabled, deleted, opened again after a failure, or stopped with the server. Each opening of the database makes new parts. Each part is opened once and
/// closed once, never both at the same time.
/// </remarks>
public abstract class DatabasePart
{
    /// <summary>The name for errors and logs, unique in its database: <c>index Orders/ByCompany</c>.</summary>
    public abstract string Name { get; }

    /// <summary>Opens the part. Requests wait for that, so long work is only started here and continues in the background.</summary>
    /// <param name="stop">Is cancelled when the database begins to close; then all background work ends.</param>
    /// <exception cref="Exception">After any exception the part is not closed, and the database is not opened. A part whose failure must not keep documents
    /// from being served catches it and shows it itself.</exception>
    public abstract ValueTask OpenAsync(CancellationToken stop);

    /// <summary>Waits for its work to end and closes its files. The token was cancelled before. Until the part is closed, its writes to the database are still
    /// accepted. The storage is not closed before this task has completed.</summary>
    public abstract ValueTask CloseAsync();
}

/// <summary>A kind of parts that databases may have. The kinds are given once, at the start of the server. Any thread.</summary>
public abstract class DatabasePartKind
{
    /// <summary>The name for errors and logs: <c>indexes</c>.</summary>
    public abstract string Name { get; }

    /// <summary>Whether a database that was closed cleanly has to be opened after the start of the server without a request: in the background, a few databases
    /// at a time. It is called once for each database, before anything of the database is open.</summary>
    public virtual bool NeedsOpenDatabase(ClosedDatabase database) => false;

    /// <summary>Makes the parts of this kind for a database, in the order in which they are opened.</summary>
    public abstract IEnumerable<DatabasePart> MakeParts(PartHost host);
}

/// <summary>A database that is not open.</summary>
/// <param name="Name">The name in the casing of its creation.</param>
/// <param name="RecordJson">Its record in UTF-8.</param>
/// <param name="Platform">The platform of its files.</param>
/// <param name="Folder">The folder of its files.</param>
public sealed record ClosedDatabase(string Name, ReadOnlyMemory<byte> RecordJson, IPlatform Platform, string Folder);

/// <summary>The database of parts, with its storage; valid until the parts are closed.</summary>
/// <param name="Database">The database.</param>
/// <param name="Storage">Its storage, the root of the branches that parts open; they share its memory and threads
/// (<see cref="StorageEnvironment"/>).</param>
public sealed record PartHost(DocumentDatabase Database, StorageEnvironment Storage);

/// <summary>A part could not be opened, so its database is not open.</summary>
public sealed class DatabasePartException(string part, string database, Exception cause)
    : Exception($"The {part} of database '{database}' could not be opened, so the database is not open either: {cause.Message}", cause);
