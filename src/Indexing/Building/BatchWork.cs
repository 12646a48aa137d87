using System.Text;
using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Counters;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Storage;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Indexing.Outputs;
using Jackdaw.Indexing.Reducing;
using Jackdaw.Json;
using Jackdaw.Search;
using Jackdaw.Search.Entries;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Indexing.Building;

/// <summary>One batch of an index. One thread.</summary>
internal sealed class BatchWork : IGroupReducer
{
    /// <summary>Documents of one batch: with usual documents a second of work, after which searches see them and others get the thread.</summary>
    private const int DocumentsMax = 4096;

    /// <summary>Documents between two looks at the clock.</summary>
    private const int LookInterval = 16;

    /// <summary>Bytes of documents of one batch; bounds what the transaction and the index's writer hold.</summary>
    private const long BytesMax = 16L << 20;

    /// <summary>What an entry or a row takes beside its values. Bytes, about: a batch of documents with many entries each ends early.</summary>
    private const int EntryBytesMin = 512;

    /// <summary>Entries of one document: more is a definition that multiplies by mistake.</summary>
    private const int EntriesPerDocumentMax = 10_000;

    /// <summary>Loaders of a changed document that are looked up together.</summary>
    private const int LoadersMax = 128;

    /// <summary>Counters that one batch looks at, of whatever collection: their keys are held, and so is the snapshot.</summary>
    private const int CountersMax = 64 * 1024;

    /// <summary>Failures that are told of one batch; the others are counted.</summary>
    private const int FailuresToldMax = 100;

    /// <summary>Stored field of the reduced row.</summary>
    internal const string ReducedRow = "@row";

    private readonly SearchIndexBuilder _builder;
    private readonly StoredReadScope _documents;
    private readonly IndexBatch _batch;
    private readonly CancellationToken _stop;
    private readonly IndexEntry _entry = new();
    private readonly IndexField _idField = new(Auto.AutoDefinition.DocumentId);
    private readonly IndexField _rowField = new(ReducedRow) { Indexing = IndexingMode.None, IsStored = true };
    private readonly GroupStore? _groups;
    private readonly ReferenceStore? _references;
    private readonly CounterReads? _counters; // null: documents are mapped
    private readonly List<byte[]> _loaded = []; // keys of documents that the mapping of now has loaded
    private readonly List<MappingFailure> _failures = [];
    private readonly List<MappedRow> _rows = [];
    private readonly bool _isFirst;
    private readonly int _changesMax;
    private readonly long _began;
    private int _count;
    private long _bytes;
    private long _mapped;
    private long _mapErrors;
    private long _referred;
    private long _referenceErrors;
    private long _reduced;
    private long _reduceErrors;
    private long _outputsMax;

    public BatchWork(SearchIndexBuilder builder, StoredReadScope documents, IndexBatch batch, CancellationToken stop)
    {
        _builder = builder;
        _documents = documents;
        _batch = batch;
        _stop = stop;
        _isFirst = builder.Progress.IsNone;
        _changesMax = Math.Min(builder.Settings.BatchChangesMax ?? DocumentsMax, DocumentsMax);
        _began = builder.Time.GetTimestamp();
        _groups = builder.Mapping.HasReduce ? new GroupStore(batch.Transaction.Trees) : null;
        _references = builder.ReferencedCollections.Count > 0 ? new ReferenceStore(batch.Transaction.Trees) : null;
        _counters = builder.ReadsCounters ? new CounterReads(documents.Transaction) : null;
        Progress = builder.Progress;
    }

    /// <summary>How far it has come.</summary>
    public IndexProgress Progress { get; private set; }

    private bool IsFull => _count >= _changesMax || _bytes >= BytesMax || _stop.IsCancellationRequested || IsTimeOver;

    private bool IsTimeOver => _builder.Settings.BatchTimeMax is { } max && _count % LookInterval == 0 && _builder.Time.GetElapsedTime(_began) >= max;

    public BatchResult Run(IndexProgress from)
    {
        if (_isFirst)
        {
            Progress = Progress.WithBegan(_documents.LastEtag);
            if (_counters is not null)
            {
                Progress = Progress.With(IndexProgress.Counters, _counters.LastEtag);
            }

            // What is mapped from here on sees these documents as they are now.
            foreach (string name in _builder.ReferencedCollections)
            {
                Progress = Progress.WithReferences(name, _documents.LastOf(name));
            }
        }

        bool isDone = _builder.Sources.All(ReadChanges) && ReadCounters() && FollowReferences();
        ReduceGroups();
        if (isDone)
        {
            Progress = Progress.WithPassed(_documents.LastEtag);
        }

        var counts = new IndexTotals
        {
            Mapped = _mapped,
            MapErrors = _mapErrors,
            Referred = _referred,
            ReferenceErrors = _referenceErrors,
            Reduced = _reduced,
            ReduceErrors = _reduceErrors,
            OutputsMax = _outputsMax,
            LastIndexingTicks = _count > 0 ? _builder.Time.GetUtcNow().UtcTicks : 0,
        };
        return new BatchResult(!isDone && !_stop.IsCancellationRequested, _count, _failures, counts);
    }

    /// <inheritdoc/>
    byte[]? IGroupReducer.Reduce(IReadOnlyList<ReadOnlyMemory<byte>> rows)
    {
        try
        {
            return _builder.Run.Reduce(rows);
        }
        catch (Exception failure) when (IsOfDefinition(failure))
        {
            _reduceErrors++;
            Fail(null, "Reduce", failure.Message);
            return GroupStore.Failed; // The group has no entry until a row of it changes.
        }
    }

    // What a definition and what it is given are to blame for; anything else has the whole batch tried again.
    private static bool IsOfDefinition(Exception failure) => failure
        is MapFailedException or DefinitionStoppedException or NotSupportedException or DocumentFormatException or JsonException;

    // False: the batch is full before the end of the collection.
    private bool ReadChanges(string collection)
    {
        Etag read = Progress.Of(collection);
        ChangeCursor cursor = _documents.OpenChanges(Encoding.UTF8.GetBytes(collection), read);
        bool isFull = false;
        while (!isFull && cursor.MoveNext())
        {
            if (cursor.IsTombstone)
            {
                RemoveIfGone(cursor.Key);
                _count++;
            }
            else
            {
                _mapped++;
                _mapErrors += Map(cursor.Document, isNew: _isFirst) ? 0 : 1;
            }

            read = cursor.Etag;
            isFull = IsFull;
        }

        // At the end: everything up to the last change is read, also when the collection has none at all.
        Progress = Progress.With(collection, read);
        return !isFull;
    }

    // A deleted counter is found by its document, which has changed. False: the batch is full before the last one.
    private bool ReadCounters()
    {
        if (_counters is null)
        {
            return true;
        }

        Etag read = Progress.Of(IndexProgress.Counters);
        var mapped = new HashSet<byte[]>(ByteTextComparer.Instance);
        TableNumberCursor cursor = _counters.OpenByEtag();
        bool isFull = false;
        int looked = 0;
        for (bool on = cursor.Seek(read.Value + 1); on && !isFull; on = cursor.MoveNext())
        {
            var row = new CounterRow(cursor.Row);
            read = row.Etag;
            byte[] key = ExtensionKeys.DocumentOf(row.Key).ToArray();
            if (!mapped.Contains(key) && _documents.TryGet(key, out StoredDocument document) && IsSource(document))
            {
                mapped.Add(key);
                _mapped++;
                _mapErrors += Map(document, isNew: false) ? 0 : 1;
            }

            // Counters of other collections count, too: an index of one of them may come to millions of others in a row.
            isFull = ++looked >= CountersMax || IsFull;
        }

        Progress = Progress.With(IndexProgress.Counters, read);
        return !isFull;
    }

    private void RemoveIfGone(ReadOnlySpan<byte> key)
    {
        if (_documents.TryGet(key, out StoredDocument document) && IsSource(document))
        {
            return; // It lives in another collection of this index.
        }

        Remove(key);
    }

    private bool IsSource(in StoredDocument document) => _builder.Collections.Count == 0
        || _builder.Collections.Contains(Encoding.UTF8.GetString(document.Collection), StringComparer.OrdinalIgnoreCase);

    private bool Takes(in StoredDocument document) =>
        _builder.Archived == ArchivedDataProcessing.IncludeArchived
        || document.Flags.HasFlag(DocumentFlags.Archived) == (_builder.Archived == ArchivedDataProcessing.ArchivedOnly);

    private void Remove(ReadOnlySpan<byte> key)
    {
        if (_groups is null)
        {
            _batch.Delete(Encoding.UTF8.GetString(key));
        }

        _groups?.Replace(key, []);
        _references?.Replace(key, []);
    }

    // False: it failed, and has no entries.
    private bool Map(in StoredDocument document, bool isNew)
    {
        bool isMapped = true;
        _count++;
        if (!Takes(document))
        {
            Remove(document.Key);
            return true;
        }

        _bytes += document.Body.Length;
        string key = Encoding.UTF8.GetString(document.Key);
        DocumentOrigin origin = SnapshotLoader.OriginOf(document);
        if (!isNew && _groups is null)
        {
            _batch.Delete(key);
        }

        _rows.Clear();
        _loaded.Clear();
        try
        {
            int entries = 0;
            if (_counters is null)
            {
                AddRows(document.BodyWithExtensions, origin, key, ref entries);
            }
            else
            {
                AddCounters(document, origin, key, ref entries);
            }

            _outputsMax = Math.Max(_outputsMax, entries);
        }
        catch (Exception failure) when (IsOfDefinition(failure))
        {
            isMapped = false;
            Fail(origin.Id, "Map", failure.Message);
            _rows.Clear();
            if (_groups is null)
            {
                _batch.Delete(key); // those that were added before it failed
            }
        }

        _groups?.Replace(document.Key, _rows);
        _references?.Replace(document.Key, [.. _loaded.Distinct(ByteTextComparer.Instance)]);
        return isMapped;
    }

    private void AddCounters(in StoredDocument document, in DocumentOrigin origin, string key, ref int entries)
    {
        using CounterList counters = _counters!.List(document.Key);
        while (counters.MoveNext())
        {
            CounterRow counter = counters.Current;
            string name = Encoding.UTF8.GetString(counter.Name);
            byte[] json = JsonSerializer.SerializeToUtf8Bytes(new { DocumentId = origin.Id, Name = name, counter.Value });
            AddRows(json, origin with { Counter = name }, key, ref entries);
        }
    }

    private void AddRows(ReadOnlySpan<byte> json, in DocumentOrigin origin, string key, ref int entries)
    {
        try
        {
            _builder.Run.Begin(json, origin);
            for (; _builder.Run.MoveNext(); entries++)
            {
                if (entries == EntriesPerDocumentMax)
                {
                    throw new MapFailedException(new InvalidOperationException(
                        $"The document gives more than {EntriesPerDocumentMax} entries. Index fewer elements of it, or several of them in one entry."));
                }

                // What the engine takes for an entry is not what the definition takes.
                long before = GC.GetAllocatedBytesForCurrentThread();
                AddRow(key);
                ExecutionBudget.Excuse(GC.GetAllocatedBytesForCurrentThread() - before);
            }
        }
        finally
        {
            _loaded.AddRange(KeysOf(_builder.Run.References));
        }
    }

    private void AddRow(string key)
    {
        _bytes += EntryBytesMin;
        if (_groups is not null)
        {
            byte[] row = _builder.Run.WriteRow();
            _bytes += row.Length;
            _rows.Add(new MappedRow(KeyHash.Of(Encoding.UTF8.GetBytes(_builder.Run.KeyOf(row))), row));
            return;
        }

        _entry.Reset(key);
        if (_builder.Filler.Fill(_builder.Run.Current, _entry) || _builder.Mapping.IndexesEmptyEntries || _builder.Settings.IndexesEmptyEntries)
        {
            _entry.AddText(_idField, key);
            _batch.Add(_entry);
        }
    }

    private static List<byte[]> KeysOf(IReadOnlyList<DocumentReference> references)
    {
        var keys = new List<byte[]>(references.Count);
        Span<byte> buffer = stackalloc byte[DocumentIds.KeyBytesMax];
        foreach (DocumentReference reference in references)
        {
            if (DocumentIds.TryMakeKey(reference.Id, buffer, out int length) == DocumentIdFault.None)
            {
                ReadOnlySpan<byte> key = buffer[..length];
                keys.Add(reference.Collection == ValueChanges.Name ? ReferenceStore.KeyOfValue(key) : key.ToArray());
            }
        }

        return keys;
    }

    // False: the batch is full before all of them are mapped again.
    private bool FollowReferences()
    {
        if (_references is null)
        {
            return true;
        }

        if (Progress.PendingReference is { } pending && !MapLoaders(pending))
        {
            return false;
        }

        return _builder.ReferencedCollections.All(FollowReferences);
    }

    private bool FollowReferences(string collection)
    {
        if (collection == ValueChanges.Name)
        {
            return FollowValues();
        }

        ChangeCursor cursor = _documents.OpenChanges(Encoding.UTF8.GetBytes(collection), Progress.OfReferences(collection));
        while (cursor.MoveNext())
        {
            if (!MapLoaders(new PendingReference(collection, cursor.Etag, cursor.Key.ToArray(), [])) || IsFull)
            {
                return false;
            }
        }

        return true;
    }

    private bool FollowValues()
    {
        const int readMax = 256;
        while (ValueChanges.Read(_documents.Transaction, Progress.OfReferences(ValueChanges.Name).Value, readMax) is { Count: > 0 } changes)
        {
            foreach ((long etag, byte[] key) in changes)
            {
                if (!MapLoaders(new PendingReference(ValueChanges.Name, new Etag(etag), ReferenceStore.KeyOfValue(key), [])) || IsFull)
                {
                    return false;
                }
            }
        }

        return true;
    }

    // Maps all documents again that loaded one, and only then notes that its change was followed. False: the batch is full before.
    private bool MapLoaders(PendingReference change)
    {
        while (_references!.FindLoaders(change.Loaded, change.After, LoadersMax) is { Count: > 0 } loaders)
        {
            foreach (byte[] loader in loaders)
            {
                if (_documents.TryGet(loader, out StoredDocument document) && IsSource(document))
                {
                    _referred++;
                    _referenceErrors += Map(document, isNew: false) ? 0 : 1;
                }

                change = change with { After = loader };
                if (IsFull)
                {
                    Progress = Progress.WithPendingReference(change);
                    return false;
                }
            }
        }

        Progress = Progress.WithPendingReference(null).WithReferences(change.Collection, change.Etag);
        return true;
    }

    private void ReduceGroups()
    {
        if (_groups is null)
        {
            return;
        }

        OutputStore? outputs = _builder.Outputs is { } writer ? new OutputStore(_batch.Transaction.Trees, writer.Definition) : null;
        var reduced = new ReducedRowReader();
        foreach (ReducedGroup group in _groups.ReduceTouched(this))
        {
            string id = group.Group.ToString();
            _reduced++;
            _batch.Delete(id);
            byte[]? row = group.Row is not null && TryAddGroup(id, reduced, group.Row) ? group.Row : null;
            if (outputs?.Note(group.Group, row) is { } problem)
            {
                Fail(null, "Output", problem);
            }
        }
    }

    private bool TryAddGroup(string id, ReducedRowReader reader, byte[] stored)
    {
        try
        {
            _entry.Reset(id);
            _builder.Filler.Fill(reader.Read(stored), _entry);
            _entry.AddStored(_rowField, Encoding.UTF8.GetString(stored));
            _batch.Add(_entry);
            return true;
        }
        catch (Exception failure) when (IsOfDefinition(failure))
        {
            _reduceErrors++;
            Fail(null, "Reduce", failure.Message);
            _batch.Delete(id);
            return false;
        }
    }

    private void Fail(string? document, string action, string message)
    {
        if (_failures.Count < FailuresToldMax)
        {
            _failures.Add(new MappingFailure(document, action, message));
        }
    }
}
