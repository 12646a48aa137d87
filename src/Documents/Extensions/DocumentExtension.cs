using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Extensions;

/// <summary>One kind of things that documents have besides their text, such as counters: its numbers, names and tables. There is one object
/// of each kind, without state.</summary>
/// <remarks>
/// What a kind can do besides is said by its type: <c>StoredExtension</c> and <c>RevisedExtension</c> for the writer's thread, and an interface
/// for each further ability, which the part of the product that uses it declares. <see cref="DocumentExtensions"/> finds them.
/// </remarks>
internal abstract class DocumentExtension
{
    /// <summary>Longest name of a member of the metadata. Bytes: each name of a sent document is compared with them.</summary>
    public const int MetadataNameBytesMax = 16;

    /// <param name="slot">Which of the columns of rows that show extensions is its own: 0 to <see cref="DocumentExtensions.SlotsMax"/> - 1. Stored:
    /// never changed, and never given to another kind.</param>
    /// <param name="flagName">Name of its flag in <c>@flags</c>: <c>HasCounters</c>.</param>
    /// <param name="metadataName">Member of the metadata that shows it: <c>@counters</c>. Clients cannot store a member of this name.</param>
    /// <param name="snapshotName">Member of the metadata of revisions: <c>@counters-snapshot</c>; null: the same as of documents.</param>
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

    /// <summary>Which of the columns and flags of extensions is its own.</summary>
    public int Slot { get; }

    /// <summary>Documents that have some of the kind have this flag.</summary>
    public DocumentFlags Flag => DocumentExtensions.FlagOf(Slot);

    /// <summary>Name of the flag. ASCII.</summary>
    public byte[] FlagName { get; }

    /// <summary>Name of the member of the metadata of documents that shows the kind. ASCII.</summary>
    public byte[] MetadataName { get; }

    /// <summary>The member, from the comma before it to its colon.</summary>
    public byte[] MetadataMember { get; }

    /// <summary>As <see cref="MetadataMember"/>, in revisions.</summary>
    public byte[] SnapshotMember { get; }

    /// <summary>Tables that hold what it stores, for those who check and compact whole storages.</summary>
    public virtual IReadOnlyList<TableSchema> Tables => [];
}
