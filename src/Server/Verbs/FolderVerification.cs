using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Extensions;
using Jackdaw.Indexing.Building;
using Jackdaw.Pal;
using Jackdaw.Pal.Native;
using Jackdaw.Search;
using Jackdaw.Search.Vectors;
using Jackdaw.Server.Configuration;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;
using Spectre.Console;

namespace Jackdaw.Server.Verbs;

/// <summary>Verifies the storages below a folder: one storage, or a data folder with "System" and "Databases". Writes
/// nothing new to them except the lock file, and does not wait for a storage in use. As with any opening, a compaction that was cut off is finished, the last
/// entry of a journal may be written once more, and names of journals that branches have lost are restored.</summary>
/// <remarks>A storage stays open, and so locked, while its branches are verified, each alone and from its own folder. They are verified even when the storage
/// itself is damaged, but not when another process has it open.</remarks>
public sealed class FolderVerification
{
    /// <summary>Every page, tree, table and row is sound.</summary>
    public const int ExitCodeSound = 0;

    /// <summary>Something is damaged; each problem was printed.</summary>
    public const int ExitCodeDamaged = 1;

    /// <summary>A storage could not be checked: no such folder, in use, of a newer version, not readable.</summary>
    public const int ExitCodeNotVerified = 2;

    /// <summary>The most problems that are printed for one storage: below a broken root every page is a problem, and nobody would read a million
    /// lines.</summary>
    public const int ProblemsPrintedMax = 1000;

    private const string IndexRemedy = "delete the folder, and the server builds the index again";

    private readonly IPlatform _platform;
    private readonly IAnsiConsole _console;
    private readonly DocumentExtensions _extensions;
    private int _exitCode = ExitCodeSound;

    private FolderVerification(IPlatform platform, IAnsiConsole console, DocumentExtensions extensions)
    {
        _platform = platform;
        _console = console;
        _extensions = extensions;
    }

    /// <summary>Verifies, prints, and returns the exit code of the process, which is the worst outcome.</summary>
    /// <param name="console">The console; null for that of the process.</param>
    public static int Run(string folder, IAnsiConsole? console = null) => Run(folder, console, StandardExtensions.All);

    /// <inheritdoc cref="Run(string, IAnsiConsole?)"/>
    /// <param name="extensions">What documents can have besides their text.</param>
    internal static int Run(string folder, IAnsiConsole? console, DocumentExtensions extensions)
    {
        ArgumentNullException.ThrowIfNull(folder);
        var verification = new FolderVerification(new NativePlatform(), console ?? PlainConsole.Open(), extensions);
        StorageFolders.ForEach(Path.GetFullPath(folder), verification.VerifyFamily, verification.Refuse);
        return verification._exitCode;
    }

    private void VerifyFamily(StorageFamily family)
    {
        if (!family.IsRootWanted)
        {
            VerifyAlone(family);
            return;
        }

        bool areVerified = false;
        bool isFree = TryVerify(family.Root, VerifyBranches);
        if (isFree && !areVerified)
        {
            VerifyBranches();
        }

        void VerifyBranches()
        {
            areVerified = true;
            foreach (string branch in family.Branches)
            {
                TryVerify(branch);
            }
        }
    }

    /// <summary>Verifies branches of a storage that is not checked itself, and that must not be opened at the same time.</summary>
    private void VerifyAlone(StorageFamily family)
    {
        try
        {
            using IDisposable held = FolderLock.Take(_platform, family.Root);
            foreach (string branch in family.Branches)
            {
                TryVerify(branch);
            }
        }
        catch (PalException failure) when (failure.Status == PalStatus.Locked)
        {
            Refuse(family.Branches[0], $"'{family.Root}', whose journals it shares, is in use; stop the server first. {failure.Message}");
        }
        catch (PalException failure)
        {
            Refuse(family.Branches[0], failure.Message);
        }
    }

    /// <summary>Returns false when another process has the storage open.</summary>
    /// <param name="whileOpen">Called while the storage is locked, after it was verified.</param>
    private bool TryVerify(string folder, Action? whileOpen = null)
    {
        try
        {
            if (!StorageEnvironment.Exists(_platform, folder))
            {
                _console.MarkupLineInterpolated($"[yellow]empty[/]   {folder}: its creation was cut off before anything was stored");
                return true;
            }

            // Opening recovers into memory; abandoning leaves the files as they were.
            var storage = StorageEnvironment.Open(_platform, folder, new StorageOptions { BackgroundFlush = false });
            try
            {
                StorageFolders.CheckFormat(storage);
                IReadOnlyList<VerificationProblem> problems = EnvironmentVerifier.Verify(storage, StorageFolders.SchemasOf(_extensions));
                Print(folder, storage, problems.Count > 0 ? problems : [.. FindIndexProblems(folder, storage), .. FindExtensionProblems(folder, storage)]);
                FindMissingDatabases(folder, storage);
                whileOpen?.Invoke();
            }
            finally
            {
                storage.Abandon();
            }
        }
        catch (PalException failure) when (failure.Status == PalStatus.Locked)
        {
            Refuse(folder, $"it is in use; stop the server first. {failure.Message}");
            return false;
        }
        catch (CorruptionException damage)
        {
            _exitCode = Math.Max(_exitCode, ExitCodeDamaged);
            PrintDamage(folder, StorageFolders.IsBranch(folder) ? $"{damage.Message} An index: {IndexRemedy}" : damage.Message);
        }
        catch (Exception failure) when (failure is PalException or NotSupportedException or IOException or UnauthorizedAccessException)
        {
            Refuse(folder, failure.Message);
        }

        return true;
    }

    // If pages are damaged, a check of the files in them would report nothing new.
    private static IEnumerable<VerificationProblem> FindIndexProblems(string folder, StorageEnvironment storage)
    {
        using ReadTransaction read = storage.BeginRead();
        string name = WritingEngine.ReadName(read.Trees) ?? SearchEngines.Unnamed;
        SearchEngine engine = RegisteredEngines.All.Find(name)
            ?? throw new NotSupportedException(WritingEngine.DescribeMissing(folder, name, RegisteredEngines.All));
        return engine.Verify(storage).Concat(VectorSearchIndex.Verify(storage)).Select(reason => new VerificationProblem(PageNumber.None, reason));
    }

    private List<VerificationProblem> FindExtensionProblems(string folder, StorageEnvironment storage)
    {
        List<VerificationProblem> problems = [];
        using ReadTransaction read = storage.BeginRead();
        foreach (IVerifiedExtension extension in _extensions.Of<IVerifiedExtension>())
        {
            ExtensionReport report = extension.Verify(read);
            problems.AddRange(report.Problems.Select(reason => new VerificationProblem(PageNumber.None, reason)));
            if (report.Unused is { } unused)
            {
                _console.MarkupLineInterpolated($"[yellow]unused[/]  {folder}: {unused}");
            }
        }

        return problems;
    }

    /// <summary>The server's own storage names the databases: each must have its files.</summary>
    private void FindMissingDatabases(string folder, StorageEnvironment storage)
    {
        using ReadTransaction read = storage.BeginRead();
        foreach (string name in SystemStorage.ReadDatabaseNames(read.Trees))
        {
            string missing = Path.Combine(Path.GetDirectoryName(folder)!, "Databases", name);
            if (!StorageEnvironment.Exists(_platform, missing))
            {
                _exitCode = Math.Max(_exitCode, ExitCodeDamaged);
                PrintDamage(missing, "its files are missing, but the server has a database of that name");
            }
        }
    }

    private void Print(string folder, StorageEnvironment storage, IReadOnlyList<VerificationProblem> problems)
    {
        foreach (string warning in storage.Warnings)
        {
            _console.MarkupLineInterpolated($"[yellow]warning[/] {folder}: {warning}");
        }

        if (problems.Count == 0)
        {
            string size = $"{storage.Current.NextPage.Value} pages, transaction {storage.Current.TransactionId}";
            _console.MarkupLineInterpolated($"[green]sound[/]   {folder}: {size}");
            return;
        }

        _exitCode = Math.Max(_exitCode, ExitCodeDamaged);
        VerificationProblem[] distinct = [.. problems.Distinct()];
        foreach (VerificationProblem problem in distinct.Take(ProblemsPrintedMax))
        {
            string place = problem.Page.IsNone ? "" : $"page {problem.Page} at byte {problem.Page.Value * Page.Size}: ";
            PrintDamage(Path.Combine(folder, "data"), place + problem.Reason);
        }

        string remedy = StorageFolders.IsBranch(folder) ? IndexRemedy : "restore it from a backup";
        _console.MarkupLineInterpolated($"[red]damaged[/] {folder}: {distinct.Length} problems; {remedy}");
    }

    private void PrintDamage(string path, string reason) =>
        _console.MarkupLineInterpolated($"[red]damaged[/] {path}: {reason.ReplaceLineEndings(" ")}");

    private void Refuse(string folder, string reason)
    {
        _exitCode = ExitCodeNotVerified;
        _console.MarkupLineInterpolated($"[red]not verified[/] {folder}: {reason.ReplaceLineEndings(" ")}");
    }
}
