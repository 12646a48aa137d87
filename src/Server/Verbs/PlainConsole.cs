using Spectre.Console;

namespace Jackdaw.Server.Verbs;

/// <summary>The console that verbs print to: unchanged on a terminal; for files and pipes without colours and line
/// wrapping.</summary>
internal static class PlainConsole
{
    public static IAnsiConsole Open()
    {
        if (!Console.IsOutputRedirected)
        {
            return AnsiConsole.Console;
        }

        IAnsiConsole plain = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = AnsiSupport.No,
            ColorSystem = ColorSystemSupport.NoColors,
            Out = new AnsiConsoleOutput(Console.Out),
        });
        plain.Profile.Width = int.MaxValue;
        return plain;
    }
}
