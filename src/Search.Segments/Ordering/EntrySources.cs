using Jackdaw.Search.Ordering;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Reading;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Segments.Ordering;

/// <summary>Orders by the id.</summary>
internal sealed unsafe class IdSource(SortKey key) : BytesSource(key)
{
    private IdReader _ids;
    private byte* _buffer;

    public override void Bind(SegmentView segment)
    {
        _ids = new IdReader(segment);
        _buffer = segment.Arena.Take<byte>(sizeof(int) + Term.BytesMax);
    }

    public override OrderValue Read(int entry, float score)
    {
        *(int*)_buffer = _ids.Read(entry, _buffer + sizeof(int));
        return new OrderValue(Present, (ulong)_buffer);
    }
}

/// <summary>Shuffles by a hash of the id: the same seed gives the same order, even if segments were merged in between.</summary>
internal sealed unsafe class RandomSource(SortKey key) : SortSource(key)
{
    private IdReader _ids;
    private byte* _buffer;

    public override void Bind(SegmentView segment)
    {
        _ids = new IdReader(segment);
        _buffer = segment.Arena.Take<byte>(Term.BytesMax);
    }

    public override OrderValue Read(int entry, float score)
    {
        ulong hash = ShuffledOrder.Rank(new ReadOnlySpan<byte>(_buffer, _ids.Read(entry, _buffer)), Key.Seed);
        return new OrderValue(Present, Key.IsDescending ? ~hash : hash);
    }
}

/// <summary>Orders by the score: the best first, unless it is descending.</summary>
internal sealed unsafe class ScoreSource(SortKey key) : SortSource(key)
{
    public override void Bind(SegmentView segment)
    {
        // Scores come with the entries.
    }

    public override void ReadRanks(int* entries, int count, float* scores, ulong* ranks)
    {
        bool isDescending = Key.IsDescending;
        for (int i = 0; i < count; i++)
        {
            ranks[i] = Between(NumberOf(scores[i], isDescending));
        }
    }

    public override OrderValue Read(int entry, float score) => new(Present, NumberOf(score, Key.IsDescending));

    private static ulong NumberOf(float score, bool isDescending)
    {
        ulong ordered = (ulong)OrderedNumber.Of(score) ^ (1UL << 63);
        return isDescending ? ordered : ~ordered;
    }
}
