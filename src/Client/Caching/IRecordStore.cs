namespace Jackdaw.Client.Caching;

/// <summary>What a <see cref="RecordCache{T}"/> needs of a store. Implemented by the document store alone.</summary>
public interface IRecordStore
{
    /// <summary>Loads a document by a request to the server, never from a cache; null when there is none.</summary>
    internal ValueTask<T?> LoadRecordAsync<T>(string? database, string id, CancellationToken token)
        where T : class;

    /// <summary>Tells of changes in a database, until the result is disposed. When notices arrive already, it says so before it returns.</summary>
    internal IDisposable SubscribeToRecords(string? database, IChangeNotices notices);
}
