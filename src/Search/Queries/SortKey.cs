using Jackdaw.Search.Entries;

namespace Jackdaw.Search.Queries;

/// <summary>What entries are ordered by.</summary>
public enum SortBy
{
    /// <summary>Text, ordinally, in the form of the field's terms.</summary>
    Text,
    Long,
    Double,

    /// <summary>Text in which runs of digits are compared as numbers: a2 before a10.</summary>
    AlphaNumeric,

    /// <summary>Ascending is the best first.</summary>
    Score,

    /// <summary>Shuffled; the same seed gives the same order.</summary>
    Random,

    /// <summary>The id.</summary>
    Id,

    /// <summary>Distance of the field's nearest shape, or of the middle of it, from a place.</summary>
    Distance,
}

/// <summary>Where entries without a value are placed.</summary>
public enum NullOrder
{
    /// <summary>As the smallest value: first when ascending, last when descending.</summary>
    Smallest,
    First,
    Last,
}

/// <summary>One key of an order. Entries that are equal in all keys have the order in which they were added.</summary>
/// <param name="Field">Empty for score, random and id.</param>
public sealed record SortKey(SortBy By, string Field = "", bool IsDescending = false, NullOrder Nulls = NullOrder.Smallest, int Seed = 0)
{
    /// <summary>From where distances are measured: the latitude.</summary>
    public double Y { get; init; }

    /// <summary>The longitude.</summary>
    public double X { get; init; }

    /// <summary>Distances are the same within steps of so much; 0 = all count.</summary>
    public double RoundTo { get; init; }

    /// <summary>Of <see cref="RoundTo"/> and of distances; null: that of the field.</summary>
    public DistanceUnit? Unit { get; init; }
}

/// <summary>One search.</summary>
/// <param name="Query">Which entries.</param>
/// <param name="Sort">In which order; empty = the one in which they were added.</param>
/// <param name="Skip">Hits left out, 0 or more.</param>
/// <param name="Take">Most hits, 0 or more; the total is exact all the same.</param>
public sealed record SearchRequest(SearchNode Query, IReadOnlyList<SortKey> Sort, int Skip, int Take)
{
    /// <summary>Whether hits are to have scores even if they are not ordered by them.</summary>
    public bool WithScores { get; init; }

    /// <summary>Whether the position of the last hit is wanted, to continue behind it.</summary>
    public bool WithPosition { get; init; }

    /// <summary>Where to continue: behind the last hit of a search with the same query and order on the same snapshot, which had
    /// <see cref="WithPosition"/>. Null: from the beginning. The total may then be unknown.</summary>
    public SearchPosition? After { get; init; }

    /// <summary>Whether the plan has a step for each node of the search, with rows and time. Measuring makes a search slower, a few
    /// hundredths of a microsecond per entry and node.</summary>
    public bool WithPlan { get; init; }
}

/// <summary>The place of a hit in its order, for those who continue behind it. Of use for one snapshot only.</summary>
public abstract record SearchPosition;

/// <summary>A search that the index cannot run as it is asked: the caller's mistake. The message is for the user.</summary>
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
