using Spectre.Console;

namespace Jackdaw.Server.Verbs;

/// <summary>The console on which verbs print. On a terminal it is unchanged; for files and pipes it has no colours and no line wrapping.</summary>
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
