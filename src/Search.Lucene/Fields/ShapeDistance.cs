using Jackdaw.Search.Entries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Spatial;
using Lucene.Net.Index;
using Lucene.Net.Util;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Lucene.Fields;

/// <summary>The distances of the entries of one segment from a place. One thread at a time.</summary>
internal sealed class ShapeDistance(AtomicReader segment, SortKey key, SpatialSettings settings)
{
    private readonly BinaryDocValues? _shapes = segment.GetBinaryDocValues(IndexTerms.Shapes(key.Field));
    private readonly NearestShape _nearest = new(key, settings);
    private readonly BytesRef _bytes = new();

    /// <inheritdoc cref="NearestShape.Find"/>
    public PlacedDistance? Read(int doc)
    {
        _shapes?.Get(doc, _bytes);
        return _nearest.Find(_shapes is null ? [] : _bytes.Bytes.AsSpan(_bytes.Offset, _bytes.Length));
    }

    /// <inheritdoc cref="NearestShape.Rank"/>
    public double Rank(int doc, bool nullsAreSmall) => _nearest.Rank(Read(doc), nullsAreSmall);
}
