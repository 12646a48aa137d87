using Jackdaw.Search.Entries;

namespace Jackdaw.Search.Queries;

/// <summary>The value by which entries are ordered.</summary>
public enum SortBy
{
    /// <summary>Text, ordinally, in the form of the field's terms.</summary>
    Text,
    Long,
    Double,

    /// <summary>Text in which runs of digits are compared as numbers: a2 before a10.</summary>
    AlphaNumeric,

    /// <summary>Ascending means that the best come first.</summary>
    Score,

    /// <summary>Shuffled; the same seed gives the same order.</summary>
    Random,

    /// <summary>The id.</summary>
    Id,

    /// <summary>The distance of the field's nearest shape, or of its middle, from a place.</summary>
    Distance,

    /// <summary>As <see cref="SortKey.Comparer"/> says.</summary>
    Custom,
}

/// <summary>Where entries without a value are placed.</summary>
public enum NullOrder
{
    /// <summary>Like the smallest value: first when ascending, last when descending.</summary>
    Smallest,
    First,
    Last,
}

/// <summary>One key of an order. Entries that are equal in all keys have the order in which they were added.</summary>
/// <param name="Field">Empty for score, random and id.</param>
public sealed record SortKey(SortBy By, string Field = "", bool IsDescending = false, NullOrder Nulls = NullOrder.Smallest, int Seed = 0)
{
    /// <summary>Compares values for <see cref="SortBy.Custom"/>. It sees values that are null only if the order does not say where they are placed. Any
    /// thread may call it, and what it throws ends the search.</summary>
    public IComparer<SortValue>? Comparer { get; init; }

    /// <summary>The latitude of the place from which distances are measured.</summary>
    public double Y { get; init; }

    /// <summary>The longitude.</summary>
    public double X { get; init; }

    /// <summary>Distances are rounded to multiples of this number before they are compared; 0 for no rounding.</summary>
    public double RoundTo { get; init; }

    /// <summary>The unit of <see cref="RoundTo"/> and of distances; null for that of the field.</summary>
    public DistanceUnit? Unit { get; init; }
}

/// <summary>One search.</summary>
/// <param name="Query">The condition on the entries.</param>
/// <param name="Sort">The order of the hits; empty for the order in which the entries were added.</param>
/// <param name="Skip">The number of hits that are left out, 0 or more.</param>
/// <param name="Take">The most hits, 0 or more. The total is exact anyway.</param>
public sealed record SearchRequest(SearchNode Query, IReadOnlyList<SortKey> Sort, int Skip, int Take)
{
    /// <summary>Whether hits have scores even if they are not ordered by them.</summary>
    public bool WithScores { get; init; }

    /// <summary>Whether the position of the last hit is wanted, so that a later search can continue after it.</summary>
    public bool WithPosition { get; init; }

    /// <summary>Continues after the last hit of a search with the same query and order on the same snapshot, which had <see cref="WithPosition"/>. The total
    /// may then be unknown. Null: the search begins at the beginning.</summary>
    public SearchPosition? After { get; init; }

    /// <summary>Whether the plan has a step for each node of the search, with rows and time. Measuring makes a search slower, a few
    /// hundredths of a microsecond per entry and node.</summary>
    public bool WithPlan { get; init; }
}

/// <summary>The place of a hit in its order, after which a later search can continue. It is valid for one snapshot only.</summary>
public abstract record SearchPosition;

/// <summary>The index cannot run a search as it is asked, because of a mistake of the caller. The message is for the user.</summary>
public sealed class InvalidSearchException : Exception
{
    public InvalidSearchException(string message)
        : base(message)
    {
    }

    public InvalidSearchException(string message, Exception inner)
        : base(message, inner)
    {
    }
}
