using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Results;

/// <summary>The numbers of the entries of a bucket, reduced to what any function needs. The default has none.</summary>
public struct FacetNumbers
{
    private long _count;
    private double _sum;
    private double _min;
    private double _max;

    /// <summary>Adds the number of an entry.</summary>
    public void Add(double value)
    {
        _min = _count == 0 ? value : Math.Min(_min, value);
        _max = _count == 0 ? value : Math.Max(_max, value);
        _sum += value;
        _count++;
    }

    /// <summary>The value; null when there is no number.</summary>
    public readonly double? Get(FacetFunction function) => _count == 0 ? null : function switch
    {
        FacetFunction.Sum => _sum,
        FacetFunction.Min => _min,
        FacetFunction.Max => _max,
        _ => _sum / _count,
    };
}
