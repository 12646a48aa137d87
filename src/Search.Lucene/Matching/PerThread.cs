using System.Collections.Concurrent;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>One object for each thread that asks for it, as long as this collection lives. Any thread.</summary>
/// <remarks>The framework's own type is not used, because threads hold its values: everything that they refer to, such as a reader with its whole storage,
/// would stay until it is disposed. A thread that has the number of an ended thread takes over its object.</remarks>
internal sealed class PerThread<T>(Func<T> make)
{
    private readonly ConcurrentDictionary<int, T> _values = new();

    /// <summary>The object of the calling thread.</summary>
    public T Value => _values.TryGetValue(Environment.CurrentManagedThreadId, out T? value)
        ? value
        : _values[Environment.CurrentManagedThreadId] = make();
}
