using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations;

/// <summary>Sends operations to one database. Safe for concurrent use.</summary>
public sealed class MaintenanceOperationExecutor
{
    private readonly Func<string?, RequestExecutor> _executors;
    private readonly string? _database;

    internal MaintenanceOperationExecutor(Func<string?, RequestExecutor> executors, HttpTransport transport, string? database)
    {
        (_executors, _database) = (executors, database);
        Transport = transport;
        Server = new ServerOperationExecutor(transport);
    }

    private HttpTransport Transport { get; }

    /// <summary>Sends operations that concern no database.</summary>
    public ServerOperationExecutor Server { get; }

    /// <summary>An executor for another database of the store.</summary>
    public MaintenanceOperationExecutor ForDatabase(string database) => new(_executors, Transport, database);

    /// <summary>Sends an operation, and blocks until it is answered.</summary>
    public TResult Send<TResult>(DatabaseOperation<TResult> operation) =>
        Completed.Result(SendAsync(operation, isAsync: false, default));

    /// <summary>Sends an operation.</summary>
    public Task<TResult> SendAsync<TResult>(DatabaseOperation<TResult> operation, CancellationToken token = default) =>
        SendAsync(operation, isAsync: true, token).AsTask();

    private async ValueTask<TResult> SendAsync<TResult>(DatabaseOperation<TResult> operation, bool isAsync, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(operation);
        RequestAnswer answer = await _executors(_database).SendAsync(operation.MakeRequest(), isAsync, token).ConfigureAwait(false);
        using JsonDocument? json = OperationAnswer.Parse(answer);
        return operation.Read(json?.RootElement ?? default);
    }
}

/// <summary>Sends operations that concern no database. Safe for concurrent use.</summary>
public sealed class ServerOperationExecutor
{
    private readonly HttpTransport _transport;

    internal ServerOperationExecutor(HttpTransport transport) => _transport = transport;

    /// <summary>Sends an operation, and blocks until it is answered.</summary>
    public TResult Send<TResult>(ServerOperation<TResult> operation) =>
        Completed.Result(SendAsync(operation, isAsync: false, default));

    /// <summary>Sends an operation.</summary>
    public Task<TResult> SendAsync<TResult>(ServerOperation<TResult> operation, CancellationToken token = default) =>
        SendAsync(operation, isAsync: true, token).AsTask();

    private async ValueTask<TResult> SendAsync<TResult>(ServerOperation<TResult> operation, bool isAsync, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(operation);
        return operation.Read(await _transport.SendAsync(operation.MakeRequest(), null, isAsync, token).ConfigureAwait(false));
    }
}

/// <summary>Answers of operations.</summary>
internal static class OperationAnswer
{
    /// <returns>Null if it was not found, or has no body.</returns>
    public static JsonDocument? Parse(RequestAnswer answer) => answer.IsMissing || answer.Body.IsEmpty ? null : AnswerJson.Parse(answer.Body);
}
