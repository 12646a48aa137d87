using Jackdaw.Pal;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Documents.Database;

/// <summary>Something that lives with an open database: an index, a subscription worker, the expiration of
/// documents.</summary>
/// <remarks>
/// Opened after the database's storage and before the first request; told to stop by one token; closed before the
/// merger, whenever the database is disabled, deleted, opened again after a failure, or stopped with the server. An
/// opening makes new parts. Each part is opened once and closed once, never both at the same time.
/// </remarks>
public abstract class DatabasePart
{
    /// <summary>Name for errors and logs, unique in its database: <c>index Orders/ByCompany</c>.</summary>
    public abstract string Name { get; }

    /// <summary>Opens it. Requests wait for that, so long work is started here and continues in the
    /// background.</summary>
    /// <param name="stop">Cancelled when the database begins to close: all background work ends then.</param>
    /// <exception cref="Exception">Any: the part is not closed then, and the database is not opened. A part whose
    /// failure must not keep documents from being served catches it and shows it itself.</exception>
    public abstract ValueTask OpenAsync(CancellationToken stop);

    /// <summary>Waits for its work to end and closes its files. The token was cancelled before; what the part writes to
    /// the database until it is closed is still taken. The storage is not closed before this task has
    /// completed.</summary>
    public abstract ValueTask CloseAsync();
}

/// <summary>A kind of parts that databases may have; given once, at the start of the server. Any thread.</summary>
public abstract class DatabasePartKind
{
    /// <summary>Name for errors and logs: <c>indexes</c>.</summary>
    public abstract string Name { get; }

    /// <summary>True when a database that was closed cleanly is to be opened after the start of the server, without a
    /// request: in the background, a few at a time. Asked once for each, before anything of the database is
    /// open.</summary>
    public virtual bool NeedsOpenDatabase(ClosedDatabase database) => false;

    /// <summary>The parts of this kind that a database has now, in the order in which they are opened.</summary>
    public abstract IEnumerable<DatabasePart> MakeParts(PartHost host);
}

/// <summary>A database that is not open.</summary>
/// <param name="Name">In the casing of its creation.</param>
/// <param name="RecordJson">UTF-8 of its record.</param>
/// <param name="Platform">Where its files are.</param>
/// <param name="Folder">Their folder.</param>
public sealed record ClosedDatabase(string Name, ReadOnlyMemory<byte> RecordJson, IPlatform Platform, string Folder);

/// <summary>What parts get of their database; valid until they are closed.</summary>
/// <param name="Database">Its documents.</param>
/// <param name="Storage">Its storage, the root of the branches that parts open; they share its memory and threads
/// (<see cref="StorageEnvironment"/>).</param>
public sealed record PartHost(DocumentDatabase Database, StorageEnvironment Storage);

/// <summary>A part could not be opened, so its database is not.</summary>
public sealed class DatabasePartException(string part, string database, Exception cause)
    : Exception($"The {part} of database '{database}' could not be opened, so the database is not open either: {cause.Message}", cause);
