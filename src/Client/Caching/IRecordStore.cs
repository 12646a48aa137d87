namespace Jackdaw.Client.Caching;

/// <summary>What a <see cref="RecordCache{T}"/> needs from a store. Only the document store implements it.</summary>
public interface IRecordStore
{
    /// <summary>Loads a document by a request to the server, never from a cache; null when the document does not exist.</summary>
    internal ValueTask<T?> LoadRecordAsync<T>(string? database, string id, CancellationToken token)
        where T : class;

    /// <summary>Sends notices of changes in a database to a cache, until the result is disposed. When notices arrive already, the cache is notified
    /// of that before this returns.</summary>
    internal IDisposable SubscribeToRecords(string? database, IChangeNotices notices);
}
