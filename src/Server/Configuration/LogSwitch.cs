namespace Jackdaw.Server.Configuration;

/// <summary>Which events go to the log: at first those of the configured level, later those that an operator asks for. Any thread.</summary>
/// <param name="configured">The level with which the server was started, which a new start brings back.</param>
internal sealed class LogSwitch(LogLevel configured)
{
    private volatile LogRetention _retention = LogRetention.Default;
    private volatile int _level = (int)configured;

    /// <summary>The lowest level that is written.</summary>
    public LogLevel Level => (LogLevel)_level;

    /// <summary>The mode with which the server was started.</summary>
    public LogMode Configured => ModeOf(configured);

    public LogMode Current => ModeOf(Level);

    /// <summary>What an operator said last about keeping logs.</summary>
    public LogRetention Retention => _retention;

    /// <summary>Changes what is written, at once and until the server stops.</summary>
    public void Set(LogMode mode, LogRetention retention)
    {
        _retention = retention;
        _level = (int)(mode == Configured ? configured : mode switch
        {
            LogMode.None => LogLevel.None,
            LogMode.Operations => LogLevel.Warning,
            _ => LogLevel.Information,
        });
    }

    /// <summary>Whether an event is written.</summary>
    public bool Allows(string? category, LogLevel level)
    {
        LogLevel least = Level;

        // Kestrel itself logs each refused request and cut connection, as information or debug.
        bool isOfKestrel = category?.StartsWith("Microsoft", StringComparison.Ordinal) == true;
        return level >= (isOfKestrel && least == LogLevel.Information ? LogLevel.Warning : least) && level != LogLevel.None;
    }

    private static LogMode ModeOf(LogLevel level) => level switch
    {
        LogLevel.None => LogMode.None,
        >= LogLevel.Warning => LogMode.Operations,
        _ => LogMode.Information,
    };
}

/// <summary>What is logged, in the words of the protocol.</summary>
internal enum LogMode
{
    None,

    /// <summary>Warnings and errors.</summary>
    Operations,

    /// <summary>Everything that people read in ordinary times.</summary>
    Information,
}

/// <summary>How long logs are kept. The log goes to stderr, and what collects it there decides; the values are given back to clients that ask.</summary>
internal sealed record LogRetention(TimeSpan Time, long? SizeBytes, bool Compress)
{
    public static LogRetention Default { get; } = new(TimeSpan.FromDays(3), null, false);
}
