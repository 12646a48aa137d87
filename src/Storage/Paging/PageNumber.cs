namespace Jackdaw.Storage.Paging;

/// <summary>Index of a page in the data file. 0 is never a page of user data, so <c>default</c> means "none".</summary>
public readonly record struct PageNumber(long Value) : IComparable<PageNumber>
{
    /// <summary>Numbers are below this: 64 TB of data file.</summary>
    public const long Limit = 1L << 33;

    /// <summary>No page.</summary>
    public static PageNumber None => default;

    /// <summary>True for <see cref="None"/>.</summary>
    public bool IsNone => Value == 0;

    /// <summary>Byte offset of the page in the data file.</summary>
    public long Offset => Value * Page.Size;

    /// <summary>For tables of pages: neighbours go to places far apart. The upper bits are the good ones.</summary>
    internal static ulong HashOf(long page) => (ulong)page * 0x9E3779B97F4A7C15;

    /// <inheritdoc/>
    public int CompareTo(PageNumber other) => Value.CompareTo(other.Value);

    /// <inheritdoc/>
    public override string ToString() => Value.ToString(System.Globalization.CultureInfo.InvariantCulture);

    public static PageNumber operator +(PageNumber number, long pages) => new(number.Value + pages);

    public static bool operator <(PageNumber left, PageNumber right) => left.Value < right.Value;

    public static bool operator >(PageNumber left, PageNumber right) => left.Value > right.Value;

    public static bool operator <=(PageNumber left, PageNumber right) => left.Value <= right.Value;

    public static bool operator >=(PageNumber left, PageNumber right) => left.Value >= right.Value;
}
