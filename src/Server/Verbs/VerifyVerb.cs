using System.CommandLine;

namespace Jackdaw.Server.Verbs;

/// <summary><c>jackdaw verify folder</c>: the place for the storage's verifier, which walks a closed data
/// folder.</summary>
internal static class VerifyVerb
{
    public static Command Create()
    {
        var folder = new Argument<string>("folder") { Description = "Data folder of a server that is not running." };
        var command = new Command("verify", "Check every page and record of a data folder.") { folder };
        command.SetAction(_ =>
        {
            Console.Error.WriteLine("jackdaw: verify is not supported yet by this version of Jackdaw.");
            return 1;
        });
        return command;
    }
}
