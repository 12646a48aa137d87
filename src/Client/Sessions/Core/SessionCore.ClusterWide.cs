using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Operations.CompareExchange;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>Cluster-wide transactions: compare exchange values, and the guards of documents.</summary>
/// <remarks>A guard is a value of the server that belongs to a document. The version of a document names its guard, so that a save fails when
/// another transaction of the cluster has written the document since it was loaded.</remarks>
internal sealed partial class SessionCore
{
    private const string GuardPrefix = "rvn-atomic/";

    private Dictionary<string, TrackedValue> Values => field ??= new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Whether saves are transactions of the cluster, and loads return the guards of documents.</summary>
    /// <exception cref="InvalidOperationException">The session has compare exchange values to save, which only cluster-wide transactions can
    /// do.</exception>
    public bool IsClusterWide
    {
        get;
        set
        {
            if (field && !value && ChangedValues().Count > 0)
            {
                throw new InvalidOperationException(
                    "The session has compare exchange values to save, and only a cluster-wide transaction saves them: " +
                    "save, or Clear(), before the mode is changed.");
            }

            field = value;
        }
    }

    /// <summary>Whether cluster-wide saves guard documents.</summary>
    public bool IsGuarded { get; init; } = true;

    /// <summary>A value that the next save creates.</summary>
    public CompareExchangeValue<T> CreateValue<T>(string key, T value)
    {
        RequireClusterWide("CreateCompareExchangeValue");
        ArgumentException.ThrowIfNullOrEmpty(key);
        TrackedValue tracked = Track(key);
        if (!tracked.IsDeleted && (tracked.Value is not null || tracked.Index > 0))
        {
            throw new InvalidOperationException(
                $"The session knows a compare exchange value '{tracked.Key}' already: get it, and change its Value.");
        }

        var created = new CompareExchangeValue<T>(key, tracked.Index, value);
        tracked.Create(created);
        return created;
    }

    public void DeleteValue(string key, long index)
    {
        RequireClusterWide("DeleteCompareExchangeValue");
        ArgumentException.ThrowIfNullOrEmpty(key);
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        Track(key).Delete(index);
    }

    /// <summary>Values of keys, by one request; none for those that the session knows.</summary>
    /// <returns>Those that exist.</returns>
    public async ValueTask<Dictionary<string, CompareExchangeValue<T>>> GetValuesAsync<T>(IEnumerable<string> keys, bool isAsync, CancellationToken token)
    {
        RequireClusterWide("GetCompareExchangeValue");
        string[] all = Distinct(keys);
        string[] unknown = [.. all.Where(key => !Values.ContainsKey(key))];
        using SessionUse.Scope use = _use.Begin($"GetCompareExchangeValues({all.Length} keys)");
        if (unknown.Length > 0)
        {
            await AskValuesAsync(CompareExchangeRequests.Get(unknown), isAsync, token).ConfigureAwait(false);
            Array.ForEach(unknown, key => Track(key)); // it is known now which are missing
        }

        return ValuesOf<T>(all);
    }

    /// <summary>Values whose keys begin with a text, in their order.</summary>
    public async ValueTask<Dictionary<string, CompareExchangeValue<T>>> GetValuesAsync<T>(
        string? startsWith, int start, int pageSize, bool isAsync, CancellationToken token)
    {
        RequireClusterWide("GetCompareExchangeValues");
        using SessionUse.Scope use = _use.Begin($"GetCompareExchangeValues(\"{startsWith}\")");
        string[] found = await AskValuesAsync(CompareExchangeRequests.List(startsWith, start, pageSize), isAsync, token).ConfigureAwait(false);
        return ValuesOf<T>(found.Where(key => !key.StartsWith(GuardPrefix, StringComparison.OrdinalIgnoreCase)));
    }

    private async ValueTask<string[]> AskValuesAsync(RequestMessage message, bool isAsync, CancellationToken token)
    {
        CountRequest(message);
        using JsonDocument? answer = OperationAnswer.Parse(await executor.SendAsync(message, isAsync, token).ConfigureAwait(false));
        List<string> keys = [];
        foreach (StoredValue stored in StoredValue.ReadAll(answer?.RootElement ?? default))
        {
            Track(stored.Key).Take(stored);
            keys.Add(stored.Key);
        }

        return [.. keys];
    }

    private Dictionary<string, CompareExchangeValue<T>> ValuesOf<T>(IEnumerable<string> keys)
    {
        var values = new Dictionary<string, CompareExchangeValue<T>>(StringComparer.OrdinalIgnoreCase);
        foreach (string key in keys)
        {
            TrackedValue tracked = Track(key);
            if (tracked.Value is null && tracked.Index > 0 && !tracked.IsDeleted)
            {
                tracked.Value = CompareExchangeValue<T>.Read(new StoredValue(tracked.Key, tracked.Index, tracked.Stored), Serializer);
            }

            if (tracked.Value is not null)
            {
                values[key] = tracked.Value as CompareExchangeValue<T> ?? throw new InvalidOperationException(
                    $"The session has the compare exchange value '{key}' as a {tracked.Value.GetType()}, and cannot give it as another type.");
            }
        }

        return values;
    }

    private TrackedValue Track(string key)
    {
        if (!Values.TryGetValue(key, out TrackedValue? tracked))
        {
            tracked = new TrackedValue(key);
            Values.Add(key, tracked);
        }

        return tracked;
    }

    private List<(TrackedValue Value, JsonElement Text)> ChangedValues()
    {
        List<(TrackedValue, JsonElement)> changed = [];
        foreach (TrackedValue value in Values.Values)
        {
            if (value.IsChanged(Serializer, out JsonElement text))
            {
                changed.Add((value, text));
            }
        }

        return changed;
    }

    // The answer to a load or a query contains the included values, and guards of documents that do not exist.
    private void TakeIncludedValues(JsonElement answer)
    {
        if (!IsClusterWide)
        {
            return;
        }

        foreach ((string name, JsonElement included) in answer.Members("CompareExchangeValueIncludes"u8))
        {
            bool isGuard = name.StartsWith(GuardPrefix, StringComparison.OrdinalIgnoreCase);
            if (isGuard && included.Text("ChangeVector"u8) is { } version)
            {
                _tracker.SetGuard(name[GuardPrefix.Length..], version);
            }
            else if (!isGuard)
            {
                TrackedValue tracked = Track(name);
                if (StoredValue.Read(included) is { } stored)
                {
                    tracked.Take(stored);
                }
            }
        }
    }

    /// <exception cref="InvalidOperationException">The session is not in this mode.</exception>
    public void RequireClusterWide(string call)
    {
        if (!IsClusterWide)
        {
            throw new InvalidOperationException(
                $"{call} needs a cluster-wide session: open it with TransactionMode.ClusterWide, or call SetTransactionMode. " +
                "Outside of sessions, the compare exchange operations of the store read and write single values.");
        }
    }

    // Refuses what the server would refuse, before anything is sent.
    private void CheckClusterWide(List<(TrackedDocument Document, JsonElement Text)> changed)
    {
        if (Forced.Count > 0)
        {
            throw new InvalidOperationException(
                $"A cluster-wide transaction cannot force a revision, and one of '{Forced.First()}' was requested: "
                + "save it with a session that is not cluster-wide.");
        }

        if (Deferred.Count > 0)
        {
            throw new InvalidOperationException(
                $"A cluster-wide transaction writes whole documents and compare exchange values only, and the session has a {Deferred[0].Type} of " +
                $"'{Deferred[0].Id}': save patches, counters and attachments with another session.");
        }

        if (changed.FirstOrDefault(one => one.Document.Id is [.., '/']).Document is { } unnamed)
        {
            throw new InvalidOperationException(
                $"A cluster-wide transaction cannot store '{unnamed.Id}', whose number would come from a write of one server: "
                + "store it without an id, or with " +
                $"'{unnamed.Id![..^1]}|' for a number of the cluster.");
        }
    }
}
