using System.Diagnostics.CodeAnalysis;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>The documents of a session by their ids and by their entities, in the order in which they came.</summary>
/// <remarks>Most sessions have a few. These are compared one by one, which takes less time and memory than two tables; more get tables.</remarks>
internal sealed class TrackedDocuments
{
    private const int ComparedMax = 8;

    private Entry[] _few = [];
    private int _count; // of the few
    private Dictionary<string, TrackedDocument>? _byId; // null as long as they are few
    private Dictionary<object, TrackedDocument>? _byEntity;

    public IEnumerable<TrackedDocument> All => _byEntity?.Values ?? _few[.._count].Select(entry => entry.Document);

    public TrackedDocument? Find(string id)
    {
        if (_byId is not null)
        {
            return _byId.GetValueOrDefault(id);
        }

        int at = IndexOf(id);
        return at < 0 ? null : _few[at].Document;
    }

    public TrackedDocument? Find(object entity)
    {
        if (_byEntity is not null)
        {
            return _byEntity.GetValueOrDefault(entity);
        }

        int at = IndexOfEntity(entity);
        return at < 0 ? null : _few[at].Document;
    }

    /// <summary>Adds a document, or gives one that is there another id.</summary>
    /// <param name="id">Null: it is found only by its entity.</param>
    public void Set(string? id, TrackedDocument document)
    {
        if (_byEntity is null && _count == ComparedMax && IndexOf(document) < 0)
        {
            MakeTables();
        }

        if (_byEntity is null)
        {
            SetFew(id, document);
            return;
        }

        _byEntity[document.Entity] = document;
        if (id is not null)
        {
            _byId![id] = document;
        }
    }

    /// <summary>Gives a document another entity.</summary>
    public void Replace(TrackedDocument document, object entity)
    {
        _byEntity?.Remove(document.Entity);
        document.Entity = entity;
        if (_byEntity is not null)
        {
            _byEntity[entity] = document;
        }
    }

    public bool Remove(string id, [NotNullWhen(true)] out TrackedDocument? document)
    {
        document = Find(id);
        if (document is null)
        {
            return false;
        }

        _byId?.Remove(id);
        _byEntity?.Remove(document.Entity);
        RemoveFew(IndexOf(id));
        return true;
    }

    public bool Remove(object entity, [NotNullWhen(true)] out TrackedDocument? document)
    {
        document = Find(entity);
        if (document is null)
        {
            return false;
        }

        _byEntity?.Remove(entity);
        if (document is { Id: { } id, IsRevision: false })
        {
            _byId?.Remove(id);
        }

        RemoveFew(IndexOfEntity(entity));
        return true;
    }

    public void Clear()
    {
        (_few, _count, _byId, _byEntity) = ([], 0, null, null);
    }

    private void SetFew(string? id, TrackedDocument document)
    {
        if (id is not null && IndexOf(id) is >= 0 and int known)
        {
            _few[known].Id = null;
        }

        int at = IndexOf(document);
        if (at < 0)
        {
            at = _count++;
            if (at == _few.Length)
            {
                Array.Resize(ref _few, at == 0 ? 1 : ComparedMax);
            }
        }

        _few[at] = new Entry { Id = id ?? _few[at].Id, Document = document };
    }

    private void MakeTables()
    {
        _byId = new(ComparedMax * 2, StringComparer.OrdinalIgnoreCase);
        _byEntity = new(ComparedMax * 2, ReferenceEqualityComparer.Instance);
        foreach (Entry entry in _few)
        {
            _byEntity[entry.Document.Entity] = entry.Document;
            if (entry.Id is not null)
            {
                _byId[entry.Id] = entry.Document;
            }
        }

        (_few, _count) = ([], 0);
    }

    private void RemoveFew(int at)
    {
        if (at >= 0)
        {
            _count--;
            Array.Copy(_few, at + 1, _few, at, _count - at);
            _few[_count] = default;
        }
    }

    private int IndexOf(string id)
    {
        for (int i = 0; i < _count; i++)
        {
            if (string.Equals(_few[i].Id, id, StringComparison.OrdinalIgnoreCase))
            {
                return i;
            }
        }

        return -1;
    }

    private int IndexOf(TrackedDocument document)
    {
        int at = _count - 1;
        while (at >= 0 && _few[at].Document != document)
        {
            at--;
        }

        return at;
    }

    // The last one, as in a table, if a converter gives several documents the same object.
    private int IndexOfEntity(object entity)
    {
        int at = _count - 1;
        while (at >= 0 && !ReferenceEquals(_few[at].Document.Entity, entity))
        {
            at--;
        }

        return at;
    }

    private struct Entry
    {
        public string? Id; // null: it is found only by its entity
        public TrackedDocument Document;
    }
}
