namespace Jackdaw.Indexing.Reducing;

/// <summary>Makes one row of several rows of a group.</summary>
internal interface IGroupReducer
{
    /// <summary>Reduces mapped rows, or rows that this method made before, or both.</summary>
    /// <param name="rows">At least one; valid during the call.</param>
    /// <returns>One row of the same shape; null when the group has none; <see cref="GroupStore.Failed"/> when it could not be computed.</returns>
    byte[]? Reduce(IReadOnlyList<ReadOnlyMemory<byte>> rows);
}

/// <summary>A mapped row and the group it belongs to.</summary>
/// <param name="Group">Its group.</param>
/// <param name="Row">Its bytes; the store does not look into them.</param>
internal readonly record struct MappedRow(KeyHash Group, ReadOnlyMemory<byte> Row);

/// <summary>The result of reducing a group.</summary>
/// <param name="Group">The group.</param>
/// <param name="Row">Its row; null when it has none, or when it could not be computed.</param>
internal readonly record struct ReducedGroup(KeyHash Group, byte[]? Row);
