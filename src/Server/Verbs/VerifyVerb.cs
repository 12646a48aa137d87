using System.CommandLine;

namespace Jackdaw.Server.Verbs;

/// <summary><c>jackdaw verify folder</c>: the command line of <see cref="FolderVerification"/>.</summary>
internal static class VerifyVerb
{
    public static Command Create()
    {
        var folder = new Argument<string>("folder")
        {
            Description = "Data folder, or the folder of one storage in it, of a server that is not running.",
        };
        var command = new Command(
            "verify", "Check every page and row of a data folder. Exit code 0: sound, 1: damaged, 2: not checked.") { folder };
        command.SetAction(parsed => FolderVerification.Run(parsed.GetValue(folder)!));
        return command;
    }
}
