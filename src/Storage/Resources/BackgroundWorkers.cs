namespace Jackdaw.Storage.Resources;

/// <summary>A few threads that do one kind of background work of all storages of a process. Thread safe.</summary>
/// <remarks>
/// Each pair of volumes (<see cref="StorageVolumes"/>) has workers of its own, so a volume that does not answer blocks
/// only the workers of the storages on it. Rejected: one set of workers that grows when some are blocked. It needs an
/// upper bound, and a hundred storages on one volume reach that bound together.
/// </remarks>
/// <param name="threadName">Name of the threads; the system shows 15 bytes of it.</param>
internal sealed class BackgroundWorkers(string threadName)
{
    private readonly Lock _lock = new(); // guards the fields below
    private readonly Dictionary<StorageVolumes, VolumeWorkers> _byVolumes = [];
    private long _lastNumber;

    /// <summary>Threads at this moment, those of all volumes.</summary>
    public int ThreadCount
    {
        get
        {
            lock (_lock)
            {
                return _byVolumes.Values.Sum(workers => workers.ThreadCount);
            }
        }
    }

    /// <summary>Adds the work of a storage; it rests until it is signaled. The caller disposes it.</summary>
    /// <param name="volumes">The volumes that the work needs.</param>
    /// <param name="run">Returns the milliseconds until the next run without a signal; -1 = none. Must not
    /// throw.</param>
    /// <exception cref="OutOfMemoryException">No thread could be started.</exception>
    public BackgroundWork Add(StorageVolumes volumes, Func<int> run)
    {
        VolumeWorkers? workers;
        BackgroundWork work;
        lock (_lock)
        {
            if (!_byVolumes.TryGetValue(volumes, out workers))
            {
                _byVolumes[volumes] = workers = new VolumeWorkers(threadName, volumes);
            }

            work = new BackgroundWork(this, workers, ++_lastNumber, run);
            workers.Works++;
        }

        try
        {
            workers.StartWanted();
            return work;
        }
        catch
        {
            work.Dispose();
            throw;
        }
    }

    /// <summary>Removes a work that has ended. When it was the last work of its volumes, their threads end before this
    /// returns.</summary>
    public void Remove(VolumeWorkers workers)
    {
        lock (_lock)
        {
            if (--workers.Works > 0)
            {
                return;
            }

            _byVolumes.Remove(workers.Volumes);
        }

        workers.End();
    }
}
