using System.Runtime.ExceptionServices;
using Jackdaw.Security.Keys;

namespace Jackdaw.Security.Auditing;

/// <summary>The files of the log: one for each day, appended to; old ones are deleted.</summary>
/// <remarks>Not thread safe: the log has one lock. After a failure the next write begins anew, with a line feed after what may be half a line.</remarks>
internal sealed class AuditFolder : IDisposable
{
    /// <summary>Days whose files are deleted for their age when a file begins: usually one. A clock that jumps ahead for a moment cannot delete a
    /// month.</summary>
    private const int AgedDaysMax = 2;

    private readonly string _folder;
    private readonly AuditLimits _limits;
    private readonly Func<string, Stream> _open;
    private readonly Action<string> _delete;
    private AuditFile _current;
    private Stream? _stream;
    private long _othersBytes; // of all files but the current one

    /// <param name="open">Opens a file for appending, and makes it when it is missing; null for files that only the user of the server can read.</param>
    /// <param name="delete">Deletes a file; null: the system does.</param>
    public AuditFolder(string folder, AuditLimits limits, Func<string, Stream>? open = null, Action<string>? delete = null)
    {
        _delete = delete ?? File.Delete;
        _folder = folder;
        _limits = limits;
        _open = open ?? Open;
    }

    /// <summary>Appends lines.</summary>
    /// <param name="isDurable">Whether they are on the disk when the method returns; otherwise the system has them.</param>
    /// <exception cref="IOException">They could not be written, or only in part.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder or file does not belong to the user of the server.</exception>
    public void Append(ReadOnlySpan<byte> lines, DateOnly day, bool isDurable)
    {
        try
        {
            if (isDurable && _stream is not null && !File.Exists(Path.Combine(_folder, _current.Name)))
            {
                Close(); // somebody deleted the file: what is written to it now would be lost
            }

            Stream stream = StreamFor(day, lines.Length);
            stream.Write(lines);
            stream.Flush();
            if (isDurable && stream is FileStream file)
            {
                file.Flush(flushToDisk: true);
            }
        }
        catch
        {
            Close();
            throw;
        }
    }

    public void Dispose() => Close();

    private void Close()
    {
        Stream? stream = _stream;
        _stream = null;
        try
        {
            stream?.Dispose();
        }
        catch (IOException)
        {
            // What was in its buffer could not be written: Append has already said so.
        }
    }

    private Stream StreamFor(DateOnly day, int bytes)
    {
        bool fits = _stream is { } stream && _current.Day >= day && stream.Length + bytes <= _limits.FileBytesMax;
        if (!fits)
        {
            Close();
            _stream = Begin(day, bytes);
        }

        if (_othersBytes + _stream!.Length + bytes > _limits.BytesMax)
        {
            DeleteOld(day, bytes);
        }

        return _stream;
    }

    private Stream Begin(DateOnly day, int bytes)
    {
        ProtectedFiles.CreateFolder(Path.GetDirectoryName(_folder)!); // before, because it also gets the narrow mode
        ProtectedFiles.CreateFolder(_folder);
        List<AuditFile> files = AuditFile.List(_folder);

        // A clock that was set back a little must not make lines stand before older ones. One that was years ahead must not keep all lines in one file.
        AuditFile last = files.LastOrDefault(one => one.Day <= day.AddDays(1));
        AuditFile file = last.Part > 0 && last.Day >= day ? last : new AuditFile(day, 1);
        long length = LengthOf(file);
        if (length + bytes > _limits.FileBytesMax && length > 0)
        {
            file = file with { Part = file.Part + 1 };
        }

        Stream stream = _open(Path.Combine(_folder, file.Name));
        _current = file;
        if (stream.Length > 0)
        {
            EndHalfLine(stream, Path.Combine(_folder, file.Name));
        }

        _stream = stream;
        DeleteOld(day, bytes);
        return stream;
    }

    private long LengthOf(AuditFile file)
    {
        var entry = new FileInfo(Path.Combine(_folder, file.Name));
        return entry.Exists ? entry.Length : 0;
    }

    // After a crash or a full disk the last line may be cut off.
    private static void EndHalfLine(Stream stream, string path)
    {
        using var reader = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        reader.Seek(-1, SeekOrigin.End);
        if (reader.ReadByte() != '\n')
        {
            stream.Write("\n"u8);
        }
    }

    private void DeleteOld(DateOnly day, int bytes)
    {
        List<AuditFile> files = AuditFile.List(_folder);
        files.Remove(_current);
        _othersBytes = files.Sum(LengthOf);
        long roomBytes = _limits.BytesMax - _stream!.Length - bytes;
        var aged = new HashSet<DateOnly>();
        Exception? failed = null;
        foreach (AuditFile file in files)
        {
            bool isTooMuch = _othersBytes > roomBytes;
            if (!isTooMuch && (file.Day > day.AddDays(-_limits.DaysMax) || (aged.Add(file.Day) && aged.Count > AgedDaysMax)))
            {
                break;
            }

            failed = TryDelete(file) ?? failed;
        }

        if (failed is not null && _othersBytes > roomBytes)
        {
            ExceptionDispatchInfo.Throw(failed);
        }
    }

    // A file that somebody has protected must not keep new lines from being written, as long as there is room.
    private Exception? TryDelete(AuditFile file)
    {
        long length = LengthOf(file);
        try
        {
            _delete(Path.Combine(_folder, file.Name));
            _othersBytes -= length;
            return null;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return failure;
        }
    }

    private static FileStream Open(string path)
    {
        var options = new FileStreamOptions
        {
            Mode = FileMode.Append,
            Access = FileAccess.Write,
            Share = FileShare.ReadWrite | FileShare.Delete,
        };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = ProtectedFiles.FileMode;
        }

        return new FileStream(path, options);
    }
}
