using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Results;

/// <summary>One entry that was found.</summary>
/// <param name="Id">The id with which the entry was added, in UTF-8. Other searches may get the same bytes, so nobody may change them.</param>
/// <param name="Ordinal">The number of the entry in its searcher; it has no meaning for another searcher.</param>
/// <param name="Score">0 when no scores were asked for.</param>
public readonly record struct SearchHit(ReadOnlyMemory<byte> Id, int Ordinal, float Score);

/// <summary>A value that an entry stores.</summary>
/// <param name="Utf8">The value as it was given. The bytes belong to the receiver.</param>
public readonly record struct StoredValue(string Field, ReadOnlyMemory<byte> Utf8);

/// <summary>What a search found.</summary>
/// <param name="Hits">The hits of the page that was asked for.</param>
/// <param name="Total">The number of all entries that match; exact. -1 when they were not counted, because the search that this one continues has counted
/// them.</param>
/// <param name="Plan">The steps of the search, with their times.</param>
public sealed record SearchResults(IReadOnlyList<SearchHit> Hits, long Total, PlanNode Plan)
{
    /// <summary>The position of the last hit, if it was asked for; null when there is no hit.</summary>
    public SearchPosition? Last { get; init; }
}

/// <summary>One step of a search, with the steps below it. The first one is <c>search</c>; it has others below it when
/// <see cref="Jackdaw.Search.Queries.SearchRequest.WithPlan"/> is set.</summary>
/// <param name="Operator">The name of the step: <c>term</c>, <c>and</c>, <c>sort</c>.</param>
/// <param name="Detail">The field and the value that the step works on.</param>
/// <param name="RowsOut">The number of entries that it gave to the step above, which asks only for those that it needs: below an "and" these are the entries
/// from the place that the other steps have reached. -1 when the number is not known.</param>
/// <param name="Time">Its time together with that of the steps below it; zero when it is not measured separately.</param>
public sealed record PlanNode(string Operator, string Detail, long RowsOut, TimeSpan Time, IReadOnlyList<PlanNode> Inputs)
{
    /// <summary>The number of entries that it got from the steps below; -1 when there are no such steps, or when the number is not known.</summary>
    public long RowsIn { get; init; } = -1;

    /// <summary>The number of terms of the index that it looks for; -1 when that is not known before it runs.</summary>
    public int Terms { get; init; } = -1;

    /// <summary>The parts of the index that it and the steps below it read. A part of a file counts for the step that reads it first.</summary>
    public ReadCount Reads { get; init; } = ReadCount.Unknown;
}

/// <summary>The parts of an index's files that were read. Each part counts once, even if it is read several times.</summary>
/// <param name="Bytes">The bytes of these parts; -1 when that is not known.</param>
/// <param name="Pages">The pages of the storage that hold them. Small files are in memory and need no pages. -1 when that is not known.</param>
public readonly record struct ReadCount(long Bytes, long Pages)
{
    public static ReadCount Unknown { get; } = new(-1, -1);

    /// <summary>Both together.</summary>
    public ReadCount Plus(ReadCount other) => other.Bytes < 0 ? other : new ReadCount(Bytes + other.Bytes, Pages + other.Pages);

    /// <summary>The parts that were read since an earlier count.</summary>
    public ReadCount Since(ReadCount earlier) => Bytes < 0 ? Unknown : new ReadCount(Bytes - earlier.Bytes, Pages - earlier.Pages);
}

/// <summary>The distance of the nearest shape of an entry.</summary>
/// <param name="Distance">The distance in the unit of the order, not rounded.</param>
/// <param name="Y">The latitude of the middle of the shape.</param>
/// <param name="X">The longitude.</param>
public readonly record struct PlacedDistance(double Distance, double Y, double X);

/// <summary>A term of a field and the number of entries that have it.</summary>
public readonly record struct TermCount(string Term, long Entries);

/// <summary>A term that an entry has in a field.</summary>
/// <param name="Term">Null: the field is null.</param>
public readonly record struct EntryTerm(string Field, string? Term);

/// <summary>The entries of one term or range, counted together.</summary>
/// <param name="Term">The term; null for entries without a value, and for ranges.</param>
/// <param name="Values">One value for each aggregation; null when no entry has a number.</param>
public sealed record FacetBucket(string? Term, long Count, IReadOnlyList<double?> Values);
