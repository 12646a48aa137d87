using Jackdaw.Search.Results;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;

namespace Jackdaw.Search.Segments;

/// <summary>Reads the ids of the hits that a page shows.</summary>
internal static unsafe class HitIds
{
    /// <summary>The hits of the search without the first ones; their ids are one piece of memory.</summary>
    public static SearchHit[] Read(OpenSegments segments, int skip)
    {
        SearchMemory memory = segments.Memory;
        NativeList<SegmentHit> found = memory.Hits;
        var hits = new SearchHit[Math.Max(0, found.Count - skip)];
        (int Start, int Length)* places = memory.Whole.Take<(int, int)>(hits.Length);
        ReadIds(segments, skip, places, hits.Length);
        byte[] ids = memory.Ids.Span.ToArray();
        for (int i = 0; i < hits.Length; i++)
        {
            SegmentHit hit = found[skip + i];
            hits[i] = new SearchHit(ids.AsMemory(places[i].Start, places[i].Length), hit.Ordinal, hit.Score);
        }

        return hits;
    }

    private static void ReadIds(OpenSegments segments, int skip, (int Start, int Length)* places, int count)
    {
        NativeBuffer bytes = segments.Memory.Ids;
        bytes.Clear();
        int open = -1, firstOrdinal = 0;
        IdReader ids = default;
        for (int i = 0; i < count; i++)
        {
            int ordinal = segments.Memory.Hits[skip + i].Ordinal, owner = segments.State.SegmentOf(ordinal);
            if (owner != open)
            {
                open = owner;
                SegmentView segment = segments.OpenForValues(owner);
                firstOrdinal = segment.Base;
                ids = new IdReader(segment);
            }

            int start = bytes.Length, length = ids.Read(ordinal - firstOrdinal, bytes.Extend(Term.BytesMax));
            bytes.Cut(start + length);
            places[i] = (start, length);
        }
    }
}
