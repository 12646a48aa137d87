using NetTopologySuite.Geometries;
using NetTopologySuite.Noding;

namespace Jackdaw.Search.Spatial;

/// <summary>Counts pairs of segments whose boxes meet, up to a limit. To find out whether lines cross takes one step for each such pair, and each crossing
/// costs time and memory: a text of a megabyte could have billions of them.</summary>
internal sealed class CrossingCount : ISegmentIntersector
{
    /// <summary>The number of pairs between two checks of the token: well below a millisecond. A power of two.</summary>
    private const int LookInterval = 1024;

    private readonly int _most;
    private readonly CancellationToken _cancellation;
    private int _count;

    private CrossingCount(int most, CancellationToken cancellation)
    {
        _most = most;
        _cancellation = cancellation;
    }

    public bool IsDone => _count > _most;

    /// <summary>Whether the number of pairs of segments of a shape that may cross is within a limit. A segment is not paired with itself or its
    /// neighbours.</summary>
    public static bool IsWithin(Geometry geometry, int most)
    {
        IReadOnlyList<ISegmentString> lines = LinesOf(geometry);
        return IsWithin(lines, lines, 2 * most, CancellationToken.None); // each pair comes twice
    }

    /// <summary>Whether the number of pairs that may cross, each of a segment of one shape and one of the other, is within a limit.</summary>
    public static bool IsWithin(Geometry one, Geometry other, int most, CancellationToken cancellation) =>
        IsWithin(LinesOf(one), LinesOf(other), most, cancellation);

    public void ProcessIntersections(ISegmentString e0, int segIndex0, ISegmentString e1, int segIndex1)
    {
        if (ReferenceEquals(e0, e1) && IsNear(e0, segIndex0, segIndex1))
        {
            return;
        }

        if ((++_count & (LookInterval - 1)) == 0)
        {
            _cancellation.ThrowIfCancellationRequested();
        }
    }

    private static bool IsWithin(IReadOnlyList<ISegmentString> one, IReadOnlyList<ISegmentString> other, int most, CancellationToken cancellation)
    {
        var count = new CrossingCount(most, cancellation);
        new MCIndexSegmentSetMutualIntersector(one).Process(other, count);
        return !count.IsDone;
    }

    private static bool IsNear(ISegmentString line, int one, int other)
    {
        int apart = Math.Abs(one - other);
        return apart <= 1 || apart == line.Count - 2; // the last segment of a ring is next to the first
    }

    private static IReadOnlyList<ISegmentString> LinesOf(Geometry geometry)
    {
        var collector = new LineCollector();
        geometry.Apply(collector);
        return [.. collector.Lines.Where(line => line.Length > 1).Select(line => new BasicSegmentString(line, null))];
    }
}

/// <summary>Collects the coordinates of all lines, rings and points of a shape.</summary>
internal sealed class LineCollector : IGeometryComponentFilter
{
    public List<Coordinate[]> Lines { get; } = [];

    public void Filter(Geometry geom)
    {
        if (geom is LineString or Point && !geom.IsEmpty)
        {
            Lines.Add(geom.Coordinates);
        }
    }
}
