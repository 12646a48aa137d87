using Jackdaw.Json;

namespace Jackdaw.Server.Live;

/// <summary>The newest lines of the log, beside what collects them all. Any thread.</summary>
/// <remarks>The switch of the log decides what comes here, as it does for stderr.</remarks>
internal sealed class LogTail(TimeProvider time) : ILoggerProvider
{
    public const int EntriesMax = 1000;

    /// <summary>The most characters of a message, and of a failure with its stack: all lines together take at most some megabytes.</summary>
    public const int TextMax = 4096;

    public Tail<LogEntry> Entries { get; } = new(EntriesMax);

    public ILogger CreateLogger(string categoryName) => new Logger(this, categoryName);

    public void Dispose()
    {
    }

    private sealed class Logger(LogTail tail, string category) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel != LogLevel.None;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            tail.Entries.Add(new LogEntry(
                tail.Time.GetUtcNow(), logLevel, category, ShortText.Of(formatter(state, exception), TextMax),
                exception is null ? null : ShortText.Of(exception.ToString(), TextMax)));
    }

    private TimeProvider Time => time;
}

/// <summary>One line of the log.</summary>
/// <param name="Failure">The exception with its stack; null when there was none.</param>
internal sealed record LogEntry(DateTimeOffset At, LogLevel Level, string Category, string Message, string? Failure);
