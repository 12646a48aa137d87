using System.Globalization;
using System.Text;
using System.Text.Json;
using Jackdaw.Client.Caching;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Sessions;

/// <summary>What a session is, for its asynchronous and its synchronous face: loads, tracks, and saves all changes as one transaction.</summary>
/// <remarks>Each method that does I/O takes <c>isAsync</c>: without it the call has completed when it returns, and no thread waited for another one.</remarks>
internal sealed partial class SessionCore(RequestExecutor executor, EntityConverter converter, HiLoIdGenerator ids, SessionOptions options)
{
    /// <summary>Ids of more characters go in the body.</summary>
    private const int UrlIdsMax = 1024;

    private readonly DocumentTracker _tracker = new(converter);
    private readonly SessionUse _use = new();

    public DocumentTracker Tracker => _tracker;

    public SessionUse Use => _use;

    public RequestExecutor Executor => executor;

    public DocumentConventions Conventions => converter.Conventions;

    public DocumentSerializer Serializer => converter.Serializer;

    public bool UsesOptimisticConcurrency { get; set; } = converter.Conventions.UseOptimisticConcurrency;

    /// <summary>Requests that were sent.</summary>
    public int RequestCount { get; private set; }

    public int RequestsMax { get; set; } = converter.Conventions.MaxNumberOfRequestsPerSession;

    /// <summary>Loads a document; null when there is none.</summary>
    public async ValueTask<T?> LoadAsync<T>(string? id, IReadOnlyList<string> includes, bool isAsync, CancellationToken token)
    {
        if (string.IsNullOrEmpty(id))
        {
            return default;
        }

        using SessionUse.Scope use = _use.Begin($"Load<{typeof(T).Name}>(\"{id}\")");
        if (options.NoTracking || includes.Count > 0 || !_tracker.IsKnown(id))
        {
            using JsonDocument? answer = await AskAsync([id], includes, isAsync, token).ConfigureAwait(false);
            if (options.NoTracking)
            {
                return answer is null ? default : (T?)Untracked(typeof(T), answer.RootElement.GetProperty("Results"u8)[0]);
            }

            Take(typeof(T), [id], answer);
        }

        return (T?)_tracker.Get(typeof(T), id);
    }

    /// <summary>Loads several documents by one request; none for those that the session knows.</summary>
    /// <returns>Each id that was asked for, with null for documents that are not there.</returns>
    public async ValueTask<Dictionary<string, T?>> LoadAsync<T>(
        IEnumerable<string> wanted, IReadOnlyList<string> includes, bool isAsync, CancellationToken token)
    {
        string[] all = [.. wanted.Where(id => !string.IsNullOrEmpty(id)).Distinct(StringComparer.OrdinalIgnoreCase)];
        using SessionUse.Scope use = _use.Begin($"Load<{typeof(T).Name}>({all.Length} ids)");
        string[] unknown = options.NoTracking || includes.Count > 0 ? all : [.. all.Where(id => !_tracker.IsKnown(id))];
        var loaded = new Dictionary<string, T?>(StringComparer.OrdinalIgnoreCase);
        if (unknown.Length > 0)
        {
            using JsonDocument? answer = await AskAsync(unknown, includes, isAsync, token).ConfigureAwait(false);
            if (options.NoTracking)
            {
                for (int i = 0; i < unknown.Length; i++)
                {
                    loaded[unknown[i]] = answer is null ? default : (T?)Untracked(typeof(T), answer.RootElement.GetProperty("Results"u8)[i]);
                }

                return loaded;
            }

            Take(typeof(T), unknown, answer);
        }

        foreach (string id in all)
        {
            loaded[id] = (T?)_tracker.Get(typeof(T), id);
        }

        return loaded;
    }

    /// <summary>Has an entity saved with the next save.</summary>
    public async ValueTask StoreAsync(object entity, string? id, string? changeVector, bool isAsync, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(entity);
        if (options.NoTracking)
        {
            throw new InvalidOperationException("A session without tracking stores nothing: open it without NoTracking.");
        }

        using SessionUse.Scope use = _use.Begin($"Store({entity.GetType().Name})");
        if (_tracker.Find(entity) is { } known)
        {
            known.Demanded = changeVector ?? known.Demanded;
            if (id is null || id.Equals(known.Id, StringComparison.OrdinalIgnoreCase))
            {
                return;
            }

            throw new InvalidOperationException(
                $"This object is the document '{known.Id}' of the session and cannot be stored as '{id}', too. Evict it, or store a copy.");
        }

        id ??= converter.GetId(entity);
        id ??= await ids.NextAsync(Conventions.GetIdPrefix(entity.GetType()), isAsync, token).ConfigureAwait(false);
        Add(entity, id, changeVector);
    }

    /// <summary>Has a document deleted with the next save.</summary>
    public void Delete(string id, string? expectedChangeVector)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        _tracker.Delete(id, expectedChangeVector);
    }

    /// <summary>Has the document of an entity deleted with the next save.</summary>
    public void Delete(object entity)
    {
        ArgumentNullException.ThrowIfNull(entity);
        TrackedDocument document = Tracked(entity);
        if (document.Id is { } id && !IsMadeByServer(id))
        {
            _tracker.Delete(id, UsesOptimisticConcurrency && !document.IsNew ? document.ChangeVector : null);
        }

        _tracker.Evict(entity);
    }

    /// <exception cref="InvalidOperationException">The session does not know it.</exception>
    public TrackedDocument Tracked(object entity) => _tracker.Find(entity)
        ?? throw new InvalidOperationException($"This {entity.GetType().Name} is no document of the session: load or store it first.");

    /// <summary>Sends one request of the session.</summary>
    /// <exception cref="TooManyRequestsInSessionException">It has sent as many as it may.</exception>
    public void CountRequest(string what)
    {
        if (++RequestCount > RequestsMax)
        {
            throw new TooManyRequestsInSessionException(
                $"{what} would be request {RequestCount} of this session, which may send {RequestsMax}. " +
                "Load many ids at once, use Include, or raise MaxNumberOfRequestsPerSession.");
        }
    }

    /// <summary>Sends a request that is no load and no query.</summary>
    public ValueTask<RequestAnswer> SendAsync(RequestMessage message, bool isAsync, CancellationToken token)
    {
        CountRequest(message.Path);
        return executor.SendAsync(message, isAsync, token);
    }

    /// <summary>Reads a tracked document again; the object gets the stored values.</summary>
    public async ValueTask RefreshAsync(object entity, bool isAsync, CancellationToken token)
    {
        TrackedDocument document = Tracked(entity);
        string id = document.Id ?? throw new InvalidOperationException("This object was never saved: there is nothing to read again.");
        using SessionUse.Scope use = _use.Begin($"Refresh({id})");
        CountRequest($"Refresh({id})");
        RequestAnswer answer = await executor.SendAsync(LoadMessage([id], []), isAsync, token).ConfigureAwait(false);
        if (answer.IsMissing)
        {
            throw new DocumentDoesNotExistException($"The document '{id}' is not there any more.");
        }

        using JsonDocument json = JsonDocument.Parse(answer.Body);
        JsonElement stored = json.RootElement.GetProperty("Results"u8)[0].Clone();
        converter.CopyTo(entity, id, stored);
        DocumentTracker.Refresh(document, stored);
    }

    /// <summary>Loads documents whose ids begin with a text.</summary>
    public async ValueTask<List<T>> LoadStartingWithAsync<T>(string prefix, string? matches, int start, int pageSize, bool isAsync, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        using SessionUse.Scope use = _use.Begin($"LoadStartingWith(\"{prefix}\")");
        string path = string.Create(CultureInfo.InvariantCulture, $"docs?startsWith={Uri.EscapeDataString(prefix)}&start={start}&pageSize={pageSize}") +
            (matches is null ? "" : $"&matches={Uri.EscapeDataString(matches)}");
        var message = new RequestMessage { Method = HttpMethod.Get, Path = path, IsRead = true };
        ReadAnswer answer = await ReadAsync(message, static (_, tags) => tags.AddAllDocuments(), isAsync, token).ConfigureAwait(false);
        List<T> loaded = [];
        if (!answer.Answer.IsMissing)
        {
            using JsonDocument json = JsonDocument.Parse(answer.Answer.Body);
            foreach (JsonElement result in json.RootElement.GetProperty("Results"u8).EnumerateArray())
            {
                loaded.Add((T)(options.NoTracking ? Untracked(typeof(T), result) : _tracker.Take(typeof(T), result.Clone()))!);
            }
        }

        return loaded;
    }

    // Ids of these forms are completed by the server when the document is saved.
    private static bool IsMadeByServer(string id) => id.Length == 0 || id[^1] is '/' or '|';

    private void Add(object entity, string id, string? changeVector)
    {
        bool isComplete = !IsMadeByServer(id);
        TrackedDocument document = _tracker.Add(entity, isComplete ? id : null);
        document.Demanded = changeVector;
        document.Id = id;
        if (isComplete)
        {
            converter.SetId(entity, id);
        }

        if (Conventions.GetCollectionName(entity.GetType()) is { } collection)
        {
            document.Metadata.Set("@collection", collection);
        }

        document.Metadata.Set("Raven-Clr-Type", EntityConverter.ClrName(entity.GetType()));
    }

    private object? Untracked(Type type, JsonElement document) =>
        document.ValueKind == JsonValueKind.Object ? converter.Read(type, DocumentTracker.IdOf(document), document) : null;

    // Null: none of them is there.
    private async ValueTask<JsonDocument?> AskAsync(string[] wanted, IReadOnlyList<string> includes, bool isAsync, CancellationToken token)
    {
        RequestMessage message = LoadMessage(wanted, includes);
        ReadAnswer answer = await ReadAsync(message, (answer, tags) => Describe(wanted, answer, tags), isAsync, token).ConfigureAwait(false);
        return answer.Answer.IsMissing ? null : JsonDocument.Parse(answer.Answer.Body);
    }

    private async ValueTask<ReadAnswer> ReadAsync(RequestMessage message, Action<RequestAnswer, AnswerTags> describe, bool isAsync, CancellationToken token)
    {
        ReadAnswer answer;
        if (options.NoCaching)
        {
            CountRequest(message.Path);
            answer = new ReadAnswer(await executor.SendAsync(message, isAsync, token).ConfigureAwait(false), IsSent: true, IsFromCache: false);
        }
        else
        {
            answer = await executor.ReadAsync(message, describe, isAsync, token).ConfigureAwait(false);
            if (answer.IsSent)
            {
                CountRequest(message.Path);
            }
        }

        return answer;
    }

    private static RequestMessage LoadMessage(string[] wanted, IReadOnlyList<string> includes)
    {
        var path = new StringBuilder("docs?");
        foreach (string include in includes)
        {
            path.Append("&include=").Append(Uri.EscapeDataString(include));
        }

        if (wanted.Sum(id => id.Length) <= UrlIdsMax)
        {
            foreach (string id in wanted)
            {
                path.Append("&id=").Append(Uri.EscapeDataString(id));
            }

            return new RequestMessage { Method = HttpMethod.Get, Path = path.ToString(), IsRead = true };
        }

        var body = new System.Buffers.ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(body))
        {
            json.WriteStartObject();
            json.WriteStartArray("Ids"u8);
            foreach (string id in wanted)
            {
                json.WriteStringValue(id);
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        path.Append(CultureInfo.InvariantCulture, $"&loadHash={AnswerKey.HashOf(body.WrittenSpan):x}");
        return new RequestMessage { Method = HttpMethod.Post, Path = path.ToString(), Body = body.WrittenMemory, IsRead = true };
    }

    private static void Describe(string[] wanted, RequestAnswer answer, AnswerTags tags)
    {
        foreach (string id in wanted)
        {
            tags.AddDocument(id);
        }

        if (!answer.IsMissing)
        {
            using JsonDocument json = JsonDocument.Parse(answer.Body);
            QueryTags.CollectIncludes(json.RootElement, tags);
        }
    }

    private void Take(Type type, string[] wanted, JsonDocument? answer)
    {
        if (answer is null)
        {
            foreach (string id in wanted)
            {
                _tracker.SetMissing(id);
            }

            return;
        }

        TakeIncludes(answer.RootElement);
        int i = 0;
        foreach (JsonElement result in answer.RootElement.GetProperty("Results"u8).EnumerateArray())
        {
            if (result.ValueKind == JsonValueKind.Object)
            {
                _tracker.Take(type, result.Clone());
            }
            else if (i < wanted.Length)
            {
                _tracker.SetMissing(wanted[i]);
            }

            i++;
        }
    }

    private void TakeIncludes(JsonElement answer)
    {
        if (answer.TryFind("Includes"u8, JsonValueKind.Object, out JsonElement includes))
        {
            foreach (JsonProperty included in includes.EnumerateObject())
            {
                if (included.Value.ValueKind == JsonValueKind.Object)
                {
                    _tracker.TakeIncluded(included.Value.Clone());
                }
            }
        }
    }
}
