using Jackdaw.Client.Http;

namespace Jackdaw.Client.Operations;

/// <summary>Sends operations on documents to one database. Safe for concurrent use.</summary>
public sealed class DocumentOperationExecutor
{
    private readonly Func<string?, OperationScope> _scopes;
    private readonly string? _database;

    internal DocumentOperationExecutor(Func<string?, OperationScope> scopes, string? database) => (_scopes, _database) = (scopes, database);

    /// <summary>An executor for another database of the store.</summary>
    public DocumentOperationExecutor ForDatabase(string database)
    {
        ArgumentException.ThrowIfNullOrEmpty(database);
        return new DocumentOperationExecutor(_scopes, database);
    }

    /// <summary>Sends an operation, and blocks until it is answered.</summary>
    public TResult Send<TResult>(DocumentOperation<TResult> operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        return Completed.Result(operation.RunAsync(_scopes(_database), isAsync: false, default));
    }

    /// <summary>Sends an operation. A long one continues after the call has returned: wait for its completion by the <see cref="Operation"/>.</summary>
    public Task<TResult> SendAsync<TResult>(DocumentOperation<TResult> operation, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(operation);
        return operation.RunAsync(_scopes(_database), isAsync: true, token).AsTask();
    }

    /// <summary>A long operation that somebody else has begun, by its number. Nothing is sent.</summary>
    public Operation GetOperation(long id) => new(_scopes(_database), id, nodeTag: null);
}
