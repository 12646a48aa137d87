using System.Collections.Immutable;

namespace Jackdaw.Simulation.Harness;

/// <summary>All that a storage holds after one transaction. Immutable: each transaction id keeps its own.</summary>
internal sealed class ModelState
{
    private readonly ImmutableArray<ImmutableSortedDictionary<string, ModelValue>> _trees;

    private ModelState(ImmutableArray<ImmutableSortedDictionary<string, ModelValue>> trees) => _trees = trees;

    /// <summary>Number of the collections: named trees, then a table and a column.</summary>
    public const int CollectionCount = 5;

    /// <summary>The collection that is a table.</summary>
    public const int TableIndex = CollectionCount - 2;

    /// <summary>The collection that is a column. Its keys are numbers of pages, and pages without a value are empty.</summary>
    public const int ColumnIndex = CollectionCount - 1;

    public static ModelState Empty { get; } = new([.. Enumerable.Repeat(
        ImmutableSortedDictionary.Create<string, ModelValue>(StringComparer.Ordinal), CollectionCount)]);

    public ImmutableSortedDictionary<string, ModelValue> this[int collection] => _trees[collection];

    public ModelState With(int collection, ImmutableSortedDictionary<string, ModelValue> entries) =>
        new(_trees.SetItem(collection, entries));
}
