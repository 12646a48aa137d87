namespace Jackdaw.Pal.InMemory;

/// <summary>Failures as Linux reports them, for platforms without an operating system below.</summary>
internal static class MemoryFailure
{
    internal const int Eperm = 1;
    internal const int Enoent = 2;
    internal const int Eio = 5;
    internal const int Eagain = 11;
    internal const int Eexist = 17;
    internal const int Exdev = 18;
    internal const int Enotdir = 20;
    internal const int Eisdir = 21;
    internal const int Einval = 22;
    internal const int Emfile = 24;
    internal const int Enospc = 28;
    internal const int Emlink = 31;
    internal const int Enotempty = 39;
    internal const int Eopnotsupp = 95;

    internal static PalException NotFound(string operation, string path) =>
        new(PalStatus.NotFound, operation, path, Enoent, "No such file or directory");

    internal static PalException NotDirectory(string operation, string path) =>
        new(PalStatus.NotFound, operation, path, Enotdir, "Not a directory");

    internal static PalException Exists(string operation, string path) =>
        new(PalStatus.AlreadyExists, operation, path, Eexist, "File exists");

    internal static PalException NotEmpty(string operation, string path) =>
        new(PalStatus.AlreadyExists, operation, path, Enotempty, "Directory not empty");

    internal static PalException IsDirectory(string operation, string path) =>
        new(PalStatus.InvalidArgument, operation, path, Eisdir, "Is a directory");

    internal static PalException Invalid(string operation, string path) =>
        new(PalStatus.InvalidArgument, operation, path, Einval, "Invalid argument");

    internal static PalException NoSpace(string operation, string path, long offset = -1, long length = -1) =>
        new(PalStatus.NoSpace, operation, path, Enospc, "No space left on device", offset, length);

    internal static PalException LinkToDirectory(string path) =>
        new(PalStatus.NotSupported, "link", path, Eperm, "A directory cannot be linked");

    internal static PalException Locked(string path, string owner) =>
        new(PalStatus.Locked, "lock", path, Eagain, $"Resource temporarily unavailable; held by '{owner.Trim()}'");
}
