using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Native;
using Jackdaw.Storage.Reports;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Reports;

/// <summary>What a folder takes on the disk: each file once, however many names it has.</summary>
public sealed class FolderReportTests : IDisposable
{
    private readonly NativePlatform _platform = new();
    private readonly string _folder = Directory.CreateTempSubdirectory("jackdaw-report-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Read_RandomFoldersWithLinks_CountsEachFileOnce()
    {
        const int seed = 38;
        var random = new Random(seed);
        for (int round = 0; round < 20; round++)
        {
            string root = Path.Combine(_folder, $"{round}");
            List<string> storages = MakeStorages(random, root);
            MakeJournals(random, root, [.. storages, "Indexes/half made"]);
            var report = FolderReport.Read(_platform, root);
            Assert.Equal((seed, round, CountBlocks(root)), (seed, round, report.TotalBytes));
            Assert.Equal(storages.Order(StringComparer.Ordinal), report.Storages.Select(one => one.Folder).Order(StringComparer.Ordinal));
            Assert.All(report.Journals, journal => Assert.Equal(journal.Links, journal.Names.Count));
            Assert.Equal(report.Journals.Count, report.Journals.Select(journal => journal.Names[0]).Distinct().Count());
        }
    }

    [Fact]
    public void Read_NamesOutsideTheFolder_AreCountedAsLinks()
    {
        string root = Path.Combine(_folder, "db");
        Write($"{root}/data", 10);
        Write($"{root}/headers", 10);
        Write($"{root}/Journals/{7:D19}.journal", 100_000);
        Write($"{root}/Journals/odd.journal", 10);
        _platform.Link($"{root}/Journals/{7:D19}.journal", Path.Combine(_folder, "elsewhere"));
        var report = FolderReport.Read(_platform, root);
        ReportedJournal shared = report.Journals[0];
        Assert.Equal((2, new JournalName("", $"{7:D19}.journal", 7)), (shared.Links, Assert.Single(shared.Names)));
        Assert.Null(Assert.Single(report.Journals[1].Names).Number);
    }

    [Fact]
    public void Read_FilesThatGoMeanwhile_AreLeftOut()
    {
        var platform = new MemoryPlatform();
        platform.CreateDirectory("/db/Journals");
        foreach (string name in (string[])["/db/data", "/db/headers", "/db/Journals/0000000000000000001.journal", "/db/x"])
        {
            using PalFile file = platform.OpenFile(name, FileOpening.CreateNew, FileUse.Journal);
            file.Allocate(8192);
        }

        for (int look = 1; look < 10; look++)
        {
            int left = look;
            var hooked = new HookedPlatform(platform)
            {
                BeforeLook = path =>
                {
                    if (--left == 0 && path.EndsWith("journal", StringComparison.Ordinal))
                    {
                        platform.Delete(path);
                    }
                },
            };
            Assert.NotEmpty(FolderReport.Read(hooked, "/db").Storages);
        }

        Assert.Empty(FolderReport.Read(platform, "/db").Journals);
    }

    private List<string> MakeStorages(Random random, string root)
    {
        List<string> storages = [""];
        storages.AddRange(Enumerable.Range(0, random.Next(6)).Select(i => $"Indexes/index{i}"));
        foreach (string storage in storages)
        {
            string path = storage.Length == 0 ? root : $"{root}/{storage}";
            Write($"{path}/data", random.Next(1, 300_000));
            Write($"{path}/headers", 16384);
            Write($"{path}/lock", 5);
            Write($"{path}/Temp/{random.Next(3)}", random.Next(100_000));
            Directory.CreateDirectory($"{path}/Journals");
        }

        Directory.CreateDirectory($"{root}/Indexes/half made/Journals");
        Write($"{root}/Other/deep/file", random.Next(100_000));
        _platform.Link($"{root}/Other/deep/file", $"{root}/Other/second name");
        return storages;
    }

    private void MakeJournals(Random random, string root, List<string> storages)
    {
        for (int number = 1; number <= random.Next(1, 6); number++)
        {
            string first = $"{root}/Journals/{number:D19}.journal";
            Write(first, random.Next(1, 200_000));
            foreach (string storage in storages.Where(storage => storage.Length > 0 && random.Next(2) == 0))
            {
                _platform.Link(first, $"{root}/{storage}/Journals/{random.Next(1, 100) + (number * 100):D19}.journal");
            }
        }
    }

    private static void Write(string path, int bytes)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, new byte[bytes]);
    }

    // As du does it.
    private long CountBlocks(string root)
    {
        var seen = new HashSet<FileIdentity>();
        return Directory.EnumerateFileSystemEntries(root, "*", SearchOption.AllDirectories).Append(root)
            .Select(_platform.GetStatus).Where(status => seen.Add(status.Identity)).Sum(status => status.AllocatedBytes);
    }
}
