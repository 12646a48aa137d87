using System.Collections.Concurrent;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>One object for each thread that asks, as long as this lives. Any thread.</summary>
/// <remarks>Not the framework's own: its values are held by their threads, and what they refer to, such as a reader with its whole storage,
/// would stay until it is disposed. A thread that has the number of an ended one takes over its object.</remarks>
internal sealed class PerThread<T>(Func<T> make)
{
    private readonly ConcurrentDictionary<int, T> _values = new();

    /// <summary>That of the calling thread.</summary>
    public T Value => _values.TryGetValue(Environment.CurrentManagedThreadId, out T? value)
        ? value
        : _values[Environment.CurrentManagedThreadId] = make();
}
