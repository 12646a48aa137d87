using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Matching;

/// <summary>All entries.</summary>
internal sealed unsafe class AllMatcher : Matcher
{
    public override bool HasBits => true;

    public override int CountDeleted() => Segment.DeletedCount;

    protected override (int Most, bool IsExact) BindCore() => (Segment.Entries, true);

    protected override Found MatchCore() => Found.All;

    protected override int FilterCore(int* entries, int count) => count;

    protected override int FirstCore(int* target, int most)
    {
        int count = Math.Min(most, Segment.Entries);
        for (int i = 0; i < count; i++)
        {
            target[i] = i;
        }

        return count;
    }
}

/// <summary>No entry.</summary>
internal sealed class NoneMatcher : Matcher
{
    protected override (int Most, bool IsExact) BindCore() => (0, true);

    protected override Found MatchCore() => Found.None;
}

/// <summary>The entries of a stored set: those that have a field, are null in it, or have a vector.</summary>
internal sealed unsafe class SetMatcher : Matcher
{
    private int _field;
    private PartKind _kind;
    private bool _isColumn;
    private EntrySet _set;

    public override int CountDeleted() => _set.HasAll ? Segment.DeletedCount : _set.Words != null ? Segment.CountDeleted(_set.Words) : -1;

    /// <param name="isColumn">Whether the part is a column, whose entries are meant.</param>
    public SetMatcher Set(int field, PartKind kind, bool isColumn = false)
    {
        (_field, _kind, _isColumn) = (field, kind, isColumn);
        return this;
    }

    public override bool HasBits => _set.HasAll || _set.Words != null;

    protected override (int Most, bool IsExact) BindCore()
    {
        if (_isColumn)
        {
            var column = ColumnReader.Open(Segment, _field, _kind, _kind);
            _set = column.Exists ? column.Entries : new EntrySet(null, Segment.Entries);
        }
        else
        {
            _set = Segment.FindSet(_field, _kind);
        }

        return (_set.Count, true);
    }

    protected override Found MatchCore()
    {
        if (_set.HasAll)
        {
            return Found.All;
        }

        if (_set.Words != null)
        {
            return Found.OfBits(_set.Words, isShared: true);
        }

        int* list = Scratch.Take<int>(_set.Count);
        _set.CopyTo(list);
        return Found.OfList(list, _set.Count);
    }

    protected override int FilterCore(int* entries, int count)
    {
        if (_set.List != null)
        {
            return PostingsFilter.Intersect(entries, count, _set.List, _set.Count);
        }

        return Filter(_set.HasAll ? Found.All : Found.OfBits(_set.Words, isShared: true), entries, count);
    }

    protected override int FirstCore(int* target, int most)
    {
        if (!_set.HasAll)
        {
            return -1;
        }

        int count = Math.Min(most, Segment.Entries);
        for (int i = 0; i < count; i++)
        {
            target[i] = i;
        }

        return count;
    }
}
