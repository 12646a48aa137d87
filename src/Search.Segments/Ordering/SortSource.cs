using Jackdaw.Search.Queries;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Segments.Ordering;

/// <summary>The value of one entry by which it is ordered. The first number says whether there is one. The second is a number, or the place of bytes
/// (length (4), bytes), or what else its source says.</summary>
internal record struct OrderValue(ulong First, ulong Second);

/// <summary>Reads the values of one key of an order, and compares them. It is bound to one segment after another. One search.</summary>
internal abstract unsafe class SortSource(SortKey key)
{
    /// <summary>The first number of an entry without a value that comes before all others.</summary>
    protected const ulong Before = 0;

    /// <summary>The first number of an entry without a value that comes behind all others.</summary>
    protected const ulong Behind = ulong.MaxValue;

    /// <summary>The first number of an entry that has a value, when it says nothing else.</summary>
    protected const ulong Present = 1;

    protected SortKey Key => key;

    /// <summary>The value of an entry without one.</summary>
    protected OrderValue Missing { get; } =
        new(key.Nulls == NullOrder.First || (key.Nulls == NullOrder.Smallest && !key.IsDescending) ? Before : Behind, 0);

    /// <summary>Turns to another segment.</summary>
    public abstract void Bind(SegmentView segment);

    /// <summary>Whether values of the bound segment are compared as their two numbers.</summary>
    public virtual bool IsNumeric => true;

    /// <summary>Whether values of all segments are compared as their two numbers.</summary>
    public virtual bool IsNumericEverywhere => IsNumeric;

    /// <summary>Walks over the segment in the order of the key.</summary>
    /// <returns>Null when that takes as long as reading all values.</returns>
    public virtual OrderWalk? Walk() => null;

    /// <summary>The value of an entry of the segment, valid until the next one is read.</summary>
    /// <param name="score">The score of the entry; 0 when scores are not wanted.</param>
    public abstract OrderValue Read(int entry, float score);

    /// <summary>Reads the ranks of some entries, when values are compared as numbers.</summary>
    /// <param name="entries">In order, some hundred at most.</param>
    /// <param name="scores">Null when there are none.</param>
    public virtual void ReadRanks(int* entries, int count, float* scores, ulong* ranks)
    {
        for (int i = 0; i < count; i++)
        {
            ranks[i] = RankOf(Read(entries[i], scores == null ? 0 : scores[i]));
        }
    }

    /// <summary>The rank of a value that is compared as a number: values with a smaller rank come first; equal ranks say nothing.</summary>
    public virtual ulong RankOf(in OrderValue value) => IsMissing(value) ? value.First : Between(value.Second);

    /// <summary>The value that was read last, valid as long as the segment.</summary>
    public virtual OrderValue Hold(in OrderValue value, Arena arena) => value;

    /// <summary>A value that was held, valid as long as the search.</summary>
    public virtual OrderValue Settle(in OrderValue value, Arena arena) => value;

    /// <summary>Compares two values of the segment, in the order that was asked for.</summary>
    public virtual int CompareHere(in OrderValue left, in OrderValue right) => Compare(left, right);

    /// <summary>Compares two values that were settled, in the order that was asked for.</summary>
    public virtual int Compare(in OrderValue left, in OrderValue right) => CompareNumbers(left, right);

    /// <summary>Compares the two numbers of values.</summary>
    public static int CompareNumbers(in OrderValue left, in OrderValue right)
    {
        int order = left.First.CompareTo(right.First);
        return order != 0 ? order : left.Second.CompareTo(right.Second);
    }

    /// <summary>Whether entries without a value come first.</summary>
    protected bool MissingFirst => Missing.First == Before;

    /// <summary>Whether a value says where entries without one come.</summary>
    protected static bool IsMissing(in OrderValue value) => value.First is Before or Behind;

    /// <summary>A number in the order that was asked for, between the two of entries without a value.</summary>
    protected ulong Directed(ulong value) => Between(key.IsDescending ? ~value : value);

    protected static ulong Between(ulong value) => Math.Clamp(value, Before + 1, Behind - 1);
}

/// <summary>A key whose values are bytes.</summary>
internal abstract unsafe class BytesSource(SortKey key) : SortSource(key)
{
    public override bool IsNumeric => false;

    public override OrderValue Hold(in OrderValue value, Arena arena) => Copy(value, arena);

    public override OrderValue Settle(in OrderValue value, Arena arena) => Copy(value, arena);

    public override int Compare(in OrderValue left, in OrderValue right)
    {
        if (left.First != right.First || IsMissing(left))
        {
            return left.First.CompareTo(right.First);
        }

        int order = CompareBytes(BytesOf(left), BytesOf(right));
        return Key.IsDescending ? -order : order;
    }

    protected virtual int CompareBytes(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right) => left.SequenceCompareTo(right);

    protected static OrderValue Copy(in OrderValue value, Arena arena) =>
        IsMissing(value) ? value : Copy(BytesOf(value), arena);

    protected static OrderValue Copy(ReadOnlySpan<byte> bytes, Arena arena)
    {
        byte* copy = arena.Take<byte>(sizeof(int) + bytes.Length);
        *(int*)copy = bytes.Length;
        bytes.CopyTo(new Span<byte>(copy + sizeof(int), bytes.Length));
        return new OrderValue(Present, (ulong)copy);
    }

    protected static ReadOnlySpan<byte> BytesOf(in OrderValue value) => new((byte*)value.Second + sizeof(int), *(int*)value.Second);
}
