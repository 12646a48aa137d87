using Jackdaw.Server.Configuration;
using Microsoft.Extensions.Logging.Console;

namespace Jackdaw.Server.Hosting;

/// <summary>Structured logs on stderr: stdout belongs to the one line that says the server is available.</summary>
internal static class Logging
{
    /// <summary>The ISO 8601 format of UTC times.</summary>
    private const string TimeFormat = "yyyy-MM-ddTHH:mm:ss.fffZ";

    public static ILoggerFactory Create(ServerOptions options) => LoggerFactory.Create(logging =>
    {
        LogSwitch log = options.Log;
        logging.SetMinimumLevel(LogLevel.Trace); // the switch decides, because an operator may change it
        logging.AddFilter((category, level) => log.Allows(category, level));
        logging.AddConsole(console => console.LogToStandardErrorThreshold = LogLevel.Trace);
        if (options.LogFormat == LogFormat.Json)
        {
            logging.AddJsonConsole(format =>
            {
                format.UseUtcTimestamp = true;
                format.TimestampFormat = TimeFormat;
            });
        }
        else
        {
            logging.AddSimpleConsole(format =>
            {
                format.SingleLine = true;
                format.UseUtcTimestamp = true;
                format.TimestampFormat = TimeFormat + " ";
                format.ColorBehavior = LoggerColorBehavior.Disabled;
            });
        }
    });
}
