using System.Text.Json;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Serialization;
using Jackdaw.Client.Sessions.Events;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>The core of a session, used by its asynchronous and its synchronous form. It loads, tracks, and saves all changes as one
/// transaction.</summary>
/// <remarks>Each method that does I/O takes <c>isAsync</c>. If it is false, the call has completed when it returns, and no thread has waited for
/// another one.</remarks>
internal sealed partial class SessionCore(RequestExecutor executor, EntityConverter converter, HiLoIdGenerator ids, SessionSettings settings)
    : IRequestCounter
{
    private readonly DocumentTracker _tracker = new(converter, new SessionNotifier());
    private readonly SessionUse _use = new();

    public DocumentTracker Tracker => _tracker;

    public SessionUse Use => _use;

    public SessionNotifier Notifier => _tracker.Notifier;

    public RequestExecutor Executor => executor;

    public DocumentConventions Conventions => converter.Conventions;

    public DocumentSerializer Serializer => converter.Serializer;

    public bool UsesOptimisticConcurrency { get; set; } = converter.Conventions.UseOptimisticConcurrency;

    /// <summary>Requests that were sent.</summary>
    public int RequestCount { get; private set; }

    public int RequestsMax { get; set; } = converter.Conventions.MaxNumberOfRequestsPerSession;

    /// <summary>Lets the next save store an entity.</summary>
    public async ValueTask StoreAsync(object entity, string? id, string? changeVector, bool isAsync, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(entity);
        if (!settings.IsTracking)
        {
            throw new InvalidOperationException("A session without tracking stores nothing: open it without NoTracking.");
        }

        using SessionUse.Scope use = _use.Begin($"Store({entity.GetType().Name})");
        if (_tracker.Find(entity) is { } known)
        {
            Own(entity);
            known.Demanded = changeVector ?? known.Demanded;
            if (id is null || id.Equals(known.Id, StringComparison.OrdinalIgnoreCase))
            {
                return;
            }

            throw new InvalidOperationException(
                $"This object is the document '{known.Id}' of the session and cannot be stored as '{id}', too. Evict it, or store a copy.");
        }

        converter.CheckStorable(entity);
        id ??= converter.GetId(entity);
        id ??= Conventions.DocumentIdGenerator?.Invoke(entity);
        if (id is null)
        {
            bool isNumber = converter.GeneratedIdOf(entity) is not null;
            id = await ids.NewIdAsync(converter, entity, isAsync, token).ConfigureAwait(false);

            // A number that the program has given a document itself must not be given to another one.
            changeVector ??= isNumber ? "" : null;
        }

        Add(entity, id, changeVector);
    }

    /// <summary>Lets the next save delete a document.</summary>
    public void Delete(string id, string? expectedChangeVector)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        _use.ThrowIfEnded();
        _tracker.Delete(id, expectedChangeVector);
    }

    /// <summary>Lets the next save delete the document of an entity.</summary>
    public void Delete(object entity)
    {
        ArgumentNullException.ThrowIfNull(entity);
        _use.ThrowIfEnded();
        TrackedDocument document = Own(entity);
        if (document.Id is { } id && !IsMadeByServer(id))
        {
            string? version = converter.GetVersion(entity) ?? (UsesOptimisticConcurrency ? document.ChangeVector : null);
            _tracker.Delete(id, document.IsNew || version is "" ? null : version);
        }

        _tracker.Evict(entity);
    }

    /// <exception cref="InvalidOperationException">The session does not know the entity.</exception>
    public TrackedDocument Tracked(object entity) => _tracker.Find(entity)
        ?? throw new InvalidOperationException($"This {entity.GetType().Name} is not a document of the session: load or store it first."
            + (Conventions.IdConversionOf(entity.GetType()) is null ? "" : " If it is an id, name the class of the document: Delete<Order>(id)."));

    /// <summary>Like <see cref="Tracked"/>, but refuses revisions, because the past cannot be changed.</summary>
    private TrackedDocument Own(object entity) => Tracked(entity) is { IsRevision: false } document
        ? document
        : throw new InvalidOperationException(
            $"This {entity.GetType().Name} is a revision of '{GetIdOf(entity)}' and cannot be changed: load the document, or store a copy of the revision.");

    /// <summary>The id of the document of an object.</summary>
    /// <exception cref="InvalidOperationException">The session does not know the object, or the server makes its id with the next save.</exception>
    public string KnownIdOf(object entity)
    {
        ArgumentNullException.ThrowIfNull(entity);
        return Own(entity).Id is { } id && !IsMadeByServer(id) ? id
            : throw new InvalidOperationException($"This {entity.GetType().Name} has no id yet: the server makes it. Save it first.");
    }

    private string? GetIdOf(object entity) => _tracker.Find(entity)?.Id;

    /// <summary>Sends one request of the session.</summary>
    /// <exception cref="TooManyRequestsInSessionException">The session has sent as many requests as it may.</exception>
    /// <exception cref="ObjectDisposedException">The session is disposed.</exception>
    public void CountRequest(string what)
    {
        if (!TryCountRequest())
        {
            throw TooManyRequests(what);
        }
    }

    /// <inheritdoc cref="CountRequest(string)"/>
    public void CountRequest(RequestMessage message)
    {
        if (!TryCountRequest())
        {
            throw TooManyRequests(message.Description); // made for the error alone
        }
    }

    private bool TryCountRequest()
    {
        _use.ThrowIfEnded();
        return ++RequestCount <= RequestsMax;
    }

    private TooManyRequestsInSessionException TooManyRequests(string what) => new(
        $"{what} would be request {RequestCount} of this session, which may send {RequestsMax}. "
        + "Load many ids at once, use Include, or raise MaxNumberOfRequestsPerSession.");

    /// <summary>Sends the request of a separate call, which no cache answers.</summary>
    public async ValueTask<RequestAnswer> AskAsync(RequestMessage message, bool isAsync, CancellationToken token)
    {
        using SessionUse.Scope use = _use.Begin(message.Path);
        CountRequest(message);
        return await executor.SendAsync(message, isAsync, token).ConfigureAwait(false);
    }

    // The server completes ids of these forms when the document is saved.
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

        SetType(document);
    }

    /// <summary>The document of an object that the session does not know.</summary>
    public JsonElement NewDocument(object entity)
    {
        var document = new TrackedDocument { Entity = entity };
        SetType(document);
        return JsonText.Element(json =>
        {
            json.WriteStartObject();
            foreach (JsonProperty member in _tracker.Write(document).EnumerateObject())
            {
                member.WriteTo(json);
            }

            document.Metadata.Write(json);
            json.WriteEndObject();
        });
    }

    private void SetType(TrackedDocument document)
    {
        Type type = document.Entity.GetType();
        if (Conventions.GetCollectionName(type) is { } collection)
        {
            document.Metadata.Set("@collection", collection);
            document.Metadata.Set("Raven-Clr-Type", EntityConverter.ClrName(type));
        }
        else if (EntityConverter.MetadataIn(document.Entity) is { } metadata)
        {
            document.Metadata.ReadOwn(metadata);
        }
    }

    /// <summary>The id of a document of a type.</summary>
    public string IdOf<T>(object id)
    {
        ArgumentNullException.ThrowIfNull(id);
        return converter.IdOf(typeof(T), id);
    }
}
