namespace Jackdaw.Documents.Schedules;

/// <summary>What happens at a time. The values are stored and must never change.</summary>
internal enum ScheduleKind : byte
{
    /// <summary>A document is deleted.</summary>
    Expire = 1,

    /// <summary>A document is stored again, without its time.</summary>
    Refresh = 2,

    /// <summary>A document is archived.</summary>
    Archive = 3,

    /// <summary>A compare exchange value is deleted.</summary>
    ExpireValue = 4,
}

/// <summary>Tells times of documents from times of compare exchange values, because both may have the same key. The values are stored.</summary>
internal enum ScheduleDomain : byte
{
    Document = 1,
    Value = 2,
}

/// <summary>A time and what happens then.</summary>
/// <param name="Ticks">UTC ticks; positive.</param>
internal readonly record struct ScheduledTime(ScheduleKind Kind, long Ticks);

/// <summary>An entry of the index by time.</summary>
/// <param name="Ticks">UTC.</param>
/// <param name="Key">The key of the document or the value.</param>
internal sealed record ScheduledItem(ScheduleKind Kind, long Ticks, byte[] Key)
{
    /// <summary>What has the time.</summary>
    public ScheduleDomain Domain => Kind == ScheduleKind.ExpireValue ? ScheduleDomain.Value : ScheduleDomain.Document;
}
