namespace Jackdaw.Security.Auditing;

/// <summary>How much of the log is kept.</summary>
/// <param name="DaysMax">Days that are kept, with the current one.</param>
/// <param name="BytesMax">Bytes of all files together. The oldest ones are deleted before the log grows beyond.</param>
/// <param name="FileBytesMax">Bytes after which a day continues in another file: what is deleted at once is never more than this.</param>
/// <param name="RefusalBytesPerDayMax">Bytes of lines about refusals that a day may have. Beyond, all refusals share one line a minute, so that a stranger
/// cannot fill the log until it drops what administrators did.</param>
internal sealed record AuditLimits(int DaysMax, long BytesMax, long FileBytesMax, long RefusalBytesPerDayMax)
{
    private const long Gigabyte = 1L << 30;

    /// <summary>With thirty days full of refusals, half of the log is left for everything else.</summary>
    public static AuditLimits Default { get; } = new(30, Gigabyte, Gigabyte / 8, Gigabyte / 64);
}
