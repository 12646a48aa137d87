using System.Text.Json;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;
using Jackdaw.Client.Sessions.Events;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>Saving. Everything that has changed is saved as one request and one transaction.</summary>
internal sealed partial class SessionCore
{
    private static readonly byte[][] s_vectors = ["@change-vector"u8.ToArray(), "ChangeVector"u8.ToArray(), "DocumentChangeVector"u8.ToArray()];

    private List<DeferredCommand> Deferred => field ??= [];
    private string _waits = ""; // waits of the next save for indexes, as parameters of its request
    private string _replicas = ""; // waits of the next save for other servers

    /// <summary>Etag of the last save of this session; 0 if there was none. Queries of what the session wrote wait for it.</summary>
    public long SavedEtag { get; private set; }

    // The collections that this session has written to, unless not all of them are known.
    private HashSet<string>? _savedCollections;
    private bool _hasSavedAnywhere;

    /// <summary>Whether a save would send anything.</summary>
    public bool HasChanges => Deferred.Count > 0 || _tracker.Deleted.Count > 0 || Changed().Count > 0 || ChangedValues().Count > 0 || Forced.Count > 0;

    /// <summary>Whether an entity differs from what was read or saved.</summary>
    public bool HasChanged(object entity) => _tracker.Find(entity) is { } document && IsChanged(document, out _);

    /// <summary>Lets the next save wait until indexes have read it.</summary>
    /// <param name="indexes">Names of indexes. Without any, all indexes of the collections that are written.</param>
    public void WaitForIndexes(TimeSpan timeout, bool throws, IReadOnlyList<string> indexes) =>
        _waits = $"&waitForIndexesTimeout={timeout:c}&waitForIndexThrow={(throws ? "true" : "false")}" +
            string.Concat(indexes.Select(index => $"&waitForSpecificIndex={Uri.EscapeDataString(index)}"));

    /// <summary>Lets the next save wait until other servers have it.</summary>
    /// <param name="replicas">Number of other servers; null for a majority together with this one.</param>
    public void WaitForReplication(TimeSpan timeout, bool throws, int? replicas)
    {
        string count = replicas?.ToString(System.Globalization.CultureInfo.InvariantCulture) ?? "majority";
        _replicas = $"&waitForReplicasTimeout={timeout:c}&throwOnTimeoutInWaitForReplicas={(throws ? "true" : "false")}&numberOfReplicasToWaitFor={count}";
    }

    /// <summary>Adds a command to the next save, after those of documents.</summary>
    public void Defer(DeferredCommand command)
    {
        _use.ThrowIfEnded();
        Deferred.Add(command);
    }

    public void Forget()
    {
        Deferred.Clear();
        LazyReads.Clear();
        Values.Clear();
        Revisions.Clear();
        RevisionsBefore.Clear();
        Forced.Clear();
    }

    /// <summary>Saves. When it fails, nothing counts as saved.</summary>
    /// <exception cref="ConcurrencyException">A document does not have the expected version; nothing was saved.</exception>
    public async ValueTask SaveAsync(bool isAsync, CancellationToken token)
    {
        using SessionUse.Scope use = _use.Begin("SaveChanges()");
        SaveBatch batch = MakeBatch();
        if (batch.Count == 0)
        {
            return;
        }

        CountRequest("bulk_docs");
        (string[] writtenIds, string[] writtenCollections) = batch.Touched();
        MarkWritten();
        try
        {
            var message = new RequestMessage { Method = HttpMethod.Post, Path = SavePath(), Body = batch.Body, Content = batch.Content };
            RequestAnswer answer = await executor.SendAsync(message, isAsync, token).ConfigureAwait(false);
            Confirm(batch, answer);
            (_waits, _replicas) = ("", "");
            foreach (TrackedDocument saved in batch.Saved)
            {
                Notifier.Tell(
                    Notifier.Handlers.AfterSaveChanges,
                    saved,
                    static saved => new AfterSaveChangesEventArgs(saved.Id!, saved.Entity, saved.Metadata));
            }
        }
        finally
        {
            MarkWritten();
        }

        void MarkWritten()
        {
            executor.Tracker.MarkWritten(writtenIds, writtenCollections);
            foreach (string key in batch.Keys)
            {
                executor.Tracker.OnCompareExchangeChanged(key);
            }
        }
    }

    private string SavePath()
    {
        string parameters = _waits + _replicas + (IsClusterWide && !IsGuarded ? "&disableAtomicDocumentWrites=true" : "");
        return parameters.Length == 0 ? "bulk_docs" : $"bulk_docs?{parameters[1..]}";
    }

    private SaveBatch MakeBatch()
    {
        var batch = new SaveBatch(IsClusterWide);
        List<(TrackedDocument Document, JsonElement Text)> changed = Changed();
        if (IsClusterWide)
        {
            CheckClusterWide(changed);
        }

        foreach ((TrackedDocument document, JsonElement found) in changed)
        {
            bool isHandled = Notifier.Tell(
                Notifier.Handlers.BeforeStore,
                document,
                static document => new BeforeStoreEventArgs(document.Id, document.Entity, document.Metadata)) is not null;
            JsonElement text = found;
            if (isHandled)
            {
                IsChanged(document, out text);
            }

            if (document.IsNew)
            {
                converter.CheckStorable(document.Entity);
            }
            else
            {
                converter.CheckChanged(document.Entity);
            }

            bool isRevised = document.Id is not null && Forced.Contains(document.Id);
            batch.AddPut(document, text, VersionOf(document), document.ChangeVector ?? _tracker.GuardOf(document.Id), isRevised);
        }

        // A handler may delete other documents.
        var told = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        while (_tracker.Deleted.Where(deleted => !told.Contains(deleted.Key)).ToArray() is { Length: > 0 } open)
        {
            foreach ((string id, Deletion deletion) in open)
            {
                told.Add(id);
                Notifier.Tell(
                    Notifier.Handlers.BeforeDelete,
                    (id, deletion.Document),
                    static state => new BeforeDeleteEventArgs(state.id, state.Document?.Entity, state.Document?.Metadata));
                batch.AddDelete(id, deletion);
            }
        }

        foreach (string id in Forced.Except(changed.Select(one => one.Document.Id!), StringComparer.OrdinalIgnoreCase))
        {
            batch.AddRevision(id);
        }

        foreach ((TrackedValue value, JsonElement text) in ChangedValues())
        {
            batch.AddValue(value, text);
        }

        foreach (DeferredCommand command in Deferred)
        {
            batch.AddDeferred(command, _tracker.Find(command.Id) is not null);
        }

        batch.End();
        return batch;
    }

    // Null if the stored document is replaced, no matter which version it has.
    private string? VersionOf(TrackedDocument document) =>
        document.Demanded ?? converter.GetVersion(document.Entity) ?? (!UsesOptimisticConcurrency ? null : document.IsNew ? "" : document.ChangeVector);

    private List<(TrackedDocument Document, JsonElement Text)> Changed()
    {
        List<(TrackedDocument, JsonElement)> changed = [];
        foreach (TrackedDocument document in _tracker.Documents)
        {
            if (IsChanged(document, out JsonElement text))
            {
                changed.Add((document, text));
            }
        }

        return changed;
    }

    private bool IsChanged(TrackedDocument document, out JsonElement text)
    {
        text = default;
        if (document.IsIgnored)
        {
            return false;
        }

        text = _tracker.Write(document);
        if (document.IsNew || EntityConverter.AreEqual(text, document.Original))
        {
            return document.IsNew || document.IsMetadataChanged;
        }

        if (!document.IsWrittenHere && WrittenAgain(document) is { } again)
        {
            bool isChanged = document.IsMetadataChanged || !EntityConverter.AreEqual(text, again);
            text = isChanged ? converter.Merge(document.Original, again, text) : text;
            return isChanged;
        }

        return true;
    }

    // What an object that was read again, and not changed, is written as: members that classes lack or cannot read, and times in another form, are
    // not changes.
    private JsonElement? WrittenAgain(TrackedDocument document)
    {
        try
        {
            object again = converter.Read(document.Entity.GetType(), document.Id ?? "", document.Original);
            return converter.Text(again, document.Original, document.Id);
        }
        catch (Exception)
        {
            return null; // The class cannot be read from a document, or not from this one. That says nothing about changes.
        }
    }

    private void Confirm(SaveBatch batch, RequestAnswer answer)
    {
        using JsonDocument json = AnswerJson.Parse(answer.Body);
        JsonElement results = json.RootElement.RequiredList("Results"u8);
        if (results.GetArrayLength() != batch.Count)
        {
            throw new BadResponseException($"The server answered {results.GetArrayLength()} results to {batch.Count} commands.");
        }

        int i = 0;
        foreach (JsonElement result in results.EnumerateArray())
        {
            batch.Confirm(i++, result, _tracker);
            NoteEtag(result);
        }

        string[] written = batch.Touched().Collections;
        (_savedCollections ??= new(StringComparer.OrdinalIgnoreCase)).UnionWith(written);
        _hasSavedAnywhere |= written.Length == 0;
        Deferred.Clear();
        Forced.Clear();
    }

    // Entries of a change vector are name:etag-database; the entry of a cluster-wide transaction counts transactions instead.
    private void NoteEtag(JsonElement result)
    {
        foreach (byte[] name in s_vectors)
        {
            if (result.Text(name) is { } vector)
            {
                foreach (string entry in vector.Split(", "))
                {
                    int start = entry.IndexOf(':', StringComparison.Ordinal) + 1;
                    int end = entry.IndexOf('-', start);
                    if (!entry.StartsWith("TRXN:", StringComparison.Ordinal) && end > start && long.TryParse(entry.AsSpan(start, end - start), out long etag))
                    {
                        SavedEtag = Math.Max(SavedEtag, etag);
                    }
                }
            }
        }
    }
}
