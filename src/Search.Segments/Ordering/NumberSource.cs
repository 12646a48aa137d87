using Jackdaw.Search.Ordering;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Segments.Ordering;

/// <summary>Orders by the first number: whole numbers exactly, all others as doubles. Dates are numbers by their ticks.</summary>
/// <param name="field">Null when the index has no such field.</param>
internal sealed unsafe class NumberSource(SortKey key, FieldRecord? field) : SortSource(key)
{
    private const ulong Sign = 1UL << 63;

    /// <summary>More than the distance of a whole number from the nearest double.</summary>
    private const long RoundedMax = 1 << 13;

    private static readonly PartKind[] s_kinds = [PartKind.Longs, PartKind.Doubles, PartKind.Dates];

    private SegmentView _segment = null!; // set when it is bound
    private FirstNumbers _numbers;

    public override void Bind(SegmentView segment)
    {
        _segment = segment;
        _numbers = field is null ? default : FirstNumbers.Open(segment, field.Number);
    }

    public override OrderWalk? Walk()
    {
        if (field is null)
        {
            return null;
        }

        NumberView[] numbers = [.. s_kinds.Select(kind => NumberView.Open(_segment, field.Number, kind)).Where(view => view.Exists)];
        return Array.TrueForAll(numbers, view => view.IsSingle)
            ? new NumberOrderWalk(_segment, numbers, this, Key.IsDescending, MissingFirst)
            : null;
    }

    public override ulong RankOf(in OrderValue value) => Key.By == SortBy.Long ? base.RankOf(value) : value.First;

    public override void ReadRanks(int* entries, int count, float* scores, ulong* ranks)
    {
        byte* has = stackalloc byte[count];
        _numbers.ReadOrdered(entries, count, Key.By == SortBy.Long, (long*)ranks, has);
        ulong missing = Missing.First, turn = Key.IsDescending ? ~Sign : Sign;
        for (int i = 0; i < count; i++)
        {
            ranks[i] = has[i] == 0 ? missing : Between(ranks[i] ^ turn);
        }
    }

    public override OrderValue Read(int entry, float score)
    {
        NumberKey number = _numbers.Read(entry);
        if (!number.Exists)
        {
            return Missing;
        }

        if (Key.By == SortBy.Long)
        {
            ulong whole = (ulong)number.Long ^ Sign;
            return new OrderValue(Present, Key.IsDescending ? ~whole : whole);
        }

        // Several whole numbers may be the same double, and 2^63 comes behind the largest of them.
        long nearest = number.Double >= long.MaxValue ? long.MaxValue : (long)number.Double;
        ulong rest = (ulong)(number.IsBeyond ? 2 * RoundedMax : number.Long - nearest + RoundedMax);
        return new OrderValue(Directed((ulong)OrderedNumber.Of(number.Double) ^ Sign), Key.IsDescending ? ~rest : rest);
    }
}
