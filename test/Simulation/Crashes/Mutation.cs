using Jackdaw.Simulation.Harness;

namespace Jackdaw.Simulation.Crashes;

/// <summary>A planted bug: one durability call of the engine that is left out, wherever it is made.</summary>
/// <param name="Name">Short name for test lists.</param>
/// <param name="Kind">Kind of the call.</param>
/// <param name="Where">Which calls of that kind.</param>
internal sealed record Mutation(string Name, PalOperationKind Kind, Func<PalOperation, bool> Where)
{
    private const string NewHeaderPath = SmallStorage.HeaderPath + ".new";

    /// <summary>Calls that creating a storage makes, at most: later syncs of the same files are other promises.</summary>
    public const int CreationCallsMax = 30;

    /// <summary>The same for a storage and the branches of a test.</summary>
    private const int FamilyCreationCallsMax = 200;

    private static readonly Mutation[] s_all =
    [
        new("create: folder", PalOperationKind.CreateDirectorySync, call => call.Path == SmallStorage.Path),
        new("create: sync of the first pages", PalOperationKind.Sync, WithFirst(SmallStorage.DataPath)),
        new("create: syncs of the new header", PalOperationKind.Sync, call => call.Path == NewHeaderPath),
        new("create: names before the header's name", PalOperationKind.SyncDirectory, WithFirst(SmallStorage.Path)),
        new("create: name of the header", PalOperationKind.RenameSync, call => call.Path == SmallStorage.HeaderPath),
        new("journal: header record", PalOperationKind.WriteJournal, call => call.Offset == 0),
        new("journal: entry of a commit", PalOperationKind.WriteJournal, call => call.Offset > 0),
        new("journal: name of the next file", PalOperationKind.RenameSync, IsJournal),
        new("sync: data file", PalOperationKind.Sync, call => call.Path == SmallStorage.DataPath && call.Sequence > CreationCallsMax),
        new("sync: header", PalOperationKind.Sync, call => call.Path == SmallStorage.HeaderPath),
    ];

    private static readonly Mutation[] s_covered =
    [
        // The folder of the journals gets its name with the sync of the storage's folder, before the header's name.
        new("create: folder of the journals", PalOperationKind.CreateDirectorySync, call => call.Path == SmallStorage.JournalFolder),

        // A retired file whose old name comes back has a number below the one where recovery begins.
        new("recycle: name in the pool", PalOperationKind.RenameSync, IsPool),
    ];

    private static readonly Mutation[] s_shared =
    [
        new("share: name of the root's file in the branch's folder", PalOperationKind.SyncDirectory, IsBranchJournals),
        new("share: number of the file in the branch's header", PalOperationKind.Sync, call => IsBranch(call) && IsHeaders(call)),
        new("share: entries of branches", PalOperationKind.WriteJournal, call => call.Offset > 0),
        new("share: data file of a branch", PalOperationKind.Sync, call => IsBranch(call) && IsData(call) && call.Sequence > FamilyCreationCallsMax),
    ];

    /// <summary>Durability calls of branches that share the journals of a root.</summary>
    public static IEnumerable<string> SharedNames => s_shared.Select(mutation => mutation.Name);

    public static IEnumerable<string> CoveredNames => s_covered.Select(mutation => mutation.Name);

    public static IEnumerable<string> Names => s_all.Select(mutation => mutation.Name);

    public static Mutation Get(string name) => s_all.Concat(s_covered).Concat(s_shared).Single(mutation => mutation.Name == name);

    public static bool IsBranch(PalOperation call) => call.Path.Contains("/Indexes/", StringComparison.Ordinal);

    public static bool IsBranchJournals(PalOperation call) => IsBranch(call) && call.Path.EndsWith("/Journals", StringComparison.Ordinal);

    public static bool IsJournal(PalOperation call) => call.Path.EndsWith(".journal", StringComparison.Ordinal);

    public static bool IsPool(PalOperation call) => call.Path.Contains("/pool-", StringComparison.Ordinal);

    /// <summary>True when it is a call that only creation makes.</summary>
    public bool IsOfCreation => Name.StartsWith("create", StringComparison.Ordinal);

    public override string ToString() => Name;

    private static bool IsHeaders(PalOperation call) => call.Path.EndsWith("/headers", StringComparison.Ordinal);

    private static bool IsData(PalOperation call) => call.Path.EndsWith("/data", StringComparison.Ordinal);

    private static Func<PalOperation, bool> WithFirst(string path) => call => call.Path == path && call.Sequence <= CreationCallsMax;
}
