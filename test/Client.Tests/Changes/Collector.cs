using System.Threading.Channels;

namespace Jackdaw.Client.Tests.Changes;

/// <summary>Takes what handlers are called with.</summary>
internal sealed class Collector<T>
{
    private readonly Channel<T> _items = Channel.CreateUnbounded<T>();

    public int Count => _items.Reader.Count;

    public void Add(T item) => _items.Writer.TryWrite(item);

    /// <summary>The next one.</summary>
    public Task<T> NextAsync() => _items.Reader.ReadAsync().AsTask().WaitAsync(ScriptedConnection.Limit);

    /// <summary>The next ones, in order.</summary>
    public async Task<T[]> TakeAsync(int count)
    {
        var taken = new T[count];
        for (int i = 0; i < count; i++)
        {
            taken[i] = await NextAsync();
        }

        return taken;
    }
}
