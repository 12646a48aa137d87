using System.Collections;

namespace Jackdaw.Indexing.Definitions.Functions;

/// <summary>Elements with one key.</summary>
/// <typeparam name="TKey">A value, or an anonymous object of values.</typeparam>
/// <typeparam name="TElement">What is grouped.</typeparam>
public sealed class Group<TKey, TElement> : IEnumerable<TElement>
{
    private readonly List<TElement> _elements = [];

    internal Group(TKey key) => Key = key;

    public TKey Key { get; }

    public IEnumerator<TElement> GetEnumerator() => _elements.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    internal void Add(TElement element) => _elements.Add(element);
}
