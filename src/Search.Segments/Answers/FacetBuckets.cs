using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Segments.Reading;

namespace Jackdaw.Search.Segments.Answers;

/// <summary>A bucket of entries that are counted together, with the numbers of each aggregation.</summary>
internal sealed class Bucket(string? term, int aggregations)
{
    private readonly FacetNumbers[] _numbers = new FacetNumbers[aggregations];

    public long Count { get; private set; }

    /// <param name="columns">The numbers of each aggregation.</param>
    public void Add(int entry, FirstNumbers[] columns)
    {
        Count++;
        for (int i = 0; i < columns.Length; i++)
        {
            if (columns[i].Read(entry) is { Exists: true } number)
            {
                _numbers[i].Add(number.Double);
            }
        }
    }

    /// <summary>Adds entries without numbers.</summary>
    public void Add(long count) => Count += count;

    public FacetBucket ToResult(IReadOnlyList<FacetAggregation> aggregations) =>
        new(term, Count, [.. aggregations.Select((one, i) => _numbers[i].Get(one.Function))]);
}
