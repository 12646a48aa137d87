using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Results;

/// <summary>One entry that was found.</summary>
/// <param name="Id">The id it was added with, UTF-8. Other searches may get the same bytes.</param>
/// <param name="Ordinal">Its number among the entries of the searcher; of no use for another one.</param>
/// <param name="Score">0 when none was asked for.</param>
public readonly record struct SearchHit(ReadOnlyMemory<byte> Id, int Ordinal, float Score);

/// <summary>A value that an entry stores.</summary>
/// <param name="Utf8">As it was given. The receiver's.</param>
public readonly record struct StoredValue(string Field, ReadOnlyMemory<byte> Utf8);

/// <summary>What a search found.</summary>
/// <param name="Hits">The page that was asked for.</param>
/// <param name="Total">All entries that match; exact. -1: not counted, as it was by the search that this one continues.</param>
/// <param name="Plan">What was done, and what it took.</param>
public sealed record SearchResults(IReadOnlyList<SearchHit> Hits, long Total, PlanNode Plan)
{
    /// <summary>Of the last hit, when it was asked for; null when there is none.</summary>
    public SearchPosition? Last { get; init; }
}

/// <summary>One step of a search, with the steps below it. The first one is <c>search</c>; others are there when
/// <see cref="Jackdaw.Search.Queries.SearchRequest.WithPlan"/> asks for them.</summary>
/// <param name="Operator">Its name: <c>term</c>, <c>and</c>, <c>sort</c>.</param>
/// <param name="Detail">What it is about: field and value.</param>
/// <param name="RowsOut">Entries it gave to the step above, which does not ask for more than it needs: below an "and" only those from
/// where the other steps are. -1 when that is not known.</param>
/// <param name="Time">Its own and that of the steps below it; zero when it is not measured by itself.</param>
public sealed record PlanNode(string Operator, string Detail, long RowsOut, TimeSpan Time, IReadOnlyList<PlanNode> Inputs)
{
    /// <summary>Entries that it got from the steps below; -1 when there are none, or when that is not known.</summary>
    public long RowsIn { get; init; } = -1;

    /// <summary>Terms of the index that it looks for; -1 when that is not known before it runs.</summary>
    public int Terms { get; init; } = -1;

    /// <summary>What it and the steps below it read of the index; a part of a file counts for the step that reads it first.</summary>
    public ReadCount Reads { get; init; } = ReadCount.Unknown;
}

/// <summary>What was read of the files of an index, each part of a file once, however often it is looked into.</summary>
/// <param name="Bytes">Bytes of the parts of files that were looked into; -1 when that is not known.</param>
/// <param name="Pages">Pages of the storage that hold them; small files are kept in memory and have none. -1 when that is not known.</param>
public readonly record struct ReadCount(long Bytes, long Pages)
{
    public static ReadCount Unknown { get; } = new(-1, -1);

    /// <summary>Both together.</summary>
    public ReadCount Plus(ReadCount other) => other.Bytes < 0 ? other : new ReadCount(Bytes + other.Bytes, Pages + other.Pages);

    /// <summary>What was read since an earlier count.</summary>
    public ReadCount Since(ReadCount earlier) => Bytes < 0 ? Unknown : new ReadCount(Bytes - earlier.Bytes, Pages - earlier.Pages);
}

/// <summary>How far the nearest shape of an entry is.</summary>
/// <param name="Distance">In the unit of the order, not rounded.</param>
/// <param name="Y">Of the shape's middle: the latitude.</param>
/// <param name="X">The longitude.</param>
public readonly record struct PlacedDistance(double Distance, double Y, double X);

/// <summary>A term of a field and the number of entries that have it.</summary>
public readonly record struct TermCount(string Term, long Entries);

/// <summary>A term that an entry has in a field.</summary>
/// <param name="Term">Null: the field is null.</param>
public readonly record struct EntryTerm(string Field, string? Term);

/// <summary>Entries that were counted together.</summary>
/// <param name="Term">The term; null for those without a value, and for ranges.</param>
/// <param name="Values">One for each aggregation; null when no entry has a number.</param>
public sealed record FacetBucket(string? Term, long Count, IReadOnlyList<double?> Values);
