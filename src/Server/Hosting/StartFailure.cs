using Jackdaw.Pal;
using Jackdaw.Storage;

namespace Jackdaw.Server.Hosting;

/// <summary>Explains to the person who runs the server why the storages cannot be opened: what went wrong, where, and what to do.</summary>
internal static class StartFailure
{
    /// <summary>True for failures of the disk or the system; anything else is a bug and needs its stack
    /// trace.</summary>
    public static bool IsExpected(Exception failure) =>
        failure is PalException or CorruptionException or NotSupportedException or DiskFullException or OperationCanceledException;

    /// <summary>One line.</summary>
    public static string Describe(Exception failure, string dataFolder)
    {
        string advice = (failure as PalException)?.Status switch
        {
            PalStatus.Locked => ". Another process uses this data: stop it, or give another DataDir.",
            PalStatus.AccessDenied => ". Let the user that runs jackdaw write there, or give another DataDir.",
            PalStatus.NoSpace => ". Free some space and start again.",
            PalStatus.AlreadyExists => ". There is a file where a folder is needed: give another DataDir.",
            _ => "",
        };
        string reason = failure is OperationCanceledException ? "the server was stopped in the meantime" : failure.Message.ReplaceLineEndings(" ");
        return $"The data in '{dataFolder}' cannot be opened: {reason}{advice}";
    }
}
