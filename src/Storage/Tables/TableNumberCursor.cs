using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tables;

/// <summary>A position in a number index, or in one partition of it; moves both ways without allocation. Any change of the table makes it invalid.</summary>
public struct TableNumberCursor
{
    private readonly Table _table;
    private FixedSizeTreeCursor<long, RowId> _cursor;

    internal TableNumberCursor(Table table, FixedSizeTree<long, RowId> tree)
    {
        _table = table;
        _cursor = tree.GetCursor();
    }

    /// <summary>The number.</summary>
    public readonly long Number => _cursor.Key;

    /// <summary>Where the row is.</summary>
    public readonly RowId RowId => _cursor.Value;

    /// <summary>The row.</summary>
    public readonly TableRow Row => _table.Read(_cursor.Value);

    /// <summary>Goes to the smallest number.</summary>
    public bool SeekFirst() => _cursor.SeekFirst();

    /// <summary>Goes to the largest number.</summary>
    public bool SeekLast() => _cursor.SeekLast();

    /// <summary>Goes to the first number that is not below the given one.</summary>
    public bool Seek(long number) => _cursor.Seek(number);

    /// <summary>Goes to the last number that is not above the given one.</summary>
    public bool SeekAtMost(long number) => _cursor.SeekAtMost(number);

    /// <summary>Goes to the next larger number.</summary>
    public bool MoveNext() => _cursor.MoveNext();

    /// <summary>Goes to the next smaller number.</summary>
    public bool MovePrevious() => _cursor.MovePrevious();
}
