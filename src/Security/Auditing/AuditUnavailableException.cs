using Jackdaw.Json.Refusals;

namespace Jackdaw.Security.Auditing;

/// <summary>A change is refused because its line in the audit log could not be written. Nothing was changed.</summary>
internal sealed class AuditUnavailableException(string folder, Exception failure)
    : RefusedException(
        IsDiskFull(failure) ? RefusalKind.DiskFull : RefusalKind.Overloaded,
        $"The change was not made, because its line in the audit log cannot be written to {folder}: {failure.Message.TrimEnd('.')}. "
        + "Make room on the disk or let the user of the server write there, and repeat the request.")
{
    private const int NoSpaceLeft = 28; // ENOSPC
    private const int QuotaExceeded = 122; // EDQUOT
    private const int WindowsDiskFull = unchecked((int)0x80070070);

    private static bool IsDiskFull(Exception failure) => failure is IOException && failure.HResult is NoSpaceLeft or QuotaExceeded or WindowsDiskFull;
}
