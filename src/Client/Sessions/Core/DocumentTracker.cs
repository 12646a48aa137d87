using System.Text.Json;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Serialization;
using Jackdaw.Client.Sessions.Events;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>What one session knows about documents. Each id has one entity, and documents that were requested and do not exist are known, too. It
/// does no I/O.</summary>
/// <remarks>
/// 1. An entity stands for one id, and an id for one entity.
/// 2. An id is tracked, deleted, or known to be missing: at most one of these.
/// </remarks>
internal sealed partial class DocumentTracker(EntityConverter converter, SessionNotifier notifier)
{
    private static readonly Dictionary<string, Deletion> s_nothingDeleted = [];

    private readonly TrackedDocuments _documents = new();
    private Dictionary<string, StoredDocument>? _included; // these four are null until there are any
    private HashSet<string>? _missing;
    private Dictionary<string, Deletion>? _deleted;

    // Versions by which a cluster-wide session names the guards of documents that do not exist.
    private Dictionary<string, string>? _guards;

    public SessionNotifier Notifier => notifier;

    /// <summary>Makes an entity of a document.</summary>
    public object Read(Type type, StoredDocument document)
    {
        SessionHandlers handlers = notifier.Handlers;
        return handlers.BeforeConversionToEntity is null && handlers.AfterConversionToEntity is null
            ? converter.Read(type, document)
            : Read(type, document.Id, document.Parse());
    }

    /// <summary>Makes an entity of a document that was parsed.</summary>
    public object Read(Type type, string id, JsonElement document)
    {
        SessionHandlers handlers = notifier.Handlers;
        BeforeConversionToEntityEventArgs? before = notifier.Tell(
            handlers.BeforeConversionToEntity,
            (type, id, document),
            static state => new BeforeConversionToEntityEventArgs(state.id, state.type, state.document));
        object entity = converter.Read(type, id, before?.Document ?? document);
        notifier.Tell(
            handlers.AfterConversionToEntity,
            (id, document, entity),
            static state => new AfterConversionToEntityEventArgs(state.id, state.document, state.entity));
        return entity;
    }

    public IEnumerable<TrackedDocument> Documents => _documents.All;

    /// <summary>Ids that the next save deletes.</summary>
    public IReadOnlyDictionary<string, Deletion> Deleted => _deleted ?? s_nothingDeleted;

    public bool IsDeleted(string id) => _deleted?.ContainsKey(id) == true;

    /// <summary>Whether a load of this id needs no request.</summary>
    public bool IsKnown(string id) => IsLoaded(id) || _missing?.Contains(id) == true || IsDeleted(id);

    /// <summary>Whether it is tracked, or was included with another document.</summary>
    public bool IsLoaded(string id) => _documents.Find(id) is not null || _included?.ContainsKey(id) == true;

    public TrackedDocument? Find(object entity) => _documents.Find(entity);

    public TrackedDocument? Find(string id) => _documents.Find(id);

    /// <summary>The entity of a known id; null when there is no such document.</summary>
    public object? Get(Type type, string id)
    {
        if (IsDeleted(id))
        {
            return null;
        }

        if (_documents.Find(id) is { } tracked)
        {
            return type.IsInstanceOfType(tracked.Entity) ? tracked.Entity : Copy(type, tracked);
        }

        return _included?.Remove(id, out StoredDocument? included) == true ? Track(type, included).Entity : null;
    }

    /// <summary>Takes a document of an answer. A document that is tracked already stays as it is.</summary>
    public object? Take(Type type, StoredDocument document)
    {
        _missing?.Remove(document.Id);
        if (_documents.Find(document.Id) is null && !IsDeleted(document.Id))
        {
            _included?.Remove(document.Id); // an earlier include is older
            return Track(type, document).Entity;
        }

        return Get(type, document.Id);
    }

    /// <summary>Takes a document that a query has found. Of one that is tracked already only what the query says about it is new, such as its score.</summary>
    public object? TakeFound(Type type, StoredDocument document)
    {
        _documents.Find(document.Id)?.SetFound(document);
        return Take(type, document);
    }

    /// <summary>Makes an entity of a revision. It exists beside the entity of its document.</summary>
    public object TakeRevision(Type type, StoredDocument revision)
    {
        var document = new TrackedDocument { Entity = Read(type, revision), Id = revision.Id, IsRevision = true, IsIgnored = true };
        document.SetRead(revision);
        _documents.Set(null, document);
        return document.Entity;
    }

    /// <summary>Keeps an included document for a later load.</summary>
    public void TakeIncluded(StoredDocument document)
    {
        if (_documents.Find(document.Id) is null && !IsDeleted(document.Id))
        {
            _missing?.Remove(document.Id);
            (_included ??= new(StringComparer.OrdinalIgnoreCase))[document.Id] = document;
        }
    }

    public void SetMissing(string id)
    {
        if (!IsLoaded(id))
        {
            (_missing ??= new(StringComparer.OrdinalIgnoreCase)).Add(id);
        }
    }

    /// <summary>Tracks a new entity. It takes the place of the object for this id, if that one can never be changed, as a record.</summary>
    /// <exception cref="NonUniqueObjectException">Another entity stands for this id, and it may be changed.</exception>
    public TrackedDocument Add(object entity, string? id)
    {
        if (id is not null && _documents.Find(id) is { } other && !ReferenceEquals(other.Entity, entity))
        {
            return Replace(other, entity);
        }

        var document = new TrackedDocument { Entity = entity, Id = id };
        if (id is not null)
        {
            _deleted?.Remove(id);
            _missing?.Remove(id);
            _included?.Remove(id);
        }

        _documents.Set(id, document);
        return document;
    }

    private TrackedDocument Replace(TrackedDocument document, object entity)
    {
        Type type = document.Entity.GetType();
        if (type != entity.GetType() || !Replaceable.Is(type))
        {
            throw new NonUniqueObjectException(
                $"The session has another object for the document '{document.Id}', a {type.Name}. Change that one, which Load gives, or evict it before "
                + $"this {entity.GetType().Name} is stored. Only records and structs can be replaced, by others of their type.");
        }

        _documents.Replace(document, entity);
        return document;
    }

    public void Delete(string id, string? expected)
    {
        if (_documents.Remove(id, out TrackedDocument? tracked))
        {
            expected ??= tracked.Demanded;
        }

        string? original = tracked?.ChangeVector ?? _included?.GetValueOrDefault(id)?.ChangeVector ?? _guards?.GetValueOrDefault(id);

        _included?.Remove(id);
        _missing?.Remove(id);
        (_deleted ??= new(StringComparer.OrdinalIgnoreCase))[id] = new Deletion(expected, original, tracked);
    }

    public void Evict(object entity) => _documents.Remove(entity, out _);

    public void Clear()
    {
        _documents.Clear();
        _included?.Clear();
        _missing?.Clear();
        _deleted?.Clear();
        _guards?.Clear();
    }

    /// <summary>Notes that a document that does not exist has a guard.</summary>
    /// <param name="version">The version that the server gives for it.</param>
    public void SetGuard(string id, string version) => (_guards ??= new(StringComparer.OrdinalIgnoreCase))[id] = version;

    /// <summary>The version that a new document continues; null for none.</summary>
    public string? GuardOf(string? id) => id is null ? null : _guards?.GetValueOrDefault(id);

    /// <summary>The members of an entity as its document would have them now, without metadata.</summary>
    public JsonElement Write(TrackedDocument document)
    {
        SessionHandlers handlers = notifier.Handlers;
        notifier.Tell(
            handlers.BeforeConversionToDocument, document, static document => new BeforeConversionToDocumentEventArgs(document.Id, document.Entity));
        JsonElement written = converter.Text(document.Entity, document.Original, document.Id);
        return notifier.Tell(
            handlers.AfterConversionToDocument,
            (document, written),
            static state => new AfterConversionToDocumentEventArgs(state.document.Id, state.document.Entity, state.written))?.Document ?? written;
    }

    private TrackedDocument Track(Type type, StoredDocument stored)
    {
        var document = new TrackedDocument { Entity = Read(type, stored), Id = stored.Id };
        document.SetRead(stored);
        _documents.Set(stored.Id, document);
        return document;
    }

    // JSON is a copy that nobody takes for the document. The changes of a second object would never be saved.
    private object Copy(Type type, TrackedDocument tracked) => type == typeof(JsonElement)
        ? Read(type, tracked.Id!, tracked.IsNew ? Write(tracked) : tracked.Original)
        : throw new InvalidOperationException(
            $"The session has the document '{tracked.Id}' as a {tracked.Entity.GetType().Name}, and it was asked for as a {type.Name}. A session has "
            + "one object for each document: evict the other one first, read it in another session, or ask for a type that both derive from.");
}

/// <summary>A document that the next save deletes.</summary>
/// <param name="Expected">Version that is expected; null for any.</param>
/// <param name="Original">Version that was read; null if it was not read.</param>
/// <param name="Document">Null if the session does not have it as an object.</param>
internal readonly record struct Deletion(string? Expected, string? Original, TrackedDocument? Document);
