using System.Globalization;
using System.Text.Json;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations.CompareExchange;

/// <summary>Reads a compare exchange value; null when there is none.</summary>
/// <param name="key">Compared without regard to case.</param>
public sealed class GetCompareExchangeValueOperation<T>(string key) : DocumentOperation<CompareExchangeValue<T>?>
{
    private readonly string _key = string.IsNullOrEmpty(key) ? throw new ArgumentException("A value has a key.", nameof(key)) : key;

    internal override ValueTask<CompareExchangeValue<T>?> RunAsync(OperationScope scope, bool isAsync, CancellationToken token) => scope.ReadAsync(
        CompareExchangeRequests.Get([_key]),
        answer => StoredValue.ReadAll(answer).Select(stored => CompareExchangeValue<T>.Read(stored, scope.Serializer)).FirstOrDefault(),
        isAsync,
        token);
}

/// <summary>Reads compare exchange values: those of keys, or those whose keys begin with a text, in the order of the keys.</summary>
/// <remarks>The result contains those that exist.</remarks>
public sealed class GetCompareExchangeValuesOperation<T> : DocumentOperation<Dictionary<string, CompareExchangeValue<T>>>
{
    private readonly RequestMessage? _message; // null: no key was given

    /// <summary>Values of keys.</summary>
    public GetCompareExchangeValuesOperation(IEnumerable<string> keys)
    {
        ArgumentNullException.ThrowIfNull(keys);
        string[] all = [.. keys.Distinct(StringComparer.OrdinalIgnoreCase)];
        _message = all.Length == 0 ? null : CompareExchangeRequests.Get(all);
    }

    /// <summary>Values whose keys begin with a text; null for all.</summary>
    public GetCompareExchangeValuesOperation(string? startsWith, int start = 0, int pageSize = int.MaxValue) =>
        _message = CompareExchangeRequests.List(startsWith, start, pageSize);

    internal override async ValueTask<Dictionary<string, CompareExchangeValue<T>>> RunAsync(OperationScope scope, bool isAsync, CancellationToken token) =>
        _message is null ? [] : await scope.ReadAsync(
            _message,
            answer => StoredValue.ReadAll(answer).ToDictionary(
                stored => stored.Key, stored => CompareExchangeValue<T>.Read(stored, scope.Serializer), StringComparer.OrdinalIgnoreCase),
            isAsync,
            token).ConfigureAwait(false);
}

/// <summary>Stores a compare exchange value, if its index is as expected.</summary>
/// <param name="index">Index of the value that is replaced; 0 if there must be none.</param>
public sealed class PutCompareExchangeValueOperation<T>(string key, T value, long index) : DocumentOperation<CompareExchangeResult<T>>
{
    private readonly CompareExchangeValue<T> _value = new(key, index, value);

    /// <summary>Metadata that is stored with the value; <c>@expires</c> is the time when the server deletes the value.</summary>
    public MetadataDictionary Metadata => _value.Metadata;

    internal override ValueTask<CompareExchangeResult<T>> RunAsync(OperationScope scope, bool isAsync, CancellationToken token)
    {
        ReadOnlyMemory<byte> body = JsonText.Value(json => ((ICompareExchangeValue)_value).Write(json, scope.Serializer));
        return CompareExchangeResult<T>.AskAsync(scope, HttpMethod.Put, _value.Key, index, body, isAsync, token);
    }
}

/// <summary>Deletes a compare exchange value, if its index is as expected.</summary>
/// <param name="index">Index that is deleted.</param>
public sealed class DeleteCompareExchangeValueOperation<T>(string key, long index) : DocumentOperation<CompareExchangeResult<T>>
{
    private readonly string _key = string.IsNullOrEmpty(key) ? throw new ArgumentException("A value has a key.", nameof(key)) : key;

    internal override ValueTask<CompareExchangeResult<T>> RunAsync(OperationScope scope, bool isAsync, CancellationToken token) =>
        CompareExchangeResult<T>.AskAsync(scope, HttpMethod.Delete, _key, index, null, isAsync, token);
}

/// <summary>The result of a change of a compare exchange value.</summary>
/// <param name="Successful">False if somebody else was faster; then nothing was changed.</param>
/// <param name="Index">The new index. Without success, the stored one.</param>
/// <param name="Value">The new value. Without success, the stored one; after a deletion, the deleted one.</param>
public sealed record CompareExchangeResult<T>(bool Successful, long Index, T? Value)
{
    internal static async ValueTask<CompareExchangeResult<T>> AskAsync(
        OperationScope scope, HttpMethod method, string key, long index, ReadOnlyMemory<byte>? body, bool isAsync, CancellationToken token)
    {
        string path = string.Create(CultureInfo.InvariantCulture, $"cmpxchg?key={Uri.EscapeDataString(key)}&index={index}");
        scope.Executor.Tracker.OnCompareExchangeChanged(key);
        try
        {
            RequestAnswer answer = await scope.Executor.SendAsync(
                new RequestMessage { Method = method, Path = path, Body = body }, isAsync, token).ConfigureAwait(false);
            using JsonDocument json = OperationAnswer.Parse(answer) ?? throw new BadResponseException($"The server answered 404 to {method} {path}.");
            return Read(key, json.RootElement, scope.Serializer);
        }
        finally
        {
            scope.Executor.Tracker.OnCompareExchangeChanged(key);
        }
    }

    private static CompareExchangeResult<T> Read(string key, JsonElement answer, DocumentSerializer serializer)
    {
        long index = answer.Number("Index"u8) ?? 0;
        T? value = answer.TryFind("Value"u8, JsonValueKind.Object, out JsonElement stored)
            ? CompareExchangeValue<T>.Read(new StoredValue(key, index, stored), serializer).Value
            : default;
        return new CompareExchangeResult<T>(answer.Flag("Successful"u8), index, value);
    }
}
