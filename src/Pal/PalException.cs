namespace Jackdaw.Pal;

/// <summary>What kind of failure the operating system reported; the same numbers as in native/pal.h.</summary>
public enum PalStatus
{
    /// <summary>No failure.</summary>
    Ok = 0,

    /// <summary>Any I/O error without a kind of its own (EIO and the rest).</summary>
    IoError = 1,

    /// <summary>No space left on the volume, or quota used up.</summary>
    NoSpace = 2,

    /// <summary>The name does not exist.</summary>
    NotFound = 3,

    /// <summary>The name exists already.</summary>
    AlreadyExists = 4,

    /// <summary>Not permitted (EACCES, EPERM, EROFS).</summary>
    AccessDenied = 5,

    /// <summary>Another process or file holds the lock.</summary>
    Locked = 6,

    /// <summary>A link across volumes was asked for.</summary>
    CrossDevice = 7,

    /// <summary>The file has as many names as its file system allows.</summary>
    TooManyLinks = 8,

    /// <summary>The volume or kernel does not support the operation.</summary>
    NotSupported = 9,

    /// <summary>An argument broke the contract: a bug of the caller.</summary>
    InvalidArgument = 10,

    /// <summary>There was not enough memory for the call.</summary>
    NoMemory = 11,

    /// <summary>The process or the system has reached its limit of open files.</summary>
    TooManyFiles = 12,
}

/// <summary>A failed call of the platform layer, with the facts an operator needs.</summary>
public sealed class PalException : IOException
{
    /// <summary>Builds the exception; the message names operation, path, operating system error and position.</summary>
    public PalException(
        PalStatus status, string operation, string path, int osError, string osErrorText,
        long offset = -1, long length = -1)
        : base(BuildMessage(status, operation, path, osError, osErrorText, offset, length))
    {
        Status = status;
        Operation = operation;
        Path = path;
        OsError = osError;
        Offset = offset;
        Length = length;
    }

    /// <summary>Kind of failure.</summary>
    public PalStatus Status { get; }

    /// <summary>Name of the operation that failed, for example <c>fdatasync</c>.</summary>
    public string Operation { get; }

    /// <summary>File or folder.</summary>
    public string Path { get; }

    /// <summary>errno; 0 when the failure did not come from the operating system.</summary>
    public int OsError { get; }

    /// <summary>Byte offset of the failed piece, -1 when it has none.</summary>
    public long Offset { get; }

    /// <summary>Bytes of the failed piece, -1 when it has none.</summary>
    public long Length { get; }

    /// <summary>True when freeing disk space lets the same call succeed.</summary>
    public bool IsDiskFull => Status == PalStatus.NoSpace;

    /// <summary>True when the system lacked something that other programs release: the same call may succeed in a
    /// moment.</summary>
    public bool IsShortage => Status is PalStatus.NoMemory or PalStatus.TooManyFiles;

    private static string BuildMessage(
        PalStatus status, string operation, string path, int osError, string text, long offset, long length)
    {
        string where = offset >= 0 ? $" at byte {offset}, {length} bytes" : "";
        string error = osError != 0 ? $"{text} (errno {osError})" : text;
        return $"{operation} of '{path}'{where} failed: {error} [{status}]";
    }
}
