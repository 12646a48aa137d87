using Jackdaw.Pal;

namespace Jackdaw.Storage.Resources;

/// <summary>The share of one storage in the resources of its process. The owner disposes it when the storage has given
/// everything back.</summary>
internal sealed class StorageShare : IDisposable
{
    private readonly StorageVolumes _volumes;
    private bool _isDisposed;

    /// <param name="process">Shared by all storages.</param>
    /// <param name="volumes">Where the storage is.</param>
    public StorageShare(ProcessResources process, StorageVolumes volumes)
    {
        Process = process;
        _volumes = volumes;
        Memory.AddStorage();
    }

    /// <summary>The resources of the process.</summary>
    public ProcessResources Process { get; }

    /// <summary>The memory of all storages.</summary>
    public MemoryBudget Memory => Process.Memory;

    /// <summary>Adds the storage's flushes; see <see cref="BackgroundWorkers.Add"/>.</summary>
    public BackgroundWork AddFlushes(Func<int> run) => Process.Flushes.Add(_volumes, run);

    /// <summary>Adds the preparation of the storage's journals; see <see cref="BackgroundWorkers.Add"/>.</summary>
    public BackgroundWork AddJournalPreparation(Func<int> run) => Process.JournalPreparations.Add(_volumes, run);

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            Memory.RemoveStorage();
        }
    }
}

/// <summary>The volumes that a storage needs: that of its data file and that of its journals, which may be another
/// one.</summary>
/// <param name="Data">Device of the data file.</param>
/// <param name="Journals">Device of the folder of journals.</param>
internal readonly record struct StorageVolumes(ulong Data, ulong Journals)
{
    /// <summary>Finds the volumes of a storage.</summary>
    /// <param name="data">The open data file.</param>
    /// <param name="platform">Where the storage is.</param>
    /// <param name="journals">Folder of the journals; may be a symbolic link.</param>
    public static StorageVolumes Find(PalFile data, IPlatform platform, string journals) =>
        new(data.Identity.Device, platform.GetIdentity(journals).Device);
}
