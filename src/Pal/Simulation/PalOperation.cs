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

/// <summary>Kinds of calls that the simulation counts, logs and can fail.</summary>
public enum PalOperationKind
{
    /// <summary><see cref="IPlatform.OpenFile"/>.</summary>
    Open,

    /// <summary>Disposal of a file. Cannot fail.</summary>
    Close,

    /// <summary>Existence, identity, length or link count.</summary>
    Stat,

    /// <summary><see cref="PalFile.Read"/>.</summary>
    Read,

    /// <summary><see cref="PalFile.WritePages"/>.</summary>
    WritePages,

    /// <summary><see cref="PalFile.WriteJournal"/>; in flight when it is announced.</summary>
    WriteJournal,

    /// <summary><see cref="PalFile.ZeroFill"/>; of a journal file in flight when it is announced.</summary>
    ZeroFill,

    /// <summary><see cref="PalFile.Allocate"/>.</summary>
    Allocate,

    /// <summary><see cref="PalFile.SetLength"/>.</summary>
    SetLength,

    /// <summary><see cref="PalFile.PunchHole"/>.</summary>
    PunchHole,

    /// <summary><see cref="PalFile.FillHole"/>.</summary>
    FillHole,

    /// <summary><see cref="PalFile.Sync"/>.</summary>
    Sync,

    /// <summary><see cref="PalFile.Map"/>.</summary>
    Map,

    /// <summary><see cref="IPlatform.CreateDirectory"/>: the names exist, but are not durable.</summary>
    CreateDirectory,

    /// <summary>Second part of <see cref="IPlatform.CreateDirectory"/>: the names become durable.</summary>
    CreateDirectorySync,

    /// <summary><see cref="IPlatform.ListDirectory"/>.</summary>
    ListDirectory,

    /// <summary><see cref="IPlatform.Lock"/>.</summary>
    Lock,

    /// <summary><see cref="IPlatform.Link"/>.</summary>
    Link,

    /// <summary><see cref="IPlatform.RenameDurable"/>: the name is changed, but not durable.</summary>
    Rename,

    /// <summary>Second part of <see cref="IPlatform.RenameDurable"/>, once per folder, the new name's first.</summary>
    RenameSync,

    /// <summary><see cref="IPlatform.Delete"/>.</summary>
    Delete,

    /// <summary><see cref="IPlatform.DeleteDirectory"/>.</summary>
    DeleteDirectory,

    /// <summary><see cref="IPlatform.SyncDirectories"/>, once per folder.</summary>
    SyncDirectory,

    /// <summary><see cref="IPlatform.GetFreeSpace"/>.</summary>
    FreeSpace,
}
