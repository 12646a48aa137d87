using System.CommandLine;

namespace Jackdaw.Server.Verbs;

/// <summary><c>jackdaw compact folder</c>: the command line of <see cref="FolderCompaction"/>.</summary>
internal static class CompactVerb
{
    public static Command Create()
    {
        var folder = new Argument<string>("folder")
        {
            Description = "Data folder, or the folder of one storage in it, of a server that is not running.",
        };
        var command = new Command(
            "compact",
            "Rewrite storages without their free space. Needs disk space for both copies. Run it as the user of the server, "
            + "because the new files belong to the user who runs it. Exit code 0: done, 1: damaged, 2: not done.") { folder };
        command.SetAction(parsed => FolderCompaction.Run(parsed.GetValue(folder)!));
        return command;
    }
}
