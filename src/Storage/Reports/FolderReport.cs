using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Reports;

/// <summary>What the files below a folder take on the disk: storages, journals with all their names, and the rest. Bytes are those of blocks, as <c>du</c>
/// counts them, and each file counts once however many names it has.</summary>
/// <param name="Storages">Those in the folder and below it, outermost first.</param>
/// <param name="Journals">The journal files of all of them.</param>
/// <param name="OtherBytes">What lies in no storage's folder.</param>
public sealed record FolderReport(IReadOnlyList<StorageFolder> Storages, IReadOnlyList<ReportedJournal> Journals, long OtherBytes)
{
    /// <summary>Bytes of everything.</summary>
    public long TotalBytes => Storages.Sum(one => one.DataBytes + one.OtherBytes) + Journals.Sum(one => one.Bytes) + OtherBytes;

    /// <summary>Reads what is there now. Files that come or go at the same time are in it or not.</summary>
    /// <exception cref="PalException">The file system refuses to be read.</exception>
    public static FolderReport Read(IPlatform platform, string folder) => new FolderWalk(platform, folder).Run();
}

/// <summary>The files of one storage, without its journals.</summary>
/// <param name="Folder">Its folder as seen from the folder of the report; empty for that folder itself.</param>
/// <param name="DataBytes">Bytes of the data file.</param>
/// <param name="DataLength">Its length, with the holes that were given back to the file system.</param>
/// <param name="OtherBytes">Headers, lock, folders.</param>
public sealed record StorageFolder(string Folder, long DataBytes, long DataLength, long OtherBytes);

/// <summary>One journal file.</summary>
/// <param name="Bytes">Bytes of its blocks.</param>
/// <param name="Length">Its length.</param>
/// <param name="Links">Names that it has, also those outside the folder of the report.</param>
/// <param name="Names">Names that were found, by the folder of the storage.</param>
public sealed record ReportedJournal(long Bytes, long Length, int Links, IReadOnlyList<JournalName> Names);

/// <summary>A name of a journal file in a storage.</summary>
/// <param name="Folder">The storage's folder, as <see cref="StorageFolder.Folder"/>.</param>
/// <param name="Name">The name in its folder of journals.</param>
/// <param name="Number">The number under which the storage knows it; null when the name has another form.</param>
public readonly record struct JournalName(string Folder, string Name, long? Number);

/// <summary>Walks the folder of a report.</summary>
internal sealed class FolderWalk(IPlatform platform, string root)
{
    private readonly List<StorageFolder> _storages = [];
    private readonly Dictionary<FileIdentity, (FileStatus Status, List<JournalName> Names)> _journals = [];
    private readonly HashSet<FileIdentity> _counted = []; // files that are not journals
    private long _otherBytes;

    public FolderReport Run()
    {
        _otherBytes += Walk("", isStorage: false);
        return new FolderReport(
            _storages,
            [.. _journals.Values
                .Select(journal => new ReportedJournal(journal.Status.AllocatedBytes, journal.Status.Length, journal.Status.Links, journal.Names))
                .OrderBy(journal => journal.Names[0].Name, StringComparer.Ordinal)],
            _otherBytes);
    }

    /// <returns>The bytes of the folder that belong to nothing that was found in it.</returns>
    private long Walk(string folder, bool isStorage)
    {
        IReadOnlyList<string> names = platform.ListDirectory(PathOf(folder));
        int place = _storages.Count;
        isStorage |= names.Contains(DataFile.FileName) && names.Contains(HeaderFile.FileName);
        long bytes = StatusOf(folder) is { } own ? own.AllocatedBytes : 0;
        (long Bytes, long Length) data = default;
        foreach (string name in names)
        {
            string child = folder.Length == 0 ? name : $"{folder}/{name}";
            if (StatusOf(child) is not { } status)
            {
                continue; // it has just been removed
            }

            if (status.IsDirectory)
            {
                bytes += name == JournalFormat.FolderName ? WalkJournals(folder, child, status) : Walk(child, isStorage: false);
            }
            else if (isStorage && name == DataFile.FileName)
            {
                data = (status.AllocatedBytes, status.Length);
            }
            else if (status.Links == 1 || _counted.Add(status.Identity))
            {
                bytes += status.AllocatedBytes;
            }
        }

        Debug.Assert(isStorage || data.Length == 0);
        if (!isStorage)
        {
            return bytes;
        }

        _storages.Insert(place, new StorageFolder(folder, data.Bytes, data.Length, bytes));
        return 0;
    }

    private long WalkJournals(string storage, string folder, in FileStatus own)
    {
        foreach (string name in platform.ListDirectory(PathOf(folder)))
        {
            if (StatusOf($"{folder}/{name}") is not { IsDirectory: false } status)
            {
                continue;
            }

            if (!_journals.TryGetValue(status.Identity, out (FileStatus Status, List<JournalName> Names) known))
            {
                _journals[status.Identity] = known = (status, []);
            }

            known.Names.Add(new JournalName(storage, name, JournalFormat.TryParseFileName(name, out long number) ? number : null));
        }

        return own.AllocatedBytes;
    }

    private FileStatus? StatusOf(string path)
    {
        try
        {
            return platform.GetStatus(PathOf(path));
        }
        catch (PalException failure) when (failure.Status == PalStatus.NotFound)
        {
            return null;
        }
    }

    private string PathOf(string path) => path.Length == 0 ? root : $"{root}/{path}";
}
