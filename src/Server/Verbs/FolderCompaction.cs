using System.Diagnostics;
using System.Globalization;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Extensions;
using Jackdaw.Pal;
using Jackdaw.Pal.Native;
using Jackdaw.Storage;
using Jackdaw.Storage.Compaction;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Headers;
using Spectre.Console;

namespace Jackdaw.Server.Verbs;

/// <summary>Compacts the storages below a folder, one after the other: one storage, or a data folder with "System" and
/// "Databases". A storage that cannot be compacted is not changed. The others are still compacted, except for its own branches.</summary>
/// <remarks>
/// A database comes first, then each of its branches separately:
///  1. Opening the database restores names of journals that branches have lost. Afterwards each branch recovers from its own folder.
///  2. Its compaction removes its own names of journals. Files for which branches have names stay.
///  3. The database is locked until the last branch is done. A branch's compaction removes the branch's names. Each
/// compaction replays everything that was acknowledged, and no storage needs the other's journals. So if the process ends at any point, each storage is either
/// unchanged or compacted, and the next run does everything again. When the database is damaged, its branches keep their names of journals, because one of them
/// may be the last name of a journal with which the database can be repaired.
/// </remarks>
public sealed class FolderCompaction
{
    /// <summary>All are compacted.</summary>
    public const int ExitCodeDone = 0;

    /// <summary>A storage is damaged; it was not changed.</summary>
    public const int ExitCodeDamaged = 1;

    /// <summary>A storage could not be compacted, because the folder does not exist, is in use or belongs to a newer version, or the disk has no room. It was
    /// not changed.</summary>
    public const int ExitCodeNotDone = 2;

    /// <summary>The percents from one line of progress to the next: ten lines for any size.</summary>
    private const int PercentStep = 10;

    private readonly IPlatform _platform;
    private readonly IAnsiConsole _console;
    private readonly DocumentExtensions _extensions;
    private int _exitCode = ExitCodeDone;

    private FolderCompaction(IPlatform platform, IAnsiConsole console, DocumentExtensions extensions)
    {
        _platform = platform;
        _console = console;
        _extensions = extensions;
    }

    /// <summary>Compacts, prints, and returns the exit code of the process, which is the worst outcome.</summary>
    /// <param name="folder">A storage, or a data folder.</param>
    /// <param name="console">The console; null for that of the process.</param>
    public static int Run(string folder, IAnsiConsole? console = null) => Run(folder, console, StandardExtensions.All);

    /// <inheritdoc cref="Run(string, IAnsiConsole?)"/>
    /// <param name="extensions">What documents can have besides their text.</param>
    internal static int Run(string folder, IAnsiConsole? console, DocumentExtensions extensions)
    {
        ArgumentNullException.ThrowIfNull(folder);
        var compaction = new FolderCompaction(new NativePlatform(), console ?? PlainConsole.Open(), extensions);
        StorageFolders.ForEach(Path.GetFullPath(folder), compaction.CompactFamily, compaction.Refuse);
        return compaction._exitCode;
    }

    private void CompactFamily(StorageFamily family)
    {
        if (family.IsRootWanted && !TryCompact(family.Root))
        {
            RefuseAll(family, $"'{family.Root}', whose journals it shares, was not compacted, and may need what is in this folder");
            return;
        }

        if (family.Branches.Count == 0)
        {
            return;
        }

        try
        {
            using IDisposable held = FolderLock.Take(_platform, family.Root);
            foreach (string branch in family.Branches)
            {
                TryCompact(branch);
            }
        }
        catch (PalException failure) when (failure.Status == PalStatus.Locked)
        {
            RefuseAll(family, $"'{family.Root}', whose journals it shares, is in use; stop the server first. {failure.Message}");
        }
        catch (PalException failure)
        {
            RefuseAll(family, failure.Message);
        }
    }

    private void RefuseAll(StorageFamily family, string reason)
    {
        foreach (string branch in family.Branches)
        {
            Refuse(branch, reason);
        }
    }

    /// <summary>Returns false when the storage was not changed.</summary>
    private bool TryCompact(string folder)
    {
        try
        {
            if (!StorageEnvironment.Exists(_platform, folder))
            {
                _console.MarkupLineInterpolated($"[yellow]empty[/]     {folder}: its creation was cut off before anything was stored");
                return true;
            }

            long started = Stopwatch.GetTimestamp();
            CompactionResult result = StorageCompaction.Run(
                _platform, folder, StorageFolders.SchemasOf(_extensions), null, MakeProgress(folder), StorageFolders.CheckFormat);
            double seconds = Stopwatch.GetElapsedTime(started).TotalSeconds;
            string sizes = string.Create(CultureInfo.InvariantCulture,
                $"{ToMegabytes(result.BytesBefore)} -> {ToMegabytes(result.BytesAfter)}, {result.Entries} entries, {seconds:0.0} s");
            _console.MarkupLineInterpolated($"[green]compacted[/] {folder}: {sizes}");
            return true;
        }
        catch (PalException failure) when (failure.Status == PalStatus.Locked)
        {
            Refuse(folder, $"it is in use; stop the server first. {failure.Message}");
        }
        catch (CorruptionException damage)
        {
            _exitCode = Math.Max(_exitCode, ExitCodeDamaged);
            _console.MarkupLineInterpolated($"[red]damaged[/]   {folder}: {damage.Message.ReplaceLineEndings(" ")}");
        }
        catch (Exception failure) when (failure is PalException or NotSupportedException or IOException or StoragePoisonedException)
        {
            Refuse(folder, failure.Message);
        }

        return false;
    }

    private Action<long, long> MakeProgress(string folder)
    {
        long printed = 0;
        return (done, total) =>
        {
            long percent = total == 0 ? 100 : done * 100 / total;
            if (percent >= printed + PercentStep)
            {
                printed = percent / PercentStep * PercentStep;
                _console.MarkupLineInterpolated($"copied    {folder}: {printed} %");
            }
        };
    }

    private static string ToMegabytes(long bytes) => string.Create(CultureInfo.InvariantCulture, $"{bytes / 1048576.0:0.0} MB");

    private void Refuse(string folder, string reason)
    {
        _exitCode = Math.Max(_exitCode, ExitCodeNotDone);
        _console.MarkupLineInterpolated($"[red]not compacted[/] {folder}: {reason.ReplaceLineEndings(" ")}");
    }
}
