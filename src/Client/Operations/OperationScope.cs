using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations;

/// <summary>The database that operations are sent to, and what else they need.</summary>
internal sealed record OperationScope(RequestExecutor Executor, EntityConverter Converter, IOperationNotices Notices)
{
    public DocumentSerializer Serializer => Converter.Serializer;

    /// <summary>Sends a read, and reads its answer.</summary>
    /// <param name="read">It gets an undefined value when the server has not found it.</param>
    public async ValueTask<T> ReadAsync<T>(RequestMessage message, Func<JsonElement, T> read, bool isAsync, CancellationToken token)
    {
        RequestAnswer answer = await Executor.SendAsync(message, isAsync, token).ConfigureAwait(false);
        using JsonDocument? json = OperationAnswer.Parse(answer);
        return read(json?.RootElement ?? default);
    }

    /// <summary>Sends a write. From its beginning on, caches treat what they hold of the documents as old, including what is read while the write
    /// runs.</summary>
    /// <param name="ids">Documents that it changes; empty if they are not known.</param>
    public async ValueTask<RequestAnswer> WriteAsync(RequestMessage message, string[] ids, bool isAsync, CancellationToken token)
    {
        Executor.Tracker.MarkWritten(ids, []);
        try
        {
            return await Executor.SendAsync(message, isAsync, token).ConfigureAwait(false);
        }
        finally
        {
            Executor.Tracker.MarkWritten(ids, []);
        }
    }
}
