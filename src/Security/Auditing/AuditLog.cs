using System.Buffers;
using System.Net;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Security.Auditing;

/// <summary>The record of who did what: JSON lines, one file a day; thirty days and at most a gigabyte of them are kept.</summary>
/// <remarks>
/// 1. The line of a change is on the disk before the change begins: <see cref="Begin"/> throws when it cannot be written, and the change is refused.
/// 2. How a change ended, and refusals, are written as well as the disk allows: a failing disk cannot undo them.
/// 3. What a stranger can make it write is bounded: one line a second for an address, a number of addresses, and a number of bytes a day.
/// Any thread; one lock.
/// </remarks>
internal sealed class AuditLog : IDisposable
{
    /// <summary>Refusals of one sender are counted for this long before the next line.</summary>
    private static readonly TimeSpan s_refusalTime = TimeSpan.FromSeconds(1);

    /// <summary>Refusals of all senders together are counted for this long on a day that already has too many lines of them.</summary>
    private static readonly TimeSpan s_pooledTime = TimeSpan.FromMinutes(1);

    /// <summary>A failing disk is reported to the server's log at most once in this time.</summary>
    private static readonly TimeSpan s_reportTime = TimeSpan.FromMinutes(1);

    private readonly AuditLimits _limits;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly Lock _lock = new(); // guards everything below
    private readonly AuditFolder _files;
    private readonly ArrayBufferWriter<byte> _buffer = new();
    private readonly RefusalCounts _refusals = new();
    private readonly ITimer _counting;
    private DateOnly _day;
    private long _refusalBytes; // of the day
    private bool _isCounting;
    private bool _isDisposed;
    private long? _reportedAt;
    private long _actions;

    /// <param name="folder">Is made, for the user of the server only, when the first line is written.</param>
    /// <param name="open">As for <see cref="AuditFolder"/>.</param>
    public AuditLog(string folder, TimeProvider time, ILogger logger, AuditLimits? limits = null, Func<string, Stream>? open = null)
    {
        Folder = folder;
        _limits = limits ?? AuditLimits.Default;
        _time = time;
        _logger = logger;
        _files = new AuditFolder(folder, _limits, open);
        _counting = time.CreateTimer(_ => WriteCounted(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public string Folder { get; }

    /// <summary>A number for the two lines of an action.</summary>
    public long NextAction() => Interlocked.Increment(ref _actions);

    /// <summary>Writes a line without which an action must not begin.</summary>
    /// <param name="isDurable">Whether the line is on the disk when the method returns: for changes by administrators. Otherwise the system has it.</param>
    /// <exception cref="AuditUnavailableException">The line could not be written.</exception>
    public void Begin(in AuditRecord record, bool isDurable)
    {
        lock (_lock)
        {
            if (TryAppend(record, isDurable) is { } failure)
            {
                throw new AuditUnavailableException(Folder, failure);
            }
        }
    }

    /// <summary>Writes a line about something that already happened. When that fails, the server's log says so.</summary>
    public void Write(in AuditRecord record)
    {
        lock (_lock)
        {
            TryAppend(record, isDurable: false);
        }
    }

    /// <summary>Records a refusal: the first one of a sender at once, further ones with one line a second that counts them.</summary>
    /// <param name="isStranger">As for <see cref="RefusalCounts.Add"/>.</param>
    public void Refuse(in AuditRecord refusal, bool isStranger)
    {
        lock (_lock)
        {
            if (_isDisposed)
            {
                return;
            }

            if (IsDayFull)
            {
                _refusals.AddToOthers();
            }
            else if (_refusals.Add(refusal, isStranger))
            {
                TryAppend(refusal, isDurable: false);
                _refusalBytes += _buffer.WrittenCount;
            }

            if (!_isCounting)
            {
                _isCounting = true;
                _counting.Change(IsDayFull ? s_pooledTime : s_refusalTime, Timeout.InfiniteTimeSpan);
            }
        }
    }

    /// <summary>Records that a connection was refused before anything was known of its sender.</summary>
    public void RefuseConnection(IPAddress? address, string reason) => Refuse(
        new AuditRecord
        {
            Kind = AuditKinds.Refusal,
            Outcome = AuditOutcomes.Refused,
            Sender = new AuditSender("a connection", null, null, AuditSender.Show(address)),
            Details = [new("reason", reason)],
        },
        isStranger: true);

    /// <summary>Writes what was counted.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            if (!_isDisposed)
            {
                WriteCounted();
                _isDisposed = true;
                _files.Dispose();
            }
        }

        _counting.Dispose();
    }

    private bool IsDayFull
    {
        get
        {
            DateOnly day = Today();
            if (day != _day)
            {
                _day = day;
                _refusalBytes = 0;
            }

            return _refusalBytes >= _limits.RefusalBytesPerDayMax;
        }
    }

    private DateOnly Today() => DateOnly.FromDateTime(_time.GetUtcNow().UtcDateTime);

    private void WriteCounted()
    {
        lock (_lock)
        {
            if (_isDisposed)
            {
                return;
            }

            foreach (AuditRecord line in IsDayFull ? _refusals.TakeTogether() is { } together ? [together] : [] : _refusals.Take())
            {
                TryAppend(line, isDurable: false);
                _refusalBytes += _buffer.WrittenCount;
            }

            _isCounting = !_refusals.IsEmpty;
            if (_isCounting)
            {
                _counting.Change(IsDayFull ? s_pooledTime : s_refusalTime, Timeout.InfiniteTimeSpan);
            }
        }
    }

    private Exception? TryAppend(in AuditRecord record, bool isDurable)
    {
        _buffer.ResetWrittenCount();
        DateTimeOffset now = _time.GetUtcNow();
        try
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            AuditLine.Write(_buffer, record, now);
            _files.Append(_buffer.WrittenSpan, DateOnly.FromDateTime(now.UtcDateTime), isDurable);
            return null;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ObjectDisposedException)
        {
            Report(failure);
            return failure;
        }
    }

    private void Report(Exception failure)
    {
        if (_reportedAt is { } reported && _time.GetElapsedTime(reported) < s_reportTime)
        {
            return;
        }

        _reportedAt = _time.GetTimestamp();
        _logger.LogError(
            "The audit log in {Folder} cannot be written ({Reason}). Changes by administrators are refused until it can: " +
            "make room, or let the server write there.",
            Folder, failure.Message);
    }
}
