using Jackdaw.Pal.Native;

namespace Jackdaw.Pal.Measurement;

/// <summary>Names of the write modes, and the choice of one by a real write.</summary>
public static unsafe class PageWriteModes
{
    /// <summary>The mode used when none is configured.</summary>
    public const PageWriteMode Default = NativePlatform.DefaultWriteMode;

    // Always the same file name, so that crashes do not leave several files.
    private const string ProbeName = "write-mode-probe";

    private const int ProbeBytes = 2 * PalLimits.Alignment;

    private static readonly string[] s_names = ["file_io", "vectored_file_io", "io_ring", "mmap"];

    /// <summary>Names in the order of the enum: as configuration and statistics spell them.</summary>
    public static IReadOnlyList<string> Names => s_names;

    /// <summary>The name of a mode.</summary>
    public static string NameOf(PageWriteMode mode) => s_names[(int)mode];

    /// <summary>The mode with a given name, without regard to case; null when there is none.</summary>
    public static PageWriteMode? Find(string name)
    {
        int index = Array.FindIndex(s_names, known => string.Equals(known, name, StringComparison.OrdinalIgnoreCase));
        return index < 0 ? null : (PageWriteMode)index;
    }

    /// <summary>A platform with a mode that works in a folder: the wanted mode (null for the default), else <see cref="PageWriteMode.VectoredFileIo"/>.
    /// The mode is tried by writing, syncing and reading a file there.</summary>
    /// <param name="folder">The data folder; created when missing.</param>
    /// <param name="wanted">What the configuration asks for.</param>
    /// <remarks>It never fails. If the folder cannot be written at all, opening a storage in it reports that.</remarks>
    public static NativePlatform Probe(string folder, PageWriteMode? wanted)
    {
        var platform = new NativePlatform(wanted ?? Default);
        return platform.WriteMode == PageWriteMode.VectoredFileIo || CanWrite(platform, folder)
            ? platform
            : new NativePlatform(PageWriteMode.VectoredFileIo);
    }

    /// <summary>Writes two pages apart from each other, makes them durable and reads them back.</summary>
    internal static bool CanWrite(IPlatform platform, string folder)
    {
        string path = $"{folder}/{ProbeName}";
        byte* memory = PalMemory.Allocate(ProbeBytes);
        try
        {
            platform.CreateDirectory(folder);
            using PalFile file = platform.OpenFile(path, FileOpening.OpenOrCreate, FileUse.Data);
            return CanWrite(file, memory);
        }
        catch (PalException)
        {
            return false;
        }
        finally
        {
            PalMemory.Free(memory, ProbeBytes);
            DeleteProbe(platform, path);
        }
    }

    private static bool CanWrite(PalFile file, byte* memory)
    {
        const int page = PalLimits.Alignment;
        var written = new Span<byte>(memory, page);
        written.Fill(0x5A);
        file.WritePages(
        [
            new PalPageWrite { Base = memory, Offset = 0, Length = page },
            new PalPageWrite { Base = memory, Offset = 2 * page, Length = page },
        ]);
        file.Sync(SyncKind.Data);
        var read = new Span<byte>(memory + page, page);
        return file.Read(2 * page, memory + page, page) == page && read.SequenceEqual(written);
    }

    private static void DeleteProbe(IPlatform platform, string path)
    {
        try
        {
            platform.Delete(path);
        }
        catch (PalException)
        {
            // Another process that starts at the same time may have deleted it.
        }
    }
}
