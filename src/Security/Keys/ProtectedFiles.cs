using Jackdaw.Pal.Native;

namespace Jackdaw.Security.Keys;

/// <summary>Small files that only the server's user may open. A file is replaced as a whole: after a power cut it has its old contents or its new
/// ones.</summary>
/// <remarks>Windows has no modes; there the rights of the folder hold.</remarks>
internal static class ProtectedFiles
{
    public const UnixFileMode FileMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    public const UnixFileMode FolderMode = FileMode | UnixFileMode.UserExecute;

    /// <summary>The largest file that is read: a list of certificates with some ten thousand entries. A larger file is not ours.</summary>
    private const long FileBytesMax = 64L << 20;

    /// <summary>The number of paths in the line with chmod; that line must stay readable.</summary>
    private const int NamedPathsMax = 8;

    /// <summary>How names of files end that are being written.</summary>
    private const string TemporaryEnding = ".new";

    private const UnixFileMode Others =
        UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.GroupExecute
        | UnixFileMode.OtherRead | UnixFileMode.OtherWrite | UnixFileMode.OtherExecute;

    /// <summary>Files of the system, also of a server whose databases are in memory.</summary>
    internal static readonly NativePlatform Platform = new();

    /// <summary>Makes a folder and its missing parents, and makes the names durable. A folder that exists keeps its mode.</summary>
    public static void CreateFolder(string path)
    {
        if (Directory.Exists(path))
        {
            return;
        }

        if (Path.GetDirectoryName(Path.GetFullPath(path)) is { } parent)
        {
            Platform.CreateDirectory(parent);
        }

        if (OperatingSystem.IsWindows())
        {
            Platform.CreateDirectory(path);
            return;
        }

        // At once with its mode: after a power cut in between, the folder would be refused because others may open it.
        Directory.CreateDirectory(path, FolderMode);
        Platform.SyncDirectories([Path.GetDirectoryName(Path.GetFullPath(path))!]);
    }

    /// <summary>Replaces a file, or makes it. When it returns, the contents are durable.</summary>
    /// <exception cref="IOException">The disk or the system refuses; the old contents are still there.</exception>
    public static void WriteAll(string path, ReadOnlySpan<byte> contents)
    {
        string temporary = $"{path}.{Guid.NewGuid():N}{TemporaryEnding}";
        try
        {
            var options = new FileStreamOptions { Mode = System.IO.FileMode.CreateNew, Access = FileAccess.Write, BufferSize = 0 };
            if (!OperatingSystem.IsWindows())
            {
                options.UnixCreateMode = FileMode;
            }

            using (var file = new FileStream(temporary, options))
            {
                file.Write(contents);
                file.Flush(flushToDisk: true);
            }

            Platform.RenameDurable(temporary, path);
        }
        catch
        {
            TryDelete(temporary);
            throw;
        }
    }

    /// <summary>Reads a file.</summary>
    /// <returns>Null when it does not exist.</returns>
    /// <exception cref="KeyFileException">It is larger than any file of ours.</exception>
    public static byte[]? ReadAll(string path)
    {
        if (!File.Exists(path))
        {
            return null;
        }

        long length = new FileInfo(path).Length;
        return length <= FileBytesMax
            ? File.ReadAllBytes(path)
            : throw new KeyFileException($"'{path}' has {length} bytes, which is more than a file of keys can have. Put the right file there.");
    }

    /// <summary>Removes a file if it exists. When it returns, that is durable.</summary>
    public static void Delete(string path)
    {
        if (File.Exists(path))
        {
            Platform.Delete(path);
            Platform.SyncDirectories([Path.GetDirectoryName(path)!]);
        }
    }

    /// <summary>Removes what writes have left that a crash cut off: it may be a key. Only for whoever has the lock of the folder.</summary>
    public static void DeleteUnfinished(string folder)
    {
        foreach (string path in Directory.EnumerateFiles(folder, $"*{TemporaryEnding}"))
        {
            TryDelete(path);
        }
    }

    /// <summary>Looks whether the owner of a folder can read what this process writes there: not what root writes in the folder of somebody
    /// else.</summary>
    /// <exception cref="KeyFileException">They cannot; the message says as whom to run the command.</exception>
    public static void CheckOwner(string folder)
    {
        if (Environment.IsPrivilegedProcess && NativePlatform.GetOwner(folder) is { } owner and not 0)
        {
            throw new KeyFileException(
                $"'{folder}' belongs to the user with the number {owner}, and the server could not read what root writes "
                + $"there. Run the command as that user: sudo -u '#{owner}' jackdaw ...");
        }
    }

    /// <summary>Looks whether only the user may open a folder and everything in it.</summary>
    /// <exception cref="KeyFileException">Others may; the message has the line with chmod that repairs it.</exception>
    public static void CheckModes(string folder)
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        var options = new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = FileAttributes.ReparsePoint, IgnoreInaccessible = true };
        string[] folders = [.. Directory.EnumerateDirectories(folder, "*", options).Prepend(folder).Where(IsOpenToOthers)];
        string[] files = [.. Directory.EnumerateFiles(folder, "*", options).Where(IsOpenToOthers)];
        if (folders.Length + files.Length > 0)
        {
            string line = string.Join(" && ", MakeLines(folder, folders, files));
            throw new KeyFileException(
                $"Other users of this machine may open {Count(folders.Length + files.Length)} with keys below '{folder}'. Only the user that runs jackdaw " +
                $"may. If nobody else has read the keys, run: {line}");
        }
    }

    private static string Count(int number) => number == 1 ? "a file or folder" : $"{number} files or folders";

    // With many paths, one line repairs everything below the folder.
    private static IEnumerable<string> MakeLines(string folder, string[] folders, string[] files)
    {
        if (folders.Length + files.Length > NamedPathsMax)
        {
            return [$"chmod -R u=rwX,go= {Quote(folder)}"];
        }

        string?[] lines =
        [
            folders.Length > 0 ? $"chmod 700 {string.Join(' ', folders.Select(Quote))}" : null,
            files.Length > 0 ? $"chmod 600 {string.Join(' ', files.Select(Quote))}" : null,
        ];
        return lines.OfType<string>();
    }

    private static string Quote(string path) => $"'{path.Replace("'", "'\\''", StringComparison.Ordinal)}'";

    private static bool IsOpenToOthers(string path) => !OperatingSystem.IsWindows() && (File.GetUnixFileMode(path) & Others) != 0;

    private static void TryDelete(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // The first failure is the one to report; what is left of the file is never read.
        }
    }
}
