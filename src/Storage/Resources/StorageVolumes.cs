using Jackdaw.Pal;

namespace Jackdaw.Storage.Resources;

/// <summary>The volumes that a storage needs: that of its data file and that of its journals, which may be another one.</summary>
/// <param name="Data">Device of the data file.</param>
/// <param name="Journals">Device of the folder of journals.</param>
internal readonly record struct StorageVolumes(ulong Data, ulong Journals)
{
    /// <summary>Looks at both.</summary>
    /// <param name="data">The open data file.</param>
    /// <param name="platform">Where the storage is.</param>
    /// <param name="journals">Folder of the journals; may be a symbolic link.</param>
    public static StorageVolumes Find(PalFile data, IPlatform platform, string journals) =>
        new(data.Identity.Device, platform.GetIdentity(journals).Device);
}
