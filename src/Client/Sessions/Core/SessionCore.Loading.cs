using System.Globalization;
using System.Text;
using System.Text.Json;
using Jackdaw.Client.Caching;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>Loads. What the session knows needs no request; the rest is requested and tracked, and the session remembers what does not
/// exist.</summary>
internal sealed partial class SessionCore
{
    /// <summary>If the ids have more characters than this, they are sent in the body.</summary>
    private const int UrlIdsMax = 1024;

    // No cache answers a cluster-wide session, because it reads what is committed at present.
    private bool MayCache => settings.IsCaching && !IsClusterWide;

    /// <summary>Loads a document; null when there is none.</summary>
    /// <param name="includes">Parameters of the request that name what to include.</param>
    public async ValueTask<T?> LoadAsync<T>(string? id, IReadOnlyList<string> includes, bool isAsync, CancellationToken token)
    {
        if (string.IsNullOrEmpty(id))
        {
            return default;
        }

        using SessionUse.Scope use = _use.Begin(LoadCall<T>.Name, id);
        if (includes.Count > 0)
        {
            return (await GetAsync<T>([id], includes, isAsync, token).ConfigureAwait(false))[0];
        }

        if (settings.IsTracking && _tracker.IsKnown(id))
        {
            return (T?)_tracker.Get(typeof(T), id);
        }

        RequestAnswer answer = (MayCache ? executor.FindLoaded(id) : null) ?? (await ReadOneAsync(id, isAsync, token).ConfigureAwait(false)).Answer;
        try
        {
            return Take<T>(id, answer);
        }
        catch (BadResponseException)
        {
            answer.SetUnreadable();
            throw;
        }
    }

    /// <summary>Loads several documents by one request; none for those that the session knows.</summary>
    /// <returns>Each requested id, with null for documents that do not exist.</returns>
    public async ValueTask<Dictionary<string, T?>> LoadAsync<T>(
        IEnumerable<string> wanted, IReadOnlyList<string> includes, bool isAsync, CancellationToken token)
    {
        string[] all = Distinct(wanted);
        using SessionUse.Scope use = _use.Begin(CallOf<T>(all));
        return ById(all, await GetAsync<T>(all, includes, isAsync, token).ConfigureAwait(false));
    }

    /// <summary>Loads a document with the next request of lazy operations.</summary>
    public LazyRead<T?> LoadLazily<T>(string? id, IReadOnlyList<string> includes) => string.IsNullOrEmpty(id)
        ? new LazyRead<T?>(default(T))
        : GetLazily<T, T?>([id], includes, static (_, loaded) => loaded[0]);

    /// <summary>Loads several documents with the next request of lazy operations.</summary>
    public LazyRead<Dictionary<string, T?>> LoadLazily<T>(IEnumerable<string> wanted, IReadOnlyList<string> includes) =>
        GetLazily<T, Dictionary<string, T?>>(Distinct(wanted), includes, ById);

    /// <summary>Loads documents whose ids begin with a text.</summary>
    public async ValueTask<List<T>> LoadStartingWithAsync<T>(string prefix, string? matches, int start, int pageSize, bool isAsync, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        using SessionUse.Scope use = _use.Begin($"LoadStartingWith(\"{prefix}\")");
        ReadAnswer answer = await ReadAsync(StartingWithMessage(prefix, matches, start, pageSize), DescribeStartingWith, isAsync, token).ConfigureAwait(false);
        return TakeStartingWith<T>(answer.Answer);
    }

    /// <summary>Like <see cref="LoadStartingWithAsync{T}"/>, with the next request of lazy operations.</summary>
    public LazyRead<List<T>> LoadStartingWithLazily<T>(string prefix, string? matches, int start, int pageSize)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        RequestMessage message = StartingWithMessage(prefix, matches, start, pageSize);
        return Add(new LazyRead<List<T>>(
            $"LoadStartingWith(\"{prefix}\")",
            name => new BatchedRead(name, message, DescribeStartingWith, MayCache),
            answer => TakeStartingWith<T>(answer.Answer)));
    }

    /// <summary>Loads a document if its version is not the one that the caller has.</summary>
    public async ValueTask<(T? Entity, string? ChangeVector)> ConditionalLoadAsync<T>(string id, string changeVector, bool isAsync, CancellationToken token)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        using SessionUse.Scope use = _use.Begin($"ConditionalLoad<{typeof(T).Name}>(\"{id}\")");
        if (settings.IsTracking && _tracker.IsLoaded(id))
        {
            var known = (T?)_tracker.Get(typeof(T), id);
            return (known, _tracker.Find(id)?.ChangeVector);
        }

        ArgumentException.ThrowIfNullOrEmpty(changeVector);
        CountRequest($"ConditionalLoad({id})");
        RequestMessage message = LoadMessage([id], []) with { IfNoneMatch = changeVector };
        RequestAnswer answer = await executor.SendAsync(message, isAsync, token).ConfigureAwait(false);
        if (answer.IsNotModified)
        {
            return (default, changeVector);
        }

        string? version = LoadedDocuments.Of(answer).Find([id])[0]?.ChangeVector;
        T? entity = Take<T>([id], [id], answer)[0];
        return entity is not null && version == changeVector ? (default, changeVector) : (entity, version);
    }

    /// <summary>Reads a tracked document again; the object gets the stored values.</summary>
    public async ValueTask RefreshAsync(object entity, bool isAsync, CancellationToken token)
    {
        TrackedDocument document = Own(entity);
        string id = document.Id ?? throw new InvalidOperationException("This object was never saved: there is nothing to read again.");
        using SessionUse.Scope use = _use.Begin($"Refresh({id})");
        CountRequest($"Refresh({id})");
        RequestAnswer answer = await executor.SendAsync(LoadMessage([id], []), isAsync, token).ConfigureAwait(false);
        StoredDocument stored = LoadedDocuments.Of(answer).Find([id])[0]
            ?? throw new DocumentDoesNotExistException($"The document '{id}' no longer exists.");
        _tracker.Refill(document, stored);
    }

    private static string CallOf<T>(string[] ids) => ids.Length == 1 ? $"Load<{typeof(T).Name}>(\"{ids[0]}\")" : $"Load<{typeof(T).Name}>({ids.Length} ids)";

    /// <summary>Name of a call, made once for each type.</summary>
    private static class LoadCall<T>
    {
        public static readonly string Name = $"Load<{typeof(T).Name}>";
    }

    private static string[] Distinct(IEnumerable<string> wanted) =>
        [.. wanted.Where(id => !string.IsNullOrEmpty(id)).Distinct(StringComparer.OrdinalIgnoreCase)];

    private static Dictionary<string, T?> ById<T>(string[] ids, T?[] loaded)
    {
        var byId = new Dictionary<string, T?>(ids.Length, StringComparer.OrdinalIgnoreCase);
        for (int i = 0; i < ids.Length; i++)
        {
            byId[ids[i]] = loaded[i];
        }

        return byId;
    }

    private async ValueTask<T?[]> GetAsync<T>(string[] all, IReadOnlyList<string> includes, bool isAsync, CancellationToken token)
    {
        string[] asked = UnknownOf(all, includes);
        if (asked.Length == 0)
        {
            return Known<T>(all);
        }

        ReadAnswer answer = await ReadAsync(
            LoadMessage(asked, includes), (answer, tags) => Describe(asked, answer, tags), isAsync, token).ConfigureAwait(false);
        return Take<T>(all, asked, answer.Answer);
    }

    private ValueTask<ReadAnswer> ReadOneAsync(string id, bool isAsync, CancellationToken token) =>
        ReadAsync(LoadMessage([id], []), (answer, tags) => Describe([id], answer, tags), isAsync, token);

    private LazyRead<TResult> GetLazily<T, TResult>(string[] all, IReadOnlyList<string> includes, Func<string[], T?[], TResult> shape)
    {
        string[] asked = UnknownOf(all, includes);
        return asked.Length == 0
            ? new LazyRead<TResult>(shape(all, Known<T>(all)))
            : Add(new LazyRead<TResult>(
                CallOf<T>(all),
                name => new BatchedRead(name, LoadMessage(asked, includes), (answer, tags) => Describe(asked, answer, tags), MayCache),
                answer => shape(all, Take<T>(all, asked, answer.Answer))));
    }

    private string[] UnknownOf(string[] all, IReadOnlyList<string> includes) =>
        !settings.IsTracking || includes.Count > 0 ? all
            : all.Length == 1 ? (_tracker.IsKnown(all[0]) ? [] : all)
            : [.. all.Where(id => !_tracker.IsKnown(id))];

    private T?[] Known<T>(string[] ids) => Array.ConvertAll(ids, id => (T?)_tracker.Get(typeof(T), id));

    private T?[] Take<T>(string[] all, string[] asked, RequestAnswer answer)
    {
        var loaded = LoadedDocuments.Of(answer);
        StoredDocument?[] results = loaded.Find(asked);
        if (!settings.IsTracking)
        {
            return Array.ConvertAll(results, result => result is null ? default : (T?)_tracker.Read(typeof(T), result));
        }

        TakeIncludes(loaded, answer);
        for (int i = 0; i < asked.Length; i++)
        {
            Track(typeof(T), asked[i], results[i]);
        }

        return Known<T>(all);
    }

    private T? Take<T>(string id, RequestAnswer answer)
    {
        var loaded = LoadedDocuments.Of(answer, isOne: !IsClusterWide);
        StoredDocument? result = loaded.Find(id);
        if (!settings.IsTracking)
        {
            return result is null ? default : (T?)_tracker.Read(typeof(T), result);
        }

        TakeIncludes(loaded, answer);
        Track(typeof(T), id, result);
        return (T?)_tracker.Get(typeof(T), id);
    }

    private void Track(Type type, string id, StoredDocument? result)
    {
        if (result is not null)
        {
            _tracker.Take(type, result);
        }
        else
        {
            _tracker.SetMissing(id);
        }
    }

    // Null if nothing exists.
    private static JsonDocument? Parse(RequestAnswer answer) => answer.IsMissing ? null : answer.Read(AnswerJson.Parse);

    private object? Untracked(Type type, JsonElement document) =>
        document.ValueKind == JsonValueKind.Object ? _tracker.Read(type, StoredDocument.MetadataOf(document).RequiredText("@id"u8), document) : null;

    private ValueTask<ReadAnswer> ReadAsync(RequestMessage message, Action<RequestAnswer, AnswerTags> describe, bool isAsync, CancellationToken token) =>
        executor.ReadAsync(message, MayCache ? describe : null, this, isAsync, token);

    private static RequestMessage StartingWithMessage(string prefix, string? matches, int start, int pageSize) => new()
    {
        Method = HttpMethod.Get,
        Path = string.Create(CultureInfo.InvariantCulture, $"docs?startsWith={Uri.EscapeDataString(prefix)}&start={start}&pageSize={pageSize}") +
            (matches is null ? "" : $"&matches={Uri.EscapeDataString(matches)}"),
        IsRead = true,
    };

    private static void DescribeStartingWith(RequestAnswer answer, AnswerTags tags) => tags.AddAllDocuments();

    private List<T> TakeStartingWith<T>(RequestAnswer answer)
    {
        List<T> all = [];
        foreach (StoredDocument? result in LoadedDocuments.Of(answer).Results)
        {
            if (result is not null && (settings.IsTracking ? _tracker.Take(typeof(T), result) : _tracker.Read(typeof(T), result)) is T entity)
            {
                all.Add(entity);
            }
        }

        return all;
    }

    private RequestMessage LoadMessage(string[] wanted, IReadOnlyList<string> includes)
    {
        if (wanted.Length == 1 && includes.Count == 0 && !IsClusterWide && wanted[0].Length <= UrlIdsMax)
        {
            return new RequestMessage { Method = HttpMethod.Get, Path = "docs?id=" + Uri.EscapeDataString(wanted[0]), LoadedId = wanted[0], IsRead = true };
        }

        var path = new StringBuilder("docs?");
        foreach (string include in includes)
        {
            path.Append('&').Append(include);
        }

        path.Append(IsClusterWide ? "&txMode=ClusterWide" : "");

        if (wanted.Sum(id => id.Length) <= UrlIdsMax)
        {
            foreach (string id in wanted)
            {
                path.Append("&id=").Append(Uri.EscapeDataString(id));
            }

            return new RequestMessage { Method = HttpMethod.Get, Path = path.ToString(), IsRead = true };
        }

        ReadOnlyMemory<byte> body = JsonText.Object(json => JsonText.WriteTexts(json, "Ids"u8, wanted));
        path.Append(CultureInfo.InvariantCulture, $"&loadHash={AnswerKey.HashOf(body.Span):x}");
        return new RequestMessage { Method = HttpMethod.Post, Path = path.ToString(), Body = body, IsRead = true };
    }

    private static void Describe(string[] wanted, RequestAnswer answer, AnswerTags tags)
    {
        foreach (string id in wanted)
        {
            tags.AddDocument(id);
        }

        foreach (string id in LoadedDocuments.Of(answer).IncludedIds)
        {
            tags.AddDocument(id);
        }
    }

    private void TakeIncludes(LoadedDocuments loaded, RequestAnswer answer)
    {
        foreach (StoredDocument included in loaded.Includes)
        {
            _tracker.TakeIncluded(included);
        }

        if (loaded.HasMore)
        {
            using JsonDocument json = AnswerJson.Parse(answer.Body);
            TakeIncludedValues(json.RootElement);
            TakeIncludedRevisions(json.RootElement);
        }
    }

    private void TakeIncludes(JsonElement answer)
    {
        TakeIncludedValues(answer);
        TakeIncludedRevisions(answer);
        foreach ((string _, JsonElement included) in answer.Members("Includes"u8))
        {
            if (included.ValueKind == JsonValueKind.Object)
            {
                _tracker.TakeIncluded(StoredDocument.Of(included));
            }
        }
    }
}
