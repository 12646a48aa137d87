namespace Jackdaw.Documents.Schedules;

/// <summary>What happens at a time. The values are stored: never change one.</summary>
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

/// <summary>Whose times they are: a document and a compare exchange value may have the same key. Stored.</summary>
internal enum ScheduleDomain : byte
{
    Document = 1,
    Value = 2,
}

/// <summary>A time and what happens then.</summary>
/// <param name="Ticks">UTC; positive.</param>
internal readonly record struct ScheduledTime(ScheduleKind Kind, long Ticks);

/// <summary>An entry of the index by time.</summary>
/// <param name="Ticks">UTC.</param>
/// <param name="Key">Of the document or the value.</param>
internal sealed record ScheduledItem(ScheduleKind Kind, long Ticks, byte[] Key);
