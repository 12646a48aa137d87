using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Journal;

namespace Jackdaw.Storage.Sharing;

/// <summary>Restores links to the journals of a root that branches have lost, from the link records that the root's
/// recovery found. Opening thread of the root, before any branch opens.</summary>
/// <remarks>
/// A link is made only where the branch may need it: its folder is where the record says, has the identity in the
/// record, and its header does not begin after the file. A branch that is open in another process is not touched. A link that cannot be repaired does not stop
/// the root: the branch itself notices that a journal is missing.
/// </remarks>
internal sealed class LinkRepair(IPlatform platform, string rootPath, TimeProvider time)
{
    private readonly List<string> _notes = [];

    /// <summary>True for a folder with a replacement that its next opening installs. The replacement has an id of its
    /// own and no journals.</summary>
    public required Func<string, bool> IsReplaced { get; init; }

    /// <summary>Repairs as much as possible; returns messages for the operator.</summary>
    public List<string> Run(List<FoundLink> links)
    {
        foreach (IGrouping<(Guid, string), FoundLink> branch in links.GroupBy(link => (link.Record.StorageId, link.Record.Folder)))
        {
            string folder = Path.GetFullPath(branch.Key.Item2, Path.GetFullPath(rootPath));
            try
            {
                RepairBranch(folder, branch.Key.Item1, branch);
            }
            catch (Exception e) when (e is PalException or CorruptionException or NotSupportedException)
            {
                _notes.Add($"The journals of '{folder}' could not be checked: {e.Message}");
            }
        }

        return _notes;
    }

    private void RepairBranch(string folder, Guid storageId, IEnumerable<FoundLink> links)
    {
        string headerPath = folder + "/" + HeaderFile.FileName;
        List<FoundLink> broken = platform.Exists(headerPath) ? [.. links.Where(link => IsBroken(folder, link))] : [];
        if (broken.Count == 0 || IsReplaced(folder))
        {
            return;
        }

        using IDisposable folderLock = FolderLock.Take(platform, folder);
        StorageHeader header;
        using (var headers = HeaderFile.Open(platform.OpenFile(headerPath, FileOpening.Existing, FileUse.ReadOnly), folder, time))
        {
            header = headers.Current;
        }

        broken.RemoveAll(link => header.StorageId != storageId || link.Record.Number < header.SyncedJournal);
        Debug.Assert(broken.TrueForAll(link => link.Record.StorageId == storageId), "a name is only made for the storage of its record");
        broken.ForEach(link => MakeName(NameOf(folder, link), link));
        if (broken.Count > 0)
        {
            platform.SyncDirectories([folder + "/" + JournalFormat.FolderName]);
        }
    }

    private static string NameOf(string folder, FoundLink link) =>
        folder + "/" + JournalFormat.FolderName + "/" + JournalFormat.FileName(link.Record.Number);

    /// <summary>True when the link is missing, or refers to another file that is not a complete copy.</summary>
    private bool IsBroken(string folder, FoundLink link)
    {
        string name = NameOf(folder, link);
        if (!platform.Exists(name))
        {
            return true;
        }

        return platform.GetIdentity(name) != platform.GetIdentity(link.Journal) && !IsCopy(name, link.Journal);
    }

    private bool IsCopy(string name, string journal)
    {
        using PalFile file = platform.OpenFile(name, FileOpening.Existing, FileUse.ReadOnly);
        using PalFile original = platform.OpenFile(journal, FileOpening.Existing, FileUse.ReadOnly);
        bool isRead = JournalFileHeader.TryRead(file, out JournalFileHeader header) & JournalFileHeader.TryRead(original, out JournalFileHeader expected);
        return isRead && header.IsWhole && header.Incarnation == expected.Incarnation && file.GetLength() == original.GetLength();
    }

    private void MakeName(string name, FoundLink link)
    {
        string note = $"'{name}' was missing";
        if (platform.Exists(name))
        {
            string aside = $"{name}.damaged-{Guid.NewGuid():N}";
            platform.RenameDurable(name, aside);
            note = $"'{name}' was not the journal that it should be (kept as '{aside}')";
        }

        platform.Link(link.Journal, name);
        _notes.Add($"{note}; it is a link to '{link.Journal}' again.");
    }
}
