using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Simulation.Damage;

/// <summary>What a storage says when it is opened over damage.</summary>
public enum Verdict
{
    /// <summary>All transactions with all their contents; it goes on.</summary>
    Whole,

    /// <summary>An earlier transaction, silently.</summary>
    Shorter,

    /// <summary>Refused to open with a typed error.</summary>
    Refused,

    /// <summary>Refused because the format is newer.</summary>
    NewerFormat,

    /// <summary>Opens, and tells of damaged pages when they are read; everything else is right.</summary>
    PageError,
}

/// <summary>Opens a damaged copy and finds out; throws when it answers anything wrong or leaks.</summary>
internal sealed record Examination(Verdict Verdict, long Transaction, string Message, IReadOnlyList<long> Pages)
{
    public static Examination Run(SimulatedPlatform damaged, OracleView allowed)
    {
        var resources = new ResourceCheck(damaged);
        StorageEnvironment? storage =
            TryOpen(() => StorageEnvironment.Open(damaged, SmallStorage.Path, SmallStorage.Options), out Examination found);
        using (storage)
        {
            found = storage is null ? found : Read(storage, allowed);
        }

        resources.RequireNothingLeft();
        return found;
    }

    public override string ToString() => $"{Verdict} at {Transaction}: {Message}";

    /// <summary>Opens over damage; null when that is refused with a typed error.</summary>
    public static StorageEnvironment? TryOpen(Func<StorageEnvironment> open, out Examination refusal)
    {
        refusal = new Examination(Verdict.Whole, 0, "", []);
        try
        {
            return open();
        }
        catch (NotSupportedException e)
        {
            refusal = new Examination(Verdict.NewerFormat, 0, e.Message, []);
        }
        catch (CorruptedPageException e)
        {
            refusal = new Examination(Verdict.Refused, 0, e.Message, [e.Page.Value]);
        }
        catch (CorruptionException e)
        {
            refusal = new Examination(Verdict.Refused, 0, e.Message, []);
        }

        return null;
    }

    /// <summary>Compares all that an open storage answers.</summary>
    public static Examination Read(StorageEnvironment storage, OracleView allowed)
    {
        long transaction = storage.Current.TransactionId;
        List<long> pages = [];
        string message = string.Join(" ", storage.Warnings);
        try
        {
            using ReadTransaction read = storage.BeginRead();
            StorageContents.RequireEqual(read, allowed.States[transaction]);
        }
        catch (CorruptedPageException e)
        {
            pages.Add(e.Page.Value);
            message = e.Message;
        }

        foreach (VerificationProblem problem in EnvironmentVerifier.Verify(storage, StorageContents.Schema))
        {
            pages.Add(problem.Page.Value);
            message = pages.Count == 1 ? problem.ToString() : message;
        }

        Verdict verdict = pages.Count > 0 ? Verdict.PageError : transaction == allowed.Acknowledged ? Verdict.Whole : Verdict.Shorter;
        return new Examination(verdict, transaction, message, pages);
    }
}
