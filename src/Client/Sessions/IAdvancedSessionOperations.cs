using Jackdaw.Client.Exceptions;

namespace Jackdaw.Client.Sessions;

/// <summary>What sessions of both kinds offer beside the usual.</summary>
public interface IAdvancedSessionOperations
{
    /// <summary>Requests that the session has sent.</summary>
    int NumberOfRequests { get; }

    /// <summary>Requests that it may send; one more throws <see cref="TooManyRequestsInSessionException"/>.</summary>
    int MaxNumberOfRequestsPerSession { get; set; }

    /// <summary>Each changed document must have the version that the session has read, and each new one must not be there.</summary>
    bool UseOptimisticConcurrency { get; set; }

    /// <summary>Whether a save would send anything.</summary>
    bool HasChanges { get; }

    /// <summary>Whether an object differs from what was read or saved.</summary>
    bool HasChanged(object entity);

    /// <summary>Whether a document is in the session.</summary>
    bool IsLoaded(string id);

    /// <summary>The id of an object; null when the server will give it with the save.</summary>
    string? GetDocumentId(object entity);

    /// <summary>The metadata of an object; changes are saved.</summary>
    MetadataDictionary GetMetadataFor(object entity);

    /// <summary>The version of an object that was read or saved; null for a new one.</summary>
    string? GetChangeVectorFor(object entity);

    /// <summary>When the document of an object was written; null for a new one.</summary>
    DateTime? GetLastModifiedFor(object entity);

    /// <summary>The session forgets an object with its changes.</summary>
    void Evict(object entity);

    /// <summary>The session forgets everything.</summary>
    void Clear();

    /// <summary>Changes of an object are not saved.</summary>
    void IgnoreChangesFor(object entity);
}

/// <summary>What an asynchronous session offers beside the usual.</summary>
public interface IAsyncAdvancedSessionOperations : IAdvancedSessionOperations
{
    /// <summary>Whether a document is there.</summary>
    Task<bool> ExistsAsync(string id, CancellationToken token = default);
}

/// <summary>What a synchronous session offers beside the usual.</summary>
public interface ISyncAdvancedSessionOperations : IAdvancedSessionOperations
{
    /// <summary>Whether a document is there.</summary>
    bool Exists(string id);
}
