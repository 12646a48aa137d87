using System.Collections;
using Jackdaw.Indexing.Definitions.Functions;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Rows;

/// <summary>What <c>docs</c> means: the document that is being mapped.</summary>
public sealed class MapSource : IEnumerable<Value>
{
    internal MapSource()
    {
    }

    internal Value Current { get; set; }

    public IEnumerator<Value> GetEnumerator()
    {
        yield return Current;
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}

/// <summary>What <c>results</c> means: the rows that are being reduced, and the key by which they are grouped.</summary>
/// <remarks>A reduce is a pipeline that is built once. Its grouping passes here, so that the key of a single row can be
/// computed without the rest.</remarks>
public sealed class ReduceSource
{
    private Func<Value, Value>? _keyOf;

    internal ReduceSource()
    {
    }

    internal IReadOnlyList<Value> Rows { get; set; } = [];

    /// <summary>The key of a row; null when the pipeline does not begin with a grouping.</summary>
    internal Func<Value, Value>? KeyOf => _keyOf;

    public IEnumerable<Group<TKey, Value>> GroupBy<TKey>(Func<Value, TKey> key)
    {
        _keyOf = row => Conversion.ToValue(key(row));
        return Grouped(key, row => row);
    }

    public IEnumerable<Group<TKey, T>> GroupBy<TKey, T>(Func<Value, TKey> key, Func<Value, T> element)
    {
        _keyOf = row => Conversion.ToValue(key(row));
        return Grouped(key, element);
    }

    private IEnumerable<Group<TKey, T>> Grouped<TKey, T>(Func<Value, TKey> key, Func<Value, T> element)
    {
        foreach (Group<TKey, T> group in SequenceFunctions.GroupBy(Rows, key, element))
        {
            yield return group;
        }
    }
}
