using System.Diagnostics.CodeAnalysis;

namespace Jackdaw.Documents.Identity;

/// <summary>Properties of a stored document besides its text. The values are stored in rows and must never change.</summary>
[Flags]
[SuppressMessage("Naming", "CA1711", Justification = "Flags is the protocol's and the users' word for them.")]
public enum DocumentFlags
{
    None = 0,
    HasRevisions = 1 << 0,
    HasAttachments = 1 << 1,
    HasCounters = 1 << 2,
    HasTimeSeries = 1 << 3,
    FromClusterTransaction = 1 << 4,
    Revision = 1 << 5,
    DeleteRevision = 1 << 6,
    ForceCreated = 1 << 7,
    Reverted = 1 << 8,
    Resolved = 1 << 9,
    Conflicted = 1 << 10,
    FromReplication = 1 << 11,
    Artificial = 1 << 12,
    FromIndex = 1 << 13,
    Archived = 1 << 14,
}
