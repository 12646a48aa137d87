using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Live;

/// <summary>How a database is now. Immutable.</summary>
/// <param name="State">A word of <see cref="StateOf"/>.</param>
/// <param name="Problems">What is wrong, in sentences for people.</param>
/// <param name="Contents">Null when it is not open.</param>
internal sealed record DatabaseState(string Name, string State, IReadOnlyList<string> Problems, DatabaseContents? Contents)
{
    public static DatabaseState Read(DatabaseRecord record, in DatabaseLookup lookup)
    {
        DatabaseContents? contents = null;
        List<string> problems = lookup.Reason is { } reason ? [reason] : [];
        try
        {
            contents = lookup.Database is { } database ? DatabaseContents.Read(database, problems) : null;
        }
        catch (ObjectDisposedException)
        {
            // It is being closed at this moment.
        }
        catch (Exception failure)
        {
            // A damaged page, or a storage that stopped: this is what the state is for, and the other databases are shown all the same.
            problems.Add(failure.Message);
            return new DatabaseState(record.Name, "Error", problems, null);
        }

        return new DatabaseState(record.Name, StateOf(lookup), problems, contents);
    }

    private static string StateOf(in DatabaseLookup lookup) => lookup.Status switch
    {
        DatabaseLookupStatus.Open => "Online",
        DatabaseLookupStatus.Disabled => "Disabled",
        DatabaseLookupStatus.Loading or DatabaseLookupStatus.Compacting => "Loading",
        _ when lookup.IsUnusable => "Error",
        _ => "NotLoaded",
    };
}

/// <summary>What is in an open database.</summary>
internal sealed record DatabaseContents(long SizeBytes, long Documents, int Indexes, int StaleIndexes)
{
    /// <summary>Reads it, and adds to the problems.</summary>
    public static DatabaseContents Read(DocumentDatabase database, List<string> problems)
    {
        using DocumentReadScope read = database.BeginRead(ReaderKind.Statistics);
        int indexes = 0;
        int stale = 0;
        if (database.FindPart<DatabaseIndexes>()?.Catalog is { } catalog)
        {
            foreach (DatabaseIndex index in catalog.Current)
            {
                indexes++;
                stale += index.CutoffOf(read) is { } cutoff && index.HasPassed(cutoff) ? 0 : 1;
                AddProblem(index, problems);
            }

            if (catalog.IsPaused)
            {
                problems.Add("Indexing is paused.");
            }
        }

        if (database.Figures?.Storage is { } storage)
        {
            AddProblems(storage, problems);
        }

        return new DatabaseContents(database.SizeBytes, read.Counts.Documents, indexes, stale);
    }

    private static void AddProblem(DatabaseIndex index, List<string> problems)
    {
        if (index.Fault is { } fault)
        {
            problems.Add($"Index {index.Name} cannot be used: {fault}");
        }
        else if (index.HasFailed)
        {
            problems.Add($"Index {index.Name} stopped, because it failed for too many documents.");
        }
        else if (index.Failures.Count is > 0 and var failures)
        {
            problems.Add($"Index {index.Name} has {failures} {(failures == 1 ? "error" : "errors")}.");
        }
    }

    private static void AddProblems(StorageFigures storage, List<string> problems)
    {
        problems.AddRange(new[] { storage.JournalProblem, storage.JournalDeletionProblem }.OfType<string>());
        if (storage.FlushDebt >= 1)
        {
            problems.Add("Writes wait until the disk has caught up.");
        }
    }
}
