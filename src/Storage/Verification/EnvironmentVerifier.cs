using System.Text;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Verification;

/// <summary>Walks a whole storage and proves its invariants: each page is exactly one of used, free and reserved; every
/// structure is sound; every used page has its checksum. Collects all problems.</summary>
/// <remarks>Reads one snapshot on the calling thread, beside other readers and writers. Memory: a byte per page.
/// Tables are walked through their schemas; a row heap without one cannot be accounted for and is reported.</remarks>
public sealed class EnvironmentVerifier
{
    private readonly StorageEnvironment _environment;
    private readonly ReadTransaction _transaction;
    private readonly List<VerificationProblem> _problems = [];
    private readonly byte[] _owners;

    private EnvironmentVerifier(StorageEnvironment environment, ReadTransaction transaction)
    {
        _environment = environment;
        _transaction = transaction;
        _owners = new byte[transaction.State.NextPage.Value];
    }

    private enum Owner : byte
    {
        None,
        Used,
        Free,
        Reserved,
    }

    /// <summary>Proves the last published state.</summary>
    /// <param name="environment">An open storage.</param>
    /// <param name="schemas">Schemas of its tables.</param>
    /// <returns>The broken invariants; empty when there are none.</returns>
    public static IReadOnlyList<VerificationProblem> Verify(StorageEnvironment environment, params IReadOnlyCollection<TableSchema> schemas)
    {
        using ReadTransaction transaction = environment.BeginRead(ReaderKind.Verification);
        var verifier = new EnvironmentVerifier(environment, transaction);
        verifier.Run(schemas);
        return verifier._problems;
    }

    private void Run(IReadOnlyCollection<TableSchema> schemas)
    {
        Guard(OwnReserved);
        Guard(OwnFree);
        var trees = new TreeVerifier(_transaction, OwnUsed);
        trees.Verify(_transaction.Trees.RootHeader);
        var tables = new TableVerifier(_transaction, OwnUsed);
        foreach (TableSchema schema in schemas)
        {
            Guard(() => tables.Verify(new Table(_transaction, _transaction.Trees, schema)));
        }

        Guard(() => WalkNamedTrees(trees, schemas));
        _problems.AddRange(trees.Problems);
        _problems.AddRange(tables.Problems);
        CheckOwners();
    }

    private void WalkNamedTrees(TreeVerifier trees, IReadOnlyCollection<TableSchema> schemas)
    {
        foreach (string name in ListNames())
        {
            bool ofTable = schemas.Any(schema => name == schema.Name || name.StartsWith(schema.Name + TableSchema.NameSeparator, StringComparison.Ordinal));
            if (!ofTable && _transaction.Trees.TryGetHeader(name, out TreeHeader header))
            {
                Guard(() => WalkTree(trees, name, header));
            }
        }
    }

    private List<string> ListNames()
    {
        List<string> names = [];
        using BTreeCursor cursor = _transaction.Trees.OpenNames();
        for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
        {
            names.Add(Encoding.UTF8.GetString(cursor.Key));
        }

        return names;
    }

    private void WalkTree(TreeVerifier trees, string name, in TreeHeader header)
    {
        switch (header.Kind)
        {
            case TreeKind.BTree:
                trees.Verify(header);
                break;
            case TreeKind.FixedSize when header is { KeySize: sizeof(long), ValueSize: sizeof(long) }:
                FixedSizeTreeVerifier.Verify(new FixedSizeTree<long, long>(_transaction, header), OwnUsed);
                break;
            case TreeKind.Column:
                ColumnVerifier.Verify(_transaction, header, OwnUsed);
                break;
            default:
                Report(header.Root, $"'{name}' is a {header.Kind} that no known schema declares");
                break;
        }
    }

    private void OwnReserved()
    {
        long next = _transaction.State.NextPage.Value;
        for (long section = 0; section < next; section += FreeSpaceMap.SectionPages)
        {
            Own(new PageNumber(section), 1, Owner.Reserved);
            PageNumber bitmap = new(section + FreeSpaceMap.BitmapIndex);
            Own(bitmap, 1, Owner.Reserved);
            CheckChecksum(bitmap);
        }
    }

    private void OwnFree()
    {
        PageNumber next = _transaction.State.NextPage;
        FreeSpaceMap.ForEachFreeRun(_transaction, next, (page, count) => Own(page, count, Owner.Free));
        for (long section = 0; FreeSpaceMap.BitmapOf(section) < next; section++)
        {
            CheckFreeCount(_transaction.GetPage(FreeSpaceMap.BitmapOf(section)));
        }
    }

    /// <summary>Allocation reads the bits only where the count says that some are set: a wrong count loses pages, or
    /// stops the storage.</summary>
    private void CheckFreeCount(Page bitmap)
    {
        int free = FreeSpaceMap.CountFree(bitmap);
        if (bitmap.Header.Count != free)
        {
            Report(bitmap.Number, $"counts {bitmap.Header.Count} free pages in its section, its bits {free}");
        }
    }

    private void OwnUsed(PageNumber page, int count)
    {
        Own(page, count, Owner.Used);
        CheckChecksum(page);
    }

    private unsafe void CheckChecksum(PageNumber page)
    {
        EnvironmentState state = _transaction.State;
        byte* scratch = state.Pages.Find(page);
        string? reason = scratch != null
            ? _environment.DataFile.FindDamage(new Page(scratch), page, state.NextPage)
            : _environment.DataFile.FindDamage(page, state.NextPage);
        if (reason is not null)
        {
            Report(page, reason);
        }
    }

    private void Own(PageNumber first, int count, Owner owner)
    {
        for (long page = first.Value; page < first.Value + count; page++)
        {
            if (page >= _owners.Length)
            {
                Report(new PageNumber(page), $"is {owner} but lies beyond the {_owners.Length} pages in use");
                return;
            }

            if (_owners[page] != (byte)Owner.None)
            {
                Report(new PageNumber(page), $"is {owner} and {(Owner)_owners[page]} at once");
            }

            _owners[page] = (byte)owner;
        }
    }

    private void CheckOwners()
    {
        // Neighbouring pages are reported as one problem: when a page cannot be walked, all pages below it are lost.
        for (int page = _owners.AsSpan().IndexOf((byte)Owner.None); page >= 0;)
        {
            int behind = page + Math.Max(_owners.AsSpan(page).IndexOfAnyExcept((byte)Owner.None), 0);
            int end = behind == page ? _owners.Length : behind;
            Report(new PageNumber(page), end - page == 1
                ? "is neither used nor free: it is lost"
                : $"and the {end - page - 1} pages after it are neither used nor free: they are lost");
            int next = _owners.AsSpan(end).IndexOf((byte)Owner.None);
            page = next < 0 ? -1 : end + next;
        }
    }

    private void Guard(Action walk)
    {
        try
        {
            walk();
        }
        catch (CorruptedPageException damage)
        {
            Report(damage.Page, damage.Message);
        }
        catch (CorruptionException damage)
        {
            Report(PageNumber.None, damage.Message);
        }
    }

    private void Report(PageNumber page, string reason) => _problems.Add(new VerificationProblem(page, reason));
}
