using System.Globalization;

namespace Jackdaw.Pal.Simulation;

/// <summary>One call of the simulated platform, for callbacks and the operation log.</summary>
/// <param name="Sequence">Number of the call, from 1.</param>
/// <param name="Kind">What was called.</param>
/// <param name="Path">File or folder as the caller named it.</param>
/// <param name="OtherPath">New name of a link or rename, else empty.</param>
/// <param name="Offset">First byte, -1 when the call has none.</param>
/// <param name="Length">Bytes, -1 when the call has none.</param>
public readonly record struct PalOperation(
    long Sequence, PalOperationKind Kind, string Path, string OtherPath, long Offset, long Length)
{
    /// <summary>True for calls that promise durability: the points where a power cut is worth a test.</summary>
    public bool IsBarrier => Kind is PalOperationKind.Sync or PalOperationKind.SyncDirectory
        or PalOperationKind.RenameSync or PalOperationKind.CreateDirectorySync or PalOperationKind.WriteJournal;

    /// <summary>One line without the sequence number, for golden files.</summary>
    public override string ToString()
    {
        string range = Offset >= 0 ? string.Create(CultureInfo.InvariantCulture, $" {Offset}+{Length}")
            : Length >= 0 ? string.Create(CultureInfo.InvariantCulture, $" {Length}")
            : "";
        return OtherPath.Length > 0 ? $"{Kind} {Path} -> {OtherPath}{range}" : $"{Kind} {Path}{range}";
    }
}
