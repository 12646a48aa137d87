using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Scratch;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Transactions;

/// <summary>Everything that a transaction needs to see one state of a storage. Immutable; published by one reference
/// write.</summary>
/// <param name="Sequence">Grows with every publication; see <see cref="StateSequence"/>.</param>
/// <param name="TransactionId">Last transaction in the state.</param>
/// <param name="Pages">Which pages are in scratch.</param>
/// <param name="Root">Header of the root tree, which names all other trees.</param>
/// <param name="NextPage">First page number that is not in use.</param>
/// <param name="ClientState">The object that the layer above attached to the transaction; null until it did.</param>
public sealed record EnvironmentState(
    long Sequence,
    long TransactionId,
    PageTable.Snapshot Pages,
    TreeHeader Root,
    PageNumber NextPage,
    object? ClientState)
{
    /// <summary>Payload hash of the transaction's journal entry, which the next entry names as its predecessor; set by
    /// the committer before the state is published.</summary>
    public ulong EntryHash { get; init; }

    /// <summary>Pages that are looked up before one call of the system, 2 KB of stack.</summary>
    private const int PrefetchPagesMax = 256;

    /// <summary>Begins to read those pages that the state has in the data file only.</summary>
    internal unsafe void Prefetch(DataFile dataFile, ReadOnlySpan<PageNumber> pages)
    {
        Span<PageNumber> wanted = stackalloc PageNumber[Math.Min(pages.Length, PrefetchPagesMax)];
        while (!pages.IsEmpty)
        {
            int taken = Math.Min(pages.Length, wanted.Length);
            int count = 0;
            foreach (PageNumber page in pages[..taken])
            {
                if (page.Value > 0 && page < NextPage && Pages.Find(page) == null)
                {
                    wanted[count++] = page;
                }
            }

            dataFile.Prefetch(wanted[..count]);
            pages = pages[taken..];
        }
    }

    /// <summary>Begins to read the first bytes of an overflow run, when the state has it in the data file.</summary>
    internal unsafe void Prefetch(DataFile dataFile, PageNumber first, long bytes)
    {
        if (bytes > 0 && first.Value > 0 && first < NextPage && Pages.Find(first) == null)
        {
            long pages = (Math.Min(bytes, Page.OverflowBytesMax) + PageHeader.SizeOf + Page.Size - 1) / Page.Size;
            dataFile.Prefetch(first, Math.Min(pages, NextPage.Value - first.Value));
        }
    }
}
