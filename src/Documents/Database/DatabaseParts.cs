using System.Diagnostics;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Documents.Database;

/// <summary>The parts of one open database. Any thread.</summary>
/// <remarks>States: open (parts are added and removed) -> stopping (the token is cancelled, no part is added) -> closed.</remarks>
internal sealed class DatabaseParts(string databaseName, ILogger logger)
{
    private readonly SemaphoreSlim _gate = new(1); // held while a part is opened or closed
    private readonly List<DatabasePart> _open = []; // guarded by _gate
    private readonly CancellationTokenSource _stop = new();
    private volatile DatabasePart? _busy; // the part that is being opened or closed
    private volatile DatabasePart[] _found = []; // the open parts; replaced as a whole, so that they are found without the gate

    /// <summary>The part for which callers wait; null when there is none.</summary>
    public string? BusyPart => _busy?.Name;

    /// <summary>The open part of a type; null when there is none. Takes no lock.</summary>
    public TPart? Find<TPart>()
        where TPart : DatabasePart
    {
        foreach (DatabasePart part in _found)
        {
            if (part is TPart wanted)
            {
                return wanted;
            }
        }

        return null;
    }

    /// <summary>Opens parts, one after the other. If one fails, those before it are closed again.</summary>
    /// <exception cref="DatabasePartException">A part could not be opened.</exception>
    public async Task OpenAllAsync(IEnumerable<DatabasePart> parts)
    {
        try
        {
            foreach (DatabasePart part in parts)
            {
                await AddAsync(part).ConfigureAwait(false);
            }
        }
        catch
        {
            await CloseAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Opens one more part of an open database.</summary>
    /// <exception cref="DatabasePartException">The part could not be opened; the database and the other parts are not affected.</exception>
    /// <exception cref="ObjectDisposedException">The database is closed, or begins to close.</exception>
    public async Task AddAsync(DatabasePart part)
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            ObjectDisposedException.ThrowIf(_stop.IsCancellationRequested, this);
            if (_open.Exists(other => other.Name == part.Name))
            {
                throw new DatabasePartException(part.Name, databaseName, new ArgumentException("It is open already."));
            }

            _busy = part;
            await part.OpenAsync(_stop.Token).ConfigureAwait(false);
            _open.Add(part);
            _found = [.. _open];
        }
        catch (Exception e) when (e is not (DatabasePartException or ObjectDisposedException))
        {
            throw new DatabasePartException(part.Name, databaseName, e);
        }
        finally
        {
            _busy = null;
            _gate.Release();
        }
    }

    /// <summary>Closes one part while the database stays open; false when there is no such part. The part's owner has told it to stop.</summary>
    public async Task<bool> RemoveAsync(DatabasePart part)
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            bool isThere = _open.Remove(part);
            _found = [.. _open];
            if (isThere)
            {
                await ClosePartAsync(part).ConfigureAwait(false);
            }

            return isThere;
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Tells all parts to stop, and returns at once.</summary>
    public void Stop()
    {
        try
        {
            _stop.Cancel();
        }
        catch (AggregateException e)
        {
            logger.LogWarning(e, "A part of database {Database} failed when it was asked to stop", databaseName);
        }
    }

    /// <summary>Tells all parts to stop and closes them, the last one first. If a part fails, the others are still closed.</summary>
    public async Task CloseAsync()
    {
        Stop();
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            for (int i = _open.Count - 1; i >= 0; i--)
            {
                await ClosePartAsync(_open[i]).ConfigureAwait(false);
                _open.RemoveAt(i);
                _found = [.. _open];
            }
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Caller holds the gate.</summary>
    private async Task ClosePartAsync(DatabasePart part)
    {
        Debug.Assert(_gate.CurrentCount == 0, "a part is closed during another change");
        _busy = part;
        try
        {
            await part.CloseAsync().ConfigureAwait(false);
        }
        catch (Exception e)
        {
            logger.LogWarning(e, "The {Part} of database {Database} failed while it was closed", part.Name, databaseName);
        }
        finally
        {
            _busy = null;
        }
    }
}
