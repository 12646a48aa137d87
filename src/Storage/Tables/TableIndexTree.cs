using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tables;

/// <summary>The stored form of one index in one transaction: keys of rows to row ids.</summary>
internal abstract class TableIndexTree(TableIndex index)
{
    /// <summary>The declaration.</summary>
    public TableIndex Index { get; } = index;

    /// <summary>Checks that a new row's key has an allowed size.</summary>
    /// <exception cref="ArgumentException">The key is too long.</exception>
    public virtual void CheckKey(TableRow row)
    {
    }

    /// <summary>True when two rows have the same place in the index.</summary>
    public abstract bool IsSameKey(TableRow left, TableRow right);

    /// <summary>True when there is a row with the key of this one.</summary>
    public abstract bool HasKey(TableRow row);

    /// <summary>Adds a row; false, and nothing changed, when its key is taken.</summary>
    public abstract bool TryAdd(TableRow row, RowId id);

    /// <summary>Gives the entry of a row another id.</summary>
    public abstract void Move(TableRow row, RowId id);

    /// <summary>Removes the entry of a row that is there.</summary>
    public abstract void Remove(TableRow row);

    /// <summary>Hands changed headers to the catalog.</summary>
    public virtual void SaveHeaders(TreeCatalog catalog)
    {
    }

    /// <summary>Reports that an index and its heap contradict each other.</summary>
    protected void ThrowMissing(TableRow row) =>
        PageDamage.Throw(row.Id.Page, $"row {row.Id} is not in index '{Index.Name}' of its table");
}
