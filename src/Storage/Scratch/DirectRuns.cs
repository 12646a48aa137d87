using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Scratch;

/// <summary>How the content of a changed page reaches the data file.</summary>
internal enum PageWay : byte
{
    /// <summary>Through the journal, and then by a flush.</summary>
    Journal = 0,

    /// <summary>It will be written before the transaction is ordered, and the journal will name it.</summary>
    Direct,

    /// <summary>It was written.</summary>
    Written,
}

/// <summary>The direct runs of one write transaction that are in the data file: what its journal entry says of them, and what they cost. Writer
/// thread until the commit is submitted, then the committer.</summary>
internal sealed class DirectRuns
{
    private readonly Dictionary<PageNumber, PageHeader> _headers = [];

    /// <summary>Number of runs.</summary>
    public int Count => _headers.Count;

    /// <summary>True when the data file was synced after the last run was written.</summary>
    public bool AreDurable { get; private set; } = true;

    /// <summary>Bytes that were written, those of runs that were freed or changed again included.</summary>
    public long WrittenBytes { get; private set; }

    /// <summary>Microseconds of the writes and the sync.</summary>
    public long Microseconds { get; private set; }

    /// <summary>The page header that a run has in the data file.</summary>
    public PageHeader HeaderOf(PageNumber first) => _headers[first];

    /// <summary>A run was written.</summary>
    public void Add(in PageHeader header)
    {
        _headers.Add(header.PageNumber, header);
        WrittenBytes += (long)Page.CountPages(header.OverflowBytes) * Page.Size;
        AreDurable = false;
    }

    /// <summary>Forgets a run that was freed, or changed.</summary>
    public void Remove(PageNumber first) => _headers.Remove(first);

    /// <summary>Counts the time of a write or a sync.</summary>
    public void CountTime(TimeSpan time) => Microseconds += (long)time.TotalMicroseconds;

    /// <summary>The data file was synced.</summary>
    public void OnSynced() => AreDurable = true;

    /// <summary>Forgets everything.</summary>
    public void Clear()
    {
        _headers.Clear();
        AreDurable = true;
        WrittenBytes = Microseconds = 0;
    }
}
