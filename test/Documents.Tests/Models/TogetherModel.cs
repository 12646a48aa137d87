using System.Collections.Immutable;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Tests.Revisions;

namespace Jackdaw.Documents.Tests.Models;

/// <summary>What a database should hold of documents and everything that comes with them: plain dictionaries, by the contract.</summary>
internal sealed class TogetherModel
{
    private readonly List<string> _extended = []; // of the batch, in order

    public Dictionary<string, ModelRules> Rules { get; private init; } = [];

    public SortedDictionary<string, TogetherDocument> Documents { get; private init; } = new(StringComparer.Ordinal);

    /// <summary>Oldest first.</summary>
    public Dictionary<string, ImmutableList<TogetherRevision>> Revisions { get; private init; } = [];

    /// <summary>Compare exchange values and guards.</summary>
    public SortedDictionary<string, TogetherValue> Values { get; private init; } = new(StringComparer.Ordinal);

    public long LastVersion { get; private set; }

    public TogetherModel Clone() => new()
    {
        Rules = new Dictionary<string, ModelRules>(Rules),
        Documents = new SortedDictionary<string, TogetherDocument>(Documents, StringComparer.Ordinal),
        Revisions = new Dictionary<string, ImmutableList<TogetherRevision>>(Revisions),
        Values = new SortedDictionary<string, TogetherValue>(Values, StringComparer.Ordinal),
        LastVersion = LastVersion,
    };

    /// <summary>Adds what another model holds; nothing of it may be here.</summary>
    public void Join(TogetherModel other)
    {
        other.Documents.ToList().ForEach(one => Documents.Add(one.Key, one.Value));
        other.Revisions.ToList().ForEach(one => Revisions.Add(one.Key, one.Value));
        other.Values.ToList().ForEach(one => Values.Add(one.Key, one.Value));
    }

    public static string Key(string id) => id.ToLowerInvariant();

    public TogetherDocument? Find(string id) => Documents.GetValueOrDefault(Key(id));

    public ImmutableList<TogetherRevision> RevisionsOf(string id) => Revisions.GetValueOrDefault(Key(id), []);

    // extended: whose attachments and counters it gets; null: it keeps its own.
    public void Put(string id, TogetherText text, DocumentFlags flags = DocumentFlags.None, TogetherDocument? extended = null)
    {
        TogetherDocument? before = Find(id);
        TogetherDocument made = before is null
            ? new TogetherDocument(0, id, text, flags, TogetherDocument.NoAttachments, TogetherDocument.NoCounters)
            : before with { Text = text, Flags = flags };
        Write(before, extended is null ? made : made with { Attachments = extended.Attachments, Counters = extended.Counters });
    }

    public bool Delete(string id)
    {
        string key = Key(id);
        if (!Documents.Remove(key, out TogetherDocument? document))
        {
            return false;
        }

        ModelRules? rules = RulesOf(document.Text.Collection);
        bool had = RevisionsOf(key).Count > 0;
        LastVersion++;
        if (rules is { PurgesOnDelete: true } or { KeepsNone: true })
        {
            Revisions.Remove(key);
        }
        else if (rules is not null || had)
        {
            if (rules is not null)
            {
                Keep(document, DocumentFlags.None);
            }

            TogetherDocument gone = TogetherDocument.Gone(LastVersion, document);
            Add(key, new TogetherRevision(gone, DocumentFlags.HasRevisions | DocumentFlags.DeleteRevision));
            Trim(key, rules);
        }

        return true;
    }

    public void DeletePrefix(string prefix)
    {
        foreach (string key in Documents.Keys.Where(key => key.StartsWith(Key(prefix), StringComparison.Ordinal)).ToArray())
        {
            Delete(key);
        }
    }

    public bool PutAttachment(string id, string name, TogetherAttachment attachment) => Change(id, document =>
        document with { Attachments = document.Attachments.SetItem(Key(name), attachment) });

    public void DeleteAttachment(string id, string name)
    {
        if (Find(id)?.Attachments.ContainsKey(Key(name)) == true)
        {
            Change(id, document => document with { Attachments = document.Attachments.Remove(Key(name)) });
        }
    }

    public bool TransferAttachment(string id, string name, string toId, string toName, bool isMove)
    {
        if (Find(id)?.Attachments.GetValueOrDefault(Key(name)) is not { } attachment || Find(toId) is null)
        {
            return false;
        }

        bool isItsOwnPlace = isMove && Key(id) == Key(toId) && Key(name) == Key(toName);
        if (Find(toId)!.Attachments.ContainsKey(Key(toName)) && !isItsOwnPlace)
        {
            return false;
        }

        if (isMove)
        {
            DeleteAttachment(id, name);
        }

        return PutAttachment(toId, toName, attachment with { Name = toName });
    }

    /// <summary>A command that changes which counters there are keeps the version before it does anything.</summary>
    public void BeginCounting(string id, IEnumerable<string> incremented, IEnumerable<string> deleted)
    {
        if (Find(id) is { } document
            && (incremented.Any(name => !document.Counters.ContainsKey(Key(name))) || deleted.Any(name => document.Counters.ContainsKey(Key(name)))))
        {
            Change(id, one => one);
        }
    }

    public bool Count(string id, string name, long delta)
    {
        if (Find(id) is not { } document)
        {
            return false;
        }

        bool isNew = !document.Counters.TryGetValue(Key(name), out (string Name, long Value) known);
        known = isNew ? (name, 0) : known;
        ImmutableSortedDictionary<string, (string Name, long Value)> counters = document.Counters.SetItem(Key(name), (known.Name, known.Value + delta));
        if (isNew)
        {
            return Change(id, one => one with { Counters = counters });
        }

        Documents[Key(id)] = document with { Counters = counters };
        return true;
    }

    public bool DeleteCounter(string id, string name)
    {
        if (Find(id) is not { } document)
        {
            return false;
        }

        return !document.Counters.ContainsKey(Key(name)) || Change(id, one => one with { Counters = one.Counters.Remove(Key(name)) });
    }

    public bool Force(string id)
    {
        if (Find(id) is not { } document)
        {
            return false;
        }

        if (_extended.Contains(Key(id)))
        {
            Write(document, document with { Flags = document.Flags & ~DocumentFlags.Reverted });
        }

        Keep(Find(id)!, DocumentFlags.ForceCreated);
        return true;
    }

    public void Revert(string id, TogetherRevision target)
    {
        TogetherDocument? before = Find(id);
        if (target.IsDelete)
        {
            DeleteKept(id);
        }
        else if (before?.Version != target.Document.Version || !IsCurrent(before, target))
        {
            KeepCurrent(id);
            Put(before?.Id ?? target.Document.Id, target.Document.Text, DocumentFlags.Reverted, target.Document);
        }
    }

    // What is replaced is kept whatever the rules say, with the counters of now.
    private void KeepCurrent(string id)
    {
        if (Find(id) is not { } document)
        {
            return;
        }

        if (RevisionsOf(Key(id)).Find(one => one.Document.Version == document.Version) is { } kept && !IsCurrent(document, kept))
        {
            Write(document, document with { Flags = document.Flags & ~DocumentFlags.Reverted });
        }

        Keep(Find(id)!, DocumentFlags.ForceCreated);
    }

    private void DeleteKept(string id)
    {
        if (Find(id) is null)
        {
            return;
        }

        KeepCurrent(id);
        Documents.Remove(Key(id), out TogetherDocument? document);
        LastVersion++;
        Add(Key(id), new TogetherRevision(TogetherDocument.Gone(LastVersion, document!), DocumentFlags.HasRevisions | DocumentFlags.DeleteRevision));
    }

    private static bool IsCurrent(TogetherDocument document, TogetherRevision kept) => document.Kept().Counters.SequenceEqual(kept.Document.Counters);

    public void RemoveRevisions(string id, IReadOnlyCollection<TogetherRevision> removed)
    {
        ImmutableList<TogetherRevision> list = RevisionsOf(id);
        bool staysInBin = Find(id) is null && list.SkipLast(1).Any(one => !removed.Contains(one));
        TogetherRevision? last = list.LastOrDefault();
        Set(Key(id), list.RemoveAll(one => removed.Contains(one) && !(staysInBin && ReferenceEquals(one, last))));
    }

    /// <summary>Everything that has come due is done: documents go, or are written again.</summary>
    public int Settle(DateTime now)
    {
        int done = 0;
        foreach (TogetherDocument document in Documents.Values.ToArray())
        {
            if (document.Text.Expires <= now)
            {
                Delete(document.Id);
                done++;
                continue;
            }

            if (document.Text.Refresh <= now)
            {
                Put(document.Id, Find(document.Id)!.Text with { Refresh = null });
                done++;
            }

            if (document.Text.Archive <= now)
            {
                Put(document.Id, Find(document.Id)!.Text with { Archive = null, IsArchived = true });
                done++;
            }
        }

        return done;
    }

    /// <summary>The batch has ended: documents show their attachments and counters, each as one new version.</summary>
    public void EndBatch()
    {
        foreach (string key in _extended.ToArray())
        {
            if (Documents.TryGetValue(key, out TogetherDocument? document))
            {
                Write(document, document with { Flags = document.Flags & ~DocumentFlags.Reverted });
            }
        }

        _extended.Clear();
    }

    private void Write(TogetherDocument? before, TogetherDocument made)
    {
        ModelRules? rules = RulesOf(made.Text.Collection);
        bool keeps = rules is { KeepsNone: false };

        // What the batch has changed of its extensions is gone: no revision is better than a wrong one.
        if (before is not null && keeps && !_extended.Contains(Key(made.Id)))
        {
            Keep(before, DocumentFlags.None);
        }

        made = made with { Version = ++LastVersion, ShowsAttachments = made.Attachments.Count > 0, ShowsCounters = made.Counters.Count > 0 };
        Documents[Key(made.Id)] = made;
        _extended.Remove(Key(made.Id)); // this version shows them
        if (keeps)
        {
            Keep(made, DocumentFlags.None);
        }

        Trim(Key(made.Id), rules);
    }

    private bool Change(string id, Func<TogetherDocument, TogetherDocument> change)
    {
        string key = Key(id);
        if (!Documents.TryGetValue(key, out TogetherDocument? document))
        {
            return false;
        }

        if (!_extended.Contains(key))
        {
            if (RulesOf(document.Text.Collection) is { KeepsNone: false })
            {
                Keep(document, DocumentFlags.None);
            }

            _extended.Add(key);
        }

        Documents[key] = change(document);
        return true;
    }

    private ModelRules? RulesOf(string collection) =>
        Rules.GetValueOrDefault(Key(collection)) is { IsDisabled: false } rules ? rules : null;

    private void Keep(TogetherDocument document, DocumentFlags more)
    {
        string key = Key(document.Id);
        if (!RevisionsOf(key).Exists(one => one.Document.Version == document.Version))
        {
            Add(key, new TogetherRevision(document.Kept(), document.TextFlags | DocumentFlags.HasRevisions | DocumentFlags.Revision | more));
        }
    }

    private void Add(string key, TogetherRevision revision) => Set(key, RevisionsOf(key).Add(revision));

    private void Trim(string key, ModelRules? rules)
    {
        ImmutableList<TogetherRevision> list = RevisionsOf(key);
        while (rules is not null && list.Count > 0 && rules.Exceeds(list.Count, long.MaxValue))
        {
            list = list.RemoveAt(0);
        }

        Set(key, list);
    }

    private void Set(string key, ImmutableList<TogetherRevision> list)
    {
        if (list.Count > 0)
        {
            Revisions[key] = list;
        }
        else
        {
            Revisions.Remove(key);
        }
    }
}
