using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Extensions;

/// <summary>A kind of things that documents have besides their text, such as counters, with its numbers, names and tables. There is one object of each kind,
/// without state.</summary>
/// <remarks>
/// The type of the object says what else a kind can do: <c>StoredExtension</c> and <c>RevisedExtension</c> are for the writer's thread, and each further
/// ability is an interface, which the part of the product that uses it declares. <see cref="DocumentExtensions"/> finds them.
/// </remarks>
internal abstract class DocumentExtension
{
    /// <summary>Longest name of a member of the metadata. Bytes: each name of a sent document is compared with them.</summary>
    public const int MetadataNameBytesMax = 16;

    /// <param name="slot">The number of its column, among the columns of rows that show extensions: 0 to <see cref="DocumentExtensions.SlotsMax"/> - 1. It is
    /// stored, so it never changes and is never given to another kind.</param>
    /// <param name="flagName">The name of its flag in <c>@flags</c>: <c>HasCounters</c>.</param>
    /// <param name="metadataName">The member of the metadata that shows it: <c>@counters</c>. Clients cannot store a member of this name.</param>
    /// <param name="snapshotName">The member of the metadata of revisions: <c>@counters-snapshot</c>; null for the same member as in documents.</param>
    protected DocumentExtension(int slot, string flagName, string metadataName, string? snapshotName = null)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)slot, (uint)DocumentExtensions.SlotsMax, nameof(slot));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(metadataName.Length, MetadataNameBytesMax, nameof(metadataName));
        Slot = slot;
        FlagName = Encoding.ASCII.GetBytes(flagName);
        MetadataName = Encoding.ASCII.GetBytes(metadataName);
        MetadataMember = Encoding.ASCII.GetBytes($",\"{metadataName}\":");
        SnapshotMember = snapshotName is null ? MetadataMember : Encoding.ASCII.GetBytes($",\"{snapshotName}\":");
    }

    /// <summary>The number of its column and flag, among those of extensions.</summary>
    public int Slot { get; }

    /// <summary>The flag of documents that have something of the kind.</summary>
    public DocumentFlags Flag => DocumentExtensions.FlagOf(Slot);

    /// <summary>The name of the flag, in ASCII.</summary>
    public byte[] FlagName { get; }

    /// <summary>The name of the member of the metadata of documents that shows the kind, in ASCII.</summary>
    public byte[] MetadataName { get; }

    /// <summary>The member, from the comma before it to its colon.</summary>
    public byte[] MetadataMember { get; }

    /// <summary>The name of the member in the metadata of revisions, from the comma before it to its colon.</summary>
    public byte[] SnapshotMember { get; }

    /// <summary>The tables of the kind, for code that checks and compacts whole storages.</summary>
    public virtual IReadOnlyList<TableSchema> Tables => [];
}
