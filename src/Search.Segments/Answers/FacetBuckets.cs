using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Segments.Reading;

namespace Jackdaw.Search.Segments.Answers;

/// <summary>A bucket of entries that are counted together, with the numbers of each aggregation.</summary>
internal sealed class Bucket(string? term, int aggregations)
{
    private readonly Aggregate[] _numbers = new Aggregate[aggregations];

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

    private struct Aggregate
    {
        private long _count;
        private double _sum;
        private double _min;
        private double _max;

        public void Add(double value)
        {
            _min = _count == 0 ? value : Math.Min(_min, value);
            _max = _count == 0 ? value : Math.Max(_max, value);
            _sum += value;
            _count++;
        }

        public readonly double? Get(FacetFunction function) => _count == 0 ? null : function switch
        {
            FacetFunction.Sum => _sum,
            FacetFunction.Min => _min,
            FacetFunction.Max => _max,
            _ => _sum / _count,
        };
    }
}
