namespace Jackdaw.Documents.Schedules;

/// <summary>The scheduled times in the metadata of a document: <c>@expires</c>, <c>@refresh</c>, <c>@archive-at</c>; and whether it is archived. Most documents
/// have none.</summary>
/// <param name="ExpiresTicks">When the document is deleted, in UTC ticks; 0 for never. The next two have the same form.</param>
/// <param name="RefreshTicks">When the document is stored again.</param>
/// <param name="ArchiveTicks">When the document is archived.</param>
/// <param name="IsArchived"><c>@archived</c> is true.</param>
internal sealed record DocumentSchedule(long ExpiresTicks, long RefreshTicks, long ArchiveTicks, bool IsArchived)
{
    /// <summary>The most times of a document.</summary>
    public const int TimesMax = 3;

    /// <summary>Makes a schedule; null when the document has no times and is not archived.</summary>
    public static DocumentSchedule? Of(long expiresTicks, long refreshTicks, long archiveTicks, bool isArchived) =>
        (expiresTicks | refreshTicks | archiveTicks) == 0 && !isArchived
            ? null
            : new DocumentSchedule(expiresTicks, refreshTicks, archiveTicks, isArchived);

    /// <summary>When something of a kind happens; 0 for never.</summary>
    public long this[ScheduleKind kind] => kind switch
    {
        ScheduleKind.Expire => ExpiresTicks,
        ScheduleKind.Refresh => RefreshTicks,
        ScheduleKind.Archive => ArchiveTicks,
        _ => 0,
    };

    /// <summary>Copies the existing times.</summary>
    /// <param name="times">Has room for <see cref="TimesMax"/>.</param>
    /// <returns>The number of times.</returns>
    public int CopyTo(Span<ScheduledTime> times)
    {
        int count = 0;
        for (ScheduleKind kind = ScheduleKind.Expire; kind <= ScheduleKind.Archive; kind++)
        {
            if (this[kind] is > 0 and long ticks)
            {
                times[count++] = new ScheduledTime(kind, ticks);
            }
        }

        return count;
    }
}
