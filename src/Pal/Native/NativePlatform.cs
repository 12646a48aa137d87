using System.Runtime.InteropServices;
using System.Text;
using Jackdaw.Pal.Interop;

namespace Jackdaw.Pal.Native;

/// <summary>The operating system, through libpal.</summary>
/// <remarks>Thread safe; its only state is its write mode. All methods block on the disk.</remarks>
public sealed unsafe class NativePlatform : IPlatform
{
    /// <summary>The mode used when none is configured; the fastest by bench/results, see
    /// docs/decisions/0011-page-write-mode.md.</summary>
    public const PageWriteMode DefaultWriteMode = PageWriteMode.IoRing;

    // Owner texts are a process id and a time; more would be somebody else's file.
    private const int OwnerTextBytesMax = 512;

    // One read of a folder: some hundred names. The C side wants at least 4 KB.
    private const int DirectoryBufferBytes = 32 * 1024;

    // No tree is deeper than the longest path that the system accepts.
    private const int DirectoryDepthMax = 512;

    private readonly PageWriteMode _writeMode;

    /// <summary>Files of the system.</summary>
    /// <param name="writeMode">How pages are written; <c>PageWriteModes.Probe</c> finds one that works.</param>
    public NativePlatform(PageWriteMode writeMode = DefaultWriteMode)
    {
        _writeMode = writeMode;
    }

    /// <inheritdoc/>
    public string Name => "native";

    /// <inheritdoc/>
    public PageWriteMode WriteMode =>
        _writeMode == PageWriteMode.IoRing && !WriteRing.IsWorking ? PageWriteMode.VectoredFileIo : _writeMode;

    /// <summary>Fails with one clear line when libpal is missing, instead of in the first call of the
    /// platform.</summary>
    /// <exception cref="DllNotFoundException">libpal is not beside the assembly, or of another version.</exception>
    public static void EnsureAvailable() => _ = LibPal.pal_abi_version();

    /// <inheritdoc/>
    public void CreateDirectory(string path)
    {
        PalContract.CheckPath(path, "create directory");
        PalFailure.ThrowIf(LibPal.pal_directory_create(path, out NativeError error), error, path);
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> ListDirectory(string path)
    {
        PalContract.CheckPath(path, "list directory");
        int status = LibPal.pal_directory_open(path, out nint directory, out NativeError error);
        if (status == (int)PalStatus.NotFound)
        {
            return [];
        }

        PalFailure.ThrowIf(status, error, path);
        try
        {
            List<string> names = ReadNames(directory, path);
            names.Sort(StringComparer.Ordinal);
            return names;
        }
        finally
        {
            LibPal.pal_directory_close(directory, out _);
        }
    }

    /// <inheritdoc/>
    public bool Exists(string path)
    {
        PalContract.CheckPath(path, "stat");
        int status = LibPal.pal_path_status(path, 1, out _, out NativeError error);
        if (status == (int)PalStatus.NotFound)
        {
            return false;
        }

        PalFailure.ThrowIf(status, error, path);
        return true;
    }

    /// <inheritdoc/>
    public PalFile OpenFile(string path, FileOpening opening, FileUse use)
    {
        PalContract.CheckPath(path, "open");
        int status = LibPal.pal_file_open(
            path, opening, use, out int descriptor, out int direct, out NativeError error);
        PalFailure.ThrowIf(status, error, path);
        var file = new FileDescriptor(descriptor);
        try
        {
            return new NativeFile(path, use, file, direct != 0, _writeMode);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public IDisposable Lock(string path, string ownerText)
    {
        PalContract.CheckPath(path, "lock");
        ArgumentNullException.ThrowIfNull(ownerText);
        byte* owner = stackalloc byte[OwnerTextBytesMax];
        int status = LibPal.pal_lock(
            path, ownerText, out int descriptor, owner, OwnerTextBytesMax, out NativeError error);
        if (status == (int)PalStatus.Locked)
        {
            string holder = Encoding.UTF8.GetString(MemoryMarshal.CreateReadOnlySpanFromNullTerminated(owner)).Trim();
            throw PalFailure.Create(error, path, $"; held by '{holder}'");
        }

        PalFailure.ThrowIf(status, error, path);
        return new FileDescriptor(descriptor);
    }

    /// <inheritdoc/>
    public void Link(string existingPath, string newPath)
    {
        PalContract.CheckPath(existingPath, "link");
        PalContract.CheckPath(newPath, "link");
        int status = LibPal.pal_link(existingPath, newPath, out NativeError error);
        PalFailure.ThrowIf(status, error, $"{existingPath}' to '{newPath}");
    }

    /// <inheritdoc/>
    public void RenameDurable(string fromPath, string toPath)
    {
        PalContract.CheckPath(fromPath, "rename");
        PalContract.CheckPath(toPath, "rename");
        int status = LibPal.pal_rename_durable(fromPath, toPath, out NativeError error);
        PalFailure.ThrowIf(status, error, $"{fromPath}' to '{toPath}");
    }

    /// <inheritdoc/>
    public void Delete(string path)
    {
        PalContract.CheckPath(path, "delete");
        PalFailure.ThrowIf(LibPal.pal_delete(path, out NativeError error), error, path);
    }

    /// <inheritdoc/>
    public void DeleteDirectory(string path)
    {
        PalContract.CheckPath(path, "remove directory");
        if (!IsDirectory(path))
        {
            throw new PalException(PalStatus.NotFound, "remove directory", path, 0, "not a directory");
        }

        DeleteTree(path, 0);
    }

    /// <inheritdoc/>
    public void SyncDirectories(ReadOnlySpan<string> paths)
    {
        byte** texts = (byte**)NativeMemory.AllocZeroed((nuint)paths.Length + 1, (nuint)sizeof(byte*));
        try
        {
            for (int i = 0; i < paths.Length; i++)
            {
                PalContract.CheckPath(paths[i], "sync directory");
                texts[i] = (byte*)Marshal.StringToCoTaskMemUTF8(paths[i]);
            }

            int status = LibPal.pal_sync_directories(texts, paths.Length, out NativeError error);
            PalFailure.ThrowIf(status, error, status == 0 ? "" : paths[Math.Max(error.Item, 0)]);
        }
        finally
        {
            for (int i = 0; i < paths.Length; i++)
            {
                Marshal.FreeCoTaskMem((nint)texts[i]);
            }

            NativeMemory.Free(texts);
        }
    }

    /// <inheritdoc/>
    public FileIdentity GetIdentity(string path) => GetStatus(path).Identity;

    /// <inheritdoc/>
    public FileStatus GetStatus(string path)
    {
        PalContract.CheckPath(path, "stat");
        int status = LibPal.pal_path_status(path, 1, out NativeFileStatus found, out NativeError error);
        PalFailure.ThrowIf(status, error, path);
        return new FileStatus(new FileIdentity(found.Device, found.File), found.Length, found.Allocated, found.Links, found.IsDirectory != 0);
    }

    /// <summary>The number of the user who owns a file or folder; null on Windows, which has no such numbers.</summary>
    /// <exception cref="PalException">It does not exist, or the system refuses.</exception>
    public static long? GetOwner(string path)
    {
        PalContract.CheckPath(path, "stat");
        int status = LibPal.pal_path_status(path, 1, out NativeFileStatus found, out NativeError error);
        PalFailure.ThrowIf(status, error, path);
        return found.Owner < 0 ? null : found.Owner;
    }

    /// <inheritdoc/>
    public long GetFreeSpace(string path)
    {
        PalContract.CheckPath(path, "free space");
        PalFailure.ThrowIf(LibPal.pal_free_space(path, out long bytes, out NativeError error), error, path);
        return bytes;
    }

    private static List<string> ReadNames(nint directory, string path)
    {
        var names = new List<string>();
        byte[] array = new byte[DirectoryBufferBytes];
        fixed (byte* buffer = array)
        {
            while (true)
            {
                int status = LibPal.pal_directory_read(
                    directory, buffer, array.Length, out int used, out NativeError error);
                PalFailure.ThrowIf(status, error, path);
                if (used == 0)
                {
                    return names;
                }

                // Splitting at the last name's terminator would give one empty name.
                string text = Encoding.UTF8.GetString(buffer, used - 1);
                names.AddRange(text.Split('\0'));
            }
        }
    }

    // A symbolic link to a folder counts as a name to delete, not as a folder to walk.
    private static bool IsDirectory(string path)
    {
        int status = LibPal.pal_path_status(path, 0, out NativeFileStatus found, out NativeError error);
        PalFailure.ThrowIf(status, error, path);
        return found.IsDirectory != 0;
    }

    private void DeleteTree(string path, int depth)
    {
        if (depth > DirectoryDepthMax)
        {
            throw PalFailure.Refuse("remove directory", path, $"more than {DirectoryDepthMax} levels deep");
        }

        foreach (string name in ListDirectory(path))
        {
            string child = $"{path}/{name}";
            if (IsDirectory(child))
            {
                DeleteTree(child, depth + 1);
            }
            else
            {
                Delete(child);
            }
        }

        PalFailure.ThrowIf(LibPal.pal_directory_remove(path, out NativeError error), error, path);
    }
}
