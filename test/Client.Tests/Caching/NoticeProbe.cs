using System.Collections.Concurrent;
using Jackdaw.Client.Caching;

namespace Jackdaw.Client.Tests.Caching;

/// <summary>Waits until the caches of a store were told of something: it is told after the store's own cache.</summary>
internal sealed class NoticeProbe : IChangeNotices, IDisposable
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(30);

    private readonly ConcurrentDictionary<string, int> _told = new(StringComparer.OrdinalIgnoreCase);
    private readonly SemaphoreSlim _news = new(0);
    private readonly IDisposable _subscription;

    public NoticeProbe(DocumentStore store, string? database = null) =>
        _subscription = ((IRecordStore)store).SubscribeToRecords(database, this);

    /// <summary>Runs something, and waits until the caches were told of a document, an index or a connection since.</summary>
    public async Task AfterAsync(string told, Func<Task> change)
    {
        int before = _told.GetValueOrDefault(told);
        await change();
        while (_told.GetValueOrDefault(told) == before)
        {
            Assert.True(await _news.WaitAsync(s_limit), $"no notice of {told}; told: {string.Join(", ", _told)}");
        }
    }

    public void Dispose() => _subscription.Dispose();

    void IChangeNotices.OnDocumentsChanged(ReadOnlySpan<string> ids, ReadOnlySpan<string> collections)
    {
        foreach (string id in ids)
        {
            Note(id);
        }
    }

    void IChangeNotices.OnIndexChanged(string name) => Note("index " + name);

    void IChangeNotices.OnCompareExchangeChanged(string key) => Note("value " + key);

    void IChangeNotices.OnAnythingChanged() => Note("anything");

    void IChangeNotices.OnConnected() => Note("connected");

    void IChangeNotices.OnLost() => Note("lost");

    private void Note(string told)
    {
        _told.AddOrUpdate(told, 1, static (_, count) => count + 1);
        _news.Release();
    }
}
