namespace Jackdaw.Pal;

/// <summary>Everything that the storage engine needs from the operating system: names, files, locks, links, durability.</summary>
/// <remarks>
/// Three implementations run one test suite: <c>NativePlatform</c> (libpal), <c>MemoryPlatform</c> (names in a table,
/// contents in memfd) and <c>SimulatedPlatform</c> (memory plus power cuts, torn writes and injected errors).
/// All methods block and are thread safe unless they say otherwise. Every failure is a <see cref="PalException"/>.
/// A name change (create, link, rename, delete) is durable only after <see cref="SyncDirectories"/> of its folder.
/// Paths are absolute or relative to the process's folder, UTF-8, with '/' as separator.
/// </remarks>
public interface IPlatform
{
    /// <summary>Short name for logs and statistics: <c>native</c>, <c>memory</c> or <c>simulated</c>.</summary>
    string Name { get; }

    /// <summary>How pages are written now, for statistics.</summary>
    PageWriteMode WriteMode { get; }

    /// <summary>Creates a folder and its missing parents, and makes the new names durable.</summary>
    void CreateDirectory(string path);

    /// <summary>Names (not paths) of the entries of a folder, ordinally sorted; empty when the folder does not
    /// exist.</summary>
    IReadOnlyList<string> ListDirectory(string path);

    /// <summary>True when a file or folder of that name exists.</summary>
    bool Exists(string path);

    /// <summary>Opens or creates a file for one use. It can be called on any thread; the caller disposes the file.</summary>
    PalFile OpenFile(string path, FileOpening opening, FileUse use);

    /// <summary>Takes the exclusive lock of a lock file (created when missing) until the result is disposed or the
    /// process ends.</summary>
    /// <param name="path">Path of the lock file.</param>
    /// <param name="ownerText">Written into the file for humans: process id and start time.</param>
    /// <exception cref="PalException"><see cref="PalStatus.Locked"/> when another open file holds it; the message has
    /// the owner's text.</exception>
    IDisposable Lock(string path, string ownerText);

    /// <summary>Makes a second name for a file (hard link).</summary>
    /// <exception cref="PalException"><see cref="PalStatus.CrossDevice"/>, <see cref="PalStatus.TooManyLinks"/> or
    /// <see cref="PalStatus.NotSupported"/> say why this volume cannot share files.</exception>
    void Link(string existingPath, string newPath);

    /// <summary>Renames a file or folder, replacing an existing file, and makes both folders durable (one
    /// call).</summary>
    void RenameDurable(string fromPath, string toPath);

    /// <summary>Removes a file's name. The file lives on while another name or an open file refers to it.</summary>
    void Delete(string path);

    /// <summary>Removes a folder with everything in it (name by name; not atomic).</summary>
    void DeleteDirectory(string path);

    /// <summary>Makes creations, links, renames and deletions in the named folders durable. One call for a
    /// batch.</summary>
    void SyncDirectories(ReadOnlySpan<string> paths);

    /// <summary>Identity of the file behind a name; equal identities mean the same file.</summary>
    FileIdentity GetIdentity(string path);

    /// <summary>What the file system knows of a file or folder; a symbolic link is followed.</summary>
    FileStatus GetStatus(string path);

    /// <summary>Bytes that an ordinary process may still write to the volume that holds the path.</summary>
    long GetFreeSpace(string path);
}
