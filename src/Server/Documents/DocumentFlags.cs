namespace Jackdaw.Server.Documents;

/// <summary>What a document has or is beside its content; stored with the row and shown as <c>@flags</c>.</summary>
/// <remarks>The values are part of the stored row: they are never renumbered.</remarks>
[Flags]
public enum DocumentFlags
{
    None = 0,
    HasRevisions = 1 << 0,
    HasAttachments = 1 << 1,
    HasCounters = 1 << 2,
    HasTimeSeries = 1 << 3,
    FromClusterTransaction = 1 << 4,
    Archived = 1 << 5,
    Artificial = 1 << 6,
    FromIndex = 1 << 7,
}
