using Jackdaw.Client.Http;
using Jackdaw.Client.Operations.CompareExchange;
using Jackdaw.Client.Sessions.Core;

namespace Jackdaw.Client.Sessions;

/// <summary>Compare exchange values of a cluster-wide session: saved with its documents as one transaction of the cluster.</summary>
/// <remarks>A save fails with <see cref="Exceptions.ClusterTransactionConcurrencyException"/> when a value, or a guarded document, was changed
/// since it was read. Nothing is saved then. Sessions of other modes throw <see cref="InvalidOperationException"/>.</remarks>
public sealed class SessionClusterTransaction
{
    private readonly SessionCore _core;

    internal SessionClusterTransaction(SessionCore core) => _core = core;

    /// <summary>Creates a value with the next save, which fails when there is one with this key.</summary>
    /// <param name="key">At most 512 bytes; compared without regard to case.</param>
    public CompareExchangeValue<T> CreateCompareExchangeValue<T>(string key, T value) => _core.CreateValue(key, value);

    /// <summary>Gets a value; null when there is none. Changes of its <c>Value</c> and metadata are saved. What the session knows needs no
    /// request.</summary>
    public async Task<CompareExchangeValue<T>?> GetCompareExchangeValueAsync<T>(string key, CancellationToken token = default) =>
        (await _core.GetValuesAsync<T>(One(key), isAsync: true, token).ConfigureAwait(false)).GetValueOrDefault(key);

    /// <summary>Gets the values of keys by one request. The result contains those that exist.</summary>
    public Task<Dictionary<string, CompareExchangeValue<T>>> GetCompareExchangeValuesAsync<T>(IEnumerable<string> keys, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(keys);
        return _core.GetValuesAsync<T>(keys, isAsync: true, token).AsTask();
    }

    /// <summary>Gets values whose keys begin with a text, in the order of their keys.</summary>
    /// <param name="startsWith">Null for all.</param>
    public Task<Dictionary<string, CompareExchangeValue<T>>> GetCompareExchangeValuesAsync<T>(
        string? startsWith, int start = 0, int pageSize = 25, CancellationToken token = default) =>
        _core.GetValuesAsync<T>(startsWith, start, pageSize, isAsync: true, token).AsTask();

    /// <inheritdoc cref="GetCompareExchangeValueAsync{T}"/>
    public CompareExchangeValue<T>? GetCompareExchangeValue<T>(string key) =>
        Completed.Result(_core.GetValuesAsync<T>(One(key), isAsync: false, default)).GetValueOrDefault(key);

    /// <inheritdoc cref="GetCompareExchangeValuesAsync{T}(IEnumerable{string}, CancellationToken)"/>
    public Dictionary<string, CompareExchangeValue<T>> GetCompareExchangeValues<T>(IEnumerable<string> keys)
    {
        ArgumentNullException.ThrowIfNull(keys);
        return Completed.Result(_core.GetValuesAsync<T>(keys, isAsync: false, default));
    }

    /// <inheritdoc cref="GetCompareExchangeValuesAsync{T}(string, int, int, CancellationToken)"/>
    public Dictionary<string, CompareExchangeValue<T>> GetCompareExchangeValues<T>(string? startsWith, int start = 0, int pageSize = 25) =>
        Completed.Result(_core.GetValuesAsync<T>(startsWith, start, pageSize, isAsync: false, default));

    /// <summary>Deletes a value with the next save.</summary>
    public void DeleteCompareExchangeValue<T>(CompareExchangeValue<T> value)
    {
        ArgumentNullException.ThrowIfNull(value);
        _core.DeleteValue(value.Key, value.Index);
    }

    /// <summary>Deletes a value with the next save, which fails when it has another index.</summary>
    public void DeleteCompareExchangeValue(string key, long index) => _core.DeleteValue(key, index);

    private static string[] One(string key)
    {
        ArgumentException.ThrowIfNullOrEmpty(key);
        return [key];
    }
}
