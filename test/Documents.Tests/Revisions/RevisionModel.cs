using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Tests.Revisions;

/// <summary>What a database should hold of documents and revisions: the simplest thing that follows the rules.</summary>
internal sealed class RevisionModel
{
    private const DocumentFlags NotKept = DocumentFlags.Reverted;

    public Dictionary<string, ModelRules> Collections { get; private init; } = [];

    public ModelRules? Default { get; set; }

    public Dictionary<string, ModelDocument> Documents { get; private init; } = [];

    /// <summary>Oldest first.</summary>
    public Dictionary<string, List<ModelRevision>> Revisions { get; private init; } = [];

    /// <summary>Documents of which older revisions than those that are kept may be missing.</summary>
    public HashSet<string> Incomplete { get; private init; } = [];

    public long LastEtag { get; private set; }

    /// <summary>UTC ticks of the next writes.</summary>
    public long Now { get; set; }

    /// <summary>Deleted documents that have revisions, last deleted first: etags of their deletions.</summary>
    public IEnumerable<long> Bin =>
        Revisions.Where(one => !Documents.ContainsKey(one.Key)).Select(one => one.Value[^1].Etag).OrderDescending();

    public RevisionModel Clone() => new()
    {
        Collections = new Dictionary<string, ModelRules>(Collections),
        Default = Default,
        Documents = new Dictionary<string, ModelDocument>(Documents),
        Revisions = Revisions.ToDictionary(one => one.Key, one => one.Value.ToList()),
        Incomplete = [.. Incomplete],
        LastEtag = LastEtag,
        Now = Now,
    };

    public List<ModelRevision> RevisionsOf(string key) => Revisions.GetValueOrDefault(key) ?? [];

    public void Put(string key, string collection, string body, DocumentFlags flags = DocumentFlags.None)
    {
        ModelDocument? before = Documents.GetValueOrDefault(key);
        ModelRules? rules = Enabled(collection);
        if (before is not null)
        {
            flags |= before.Flags & ~NotKept;
            if (rules is { KeepsNone: false })
            {
                KeepReplaced(key, before, DocumentFlags.None);
            }

            LastEtag += before.Collection.Equals(collection, StringComparison.OrdinalIgnoreCase) ? 0 : 1; // a tombstone in the old collection
        }

        var document = new ModelDocument(++LastEtag, Now, collection, body, flags & ~DocumentFlags.HasRevisions);
        Documents[key] = document;
        if (rules is { KeepsNone: false })
        {
            Keep(key, document, DocumentFlags.None);
        }

        Trim(key, rules);
    }

    public void Delete(string key)
    {
        if (!Documents.Remove(key, out ModelDocument? document))
        {
            return;
        }

        ModelRules? rules = Enabled(document.Collection);
        bool had = RevisionsOf(key).Count > 0;
        LastEtag++;
        if (rules is { PurgesOnDelete: true } or { KeepsNone: true })
        {
            Revisions.Remove(key);
            Incomplete.Remove(key);
            return;
        }

        if (rules is not null)
        {
            KeepReplaced(key, document, DocumentFlags.None);
        }

        if (rules is not null || had)
        {
            AddDeletion(key, document.Collection);
            Trim(key, rules);
        }
    }

    /// <returns>Whether the version was not kept yet.</returns>
    public bool Force(string key) => KeepReplaced(key, Documents[key], DocumentFlags.ForceCreated);

    public void Revert(string key, ModelRevision target)
    {
        if (target.IsDelete)
        {
            DeleteKept(key);
        }
        else if (Documents.GetValueOrDefault(key)?.Etag != target.Etag)
        {
            if (Documents.ContainsKey(key))
            {
                Force(key);
            }

            Put(key, target.Collection, target.Body, DocumentFlags.Reverted);
        }
    }

    // The revisions stay, and the last version among them, whatever is configured.
    private void DeleteKept(string key)
    {
        if (Documents.ContainsKey(key))
        {
            Force(key);
            Documents.Remove(key, out ModelDocument? document);
            LastEtag++;
            AddDeletion(key, document!.Collection);
        }
    }

    private void AddDeletion(string key, string collection)
    {
        string body = collection == "@empty" ? "{\"@metadata\":{}}" : $$$"""{"@metadata":{"@collection":"{{{collection}}}"}}""";
        Add(key, new ModelRevision(LastEtag, Now, DocumentFlags.HasRevisions | DocumentFlags.DeleteRevision, collection, body));
    }

    /// <returns>Revisions that went.</returns>
    public int Remove(string key, IReadOnlyCollection<long> etags)
    {
        List<ModelRevision> list = RevisionsOf(key);
        int before = list.Count;
        bool staysInBin = !Documents.ContainsKey(key) && list.SkipLast(1).Any(one => !etags.Contains(one.Etag));
        ModelRevision? last = list.LastOrDefault();
        list.RemoveAll(one => etags.Contains(one.Etag) && !(staysInBin && ReferenceEquals(one, last)));
        NoteRemoval(key, before - list.Count);
        return before - list.Count;
    }

    public void Enforce(bool includesForced)
    {
        foreach (string key in Revisions.Keys.ToArray())
        {
            string collection = Documents.GetValueOrDefault(key)?.Collection ?? RevisionsOf(key)[^1].Collection;
            ModelRules? rules = Find(collection);
            if (rules is { IsDisabled: true })
            {
                continue;
            }

            List<ModelRevision> list = RevisionsOf(key);
            long[] surplus =
            [
                .. list.Where((one, i) => (includesForced || !one.Flags.HasFlag(DocumentFlags.ForceCreated))
                    && (rules is null || rules.Exceeds(list.Count - i, Now - one.Ticks))).Select(one => one.Etag),
            ];
            Remove(key, surplus);
        }
    }

    public void RevertTo(long ticks)
    {
        foreach (string key in Revisions.Keys.Order(StringComparer.Ordinal).ToArray())
        {
            ModelDocument? document = Documents.GetValueOrDefault(key);
            List<ModelRevision> list = RevisionsOf(key);
            if (document?.Ticks <= ticks)
            {
                continue;
            }

            ModelRevision? target = list.FindLast(one => one.Ticks <= ticks);
            if (target is not null && document is not null && !list.Exists(one => one.Etag == document.Etag))
            {
                continue;
            }

            string collection = document?.Collection ?? list[^1].Collection;
            bool mayMiss = Enabled(collection) is not { Age: null, PurgesOnDelete: false } rules || list.Count >= rules.Count
                || list[0].Flags.HasFlag(DocumentFlags.ForceCreated) || Incomplete.Contains(key);
            target ??= mayMiss ? list.Find(one => !one.IsDelete) : null;
            if (target is not null)
            {
                Revert(key, target);
            }
            else if (!mayMiss)
            {
                DeleteKept(key);
            }
        }
    }

    /// <summary>Flags as the document shows them.</summary>
    public DocumentFlags FlagsOf(string key) =>
        Documents[key].Flags | (RevisionsOf(key).Count > 0 ? DocumentFlags.HasRevisions : DocumentFlags.None);

    private ModelRules? Find(string collection) => Collections.GetValueOrDefault(collection.ToLowerInvariant()) ?? Default;

    private ModelRules? Enabled(string collection) => Find(collection) is { IsDisabled: false } rules ? rules : null;

    // Of what was before the first one nothing is known, unless it was the first write of all.
    private bool KeepReplaced(string key, ModelDocument document, DocumentFlags more)
    {
        if (RevisionsOf(key).Count == 0 && document.Etag > 1)
        {
            Incomplete.Add(key);
        }

        return Keep(key, document, more);
    }

    private bool Keep(string key, ModelDocument document, DocumentFlags more)
    {
        if (RevisionsOf(key).Exists(one => one.Etag == document.Etag))
        {
            return false;
        }

        Add(key, new ModelRevision(
            document.Etag, document.Ticks, document.Flags | DocumentFlags.HasRevisions | DocumentFlags.Revision | more, document.Collection, document.Body));
        return true;
    }

    private void Add(string key, ModelRevision revision)
    {
        if (!Revisions.TryGetValue(key, out List<ModelRevision>? list))
        {
            Revisions.Add(key, list = []);
        }

        list.Add(revision);
        list.Sort((x, y) => x.Etag.CompareTo(y.Etag));
    }

    private void Trim(string key, ModelRules? rules)
    {
        List<ModelRevision> list = RevisionsOf(key);
        int removed = 0;
        for (; rules is not null && list.Count > 0 && removed < (rules.RemovedMax ?? int.MaxValue); removed++)
        {
            if (!rules.Exceeds(list.Count, Now - list[0].Ticks))
            {
                break;
            }

            list.RemoveAt(0);
        }

        NoteRemoval(key, removed);
    }

    private void NoteRemoval(string key, int removed)
    {
        if (RevisionsOf(key).Count == 0)
        {
            Revisions.Remove(key);
            Incomplete.Remove(key);
        }
        else if (removed > 0)
        {
            Incomplete.Add(key);
        }
    }
}

internal sealed record ModelDocument(long Etag, long Ticks, string Collection, string Body, DocumentFlags Flags);

internal sealed record ModelRevision(long Etag, long Ticks, DocumentFlags Flags, string Collection, string Body)
{
    public bool IsDelete => (Flags & DocumentFlags.DeleteRevision) != 0;
}

internal sealed record ModelRules(bool IsDisabled, bool PurgesOnDelete, int? Count, TimeSpan? Age, int? RemovedMax)
{
    public bool KeepsNone => (Count == 0 && (Age ?? TimeSpan.Zero) == TimeSpan.Zero) || (Count is null && Age == TimeSpan.Zero);

    public bool Exceeds(int count, long age)
    {
        if (Count is null && Age is null)
        {
            return false;
        }

        bool isBeyondCount = Count is null || count > Count;
        bool isTooOld = Age is null || age >= Age.Value.Ticks;
        return isBeyondCount && isTooOld;
    }

    public string ToJson()
    {
        string age = Age is { } given ? $"\"{given:c}\"" : "null";
        return $$"""
            {"Disabled":{{Text(IsDisabled)}},"PurgeOnDelete":{{Text(PurgesOnDelete)}},"MinimumRevisionsToKeep":{{Text(Count)}},
             "MinimumRevisionAgeToKeep":{{age}},"MaximumRevisionsToDeleteUponDocumentUpdate":{{Text(RemovedMax)}}}
            """;
        static string Text(object? value) => value?.ToString()!.ToLowerInvariant() ?? "null";
    }
}
