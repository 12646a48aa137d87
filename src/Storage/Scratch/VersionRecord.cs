namespace Jackdaw.Storage.Scratch;

/// <summary>One version of a page in scratch.</summary>
internal struct VersionRecord
{
    /// <summary>Number of the page; -1 = the record is free.</summary>
    public long Page;

    /// <summary>Transaction that wrote it.</summary>
    public long Transaction;

    /// <summary>Its memory; 0 = the page was freed.</summary>
    public nint Address;

    /// <summary>Record of the version before it, 0 = none; of a free record the next free one.</summary>
    public int Older;

    private const int UnlinkedBit = int.MinValue;

    private int _pages;

    /// <summary>Pages of the run; 0 = the page was freed.</summary>
    public int Pages
    {
        readonly get => _pages & ~UnlinkedBit;
        init => _pages = value;
    }

    /// <summary>True when no newer version and no head leads here any longer. Readers that began earlier may still use it.</summary>
    public readonly bool IsUnlinked => _pages < 0;

    /// <summary>Marks the version as unlinked. Its links and everything that readers use stay.</summary>
    public void MarkUnlinked() => _pages |= UnlinkedBit;
}
