using System.Text;
using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Indexing.Outputs;
using Jackdaw.Indexing.Reducing;
using Jackdaw.Indexing.Sources;
using Jackdaw.Json;
using Jackdaw.Search;
using Jackdaw.Search.Entries;

namespace Jackdaw.Indexing.Building;

/// <summary>The work of one batch of an index. One thread.</summary>
internal sealed class BatchWork : IGroupReducer
{
    /// <summary>Documents of one batch: with usual documents a second of work, after which searches see them and others get the thread.</summary>
    private const int DocumentsMax = 4096;

    /// <summary>The clock is read once for this number of documents.</summary>
    private const int LookInterval = 16;

    /// <summary>Bytes of documents of one batch; bounds what the transaction and the index's writer hold.</summary>
    private const long BytesMax = 16L << 20;

    /// <summary>About how many bytes an entry or a row takes besides its values, so that a batch of documents with many entries ends early.</summary>
    private const int EntryBytesMin = 512;

    /// <summary>Entries of one document. A definition that makes more does so by mistake.</summary>
    private const int EntriesPerDocumentMax = 10_000;

    /// <summary>Loaders of a changed document that are looked up together.</summary>
    private const int LoadersMax = 128;

    /// <summary>Changes of one source that one batch looks at, including those that do not concern the index, because it holds a snapshot.</summary>
    private const int ChangesLookedAtMax = 64 * 1024;

    /// <summary>Failures of one batch that are listed; the others are only counted.</summary>
    private const int FailuresReportedMax = 100;

    /// <summary>The stored field that has the reduced row.</summary>
    internal const string StoredRow = "@row";

    private readonly IndexBuilder _builder;
    private readonly DocumentReadScope _documents;
    private readonly IndexBatch _batch;
    private readonly CancellationToken _stop;
    private readonly IndexEntry _entry = new();
    private readonly IndexField _idField = new(Auto.AutoDefinition.DocumentId);
    private readonly IndexField _rowField = new(StoredRow) { Indexing = IndexingMode.None, IsStored = true };
    private readonly GroupStore? _groups;
    private readonly ReferenceStore? _references;
    private readonly IndexSources _sources;
    private readonly List<byte[]> _loaded = []; // keys of documents that the current document has loaded
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

    public BatchWork(IndexBuilder builder, DocumentReadScope documents, IndexBatch batch, CancellationToken stop)
    {
        _builder = builder;
        _documents = documents;
        _batch = batch;
        _stop = stop;
        _isFirst = builder.Progress.IsNone;
        _changesMax = Math.Min(builder.Settings.BatchChangesMax ?? DocumentsMax, DocumentsMax);
        _began = builder.Time.GetTimestamp();
        _groups = builder.Mapping.HasReduce ? new GroupStore(batch.Transaction.Trees) : null;
        _sources = builder.Sources;
        _references = _sources.Loaded.Count > 0 ? new ReferenceStore(batch.Transaction.Trees) : null;
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
            Begin();
        }

        bool isDone = _sources.Mapped.All(ReadChanges) && FollowReferences();
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
            return GroupStore.Failed; // The group has no entry until one of its rows changes.
        }
    }

    // Failures that the definition or the document causes. After any other failure the whole batch is repeated.
    internal static bool IsOfDefinition(Exception failure) => failure
        is MapFailedException or DefinitionStoppedException or NotSupportedException or DocumentFormatException or JsonException;

    // All documents are still to be mapped. They will see the current state of their items and of what they load.
    private void Begin()
    {
        Progress = Progress.WithBegan(_documents.LastEtag);
        if (_sources.Items is { } items)
        {
            Progress = Progress.WithMapped(items, items.LastEtag(_documents));
        }

        foreach (IndexSource source in _sources.Loaded)
        {
            Progress = Progress.WithLoaded(source, source.LastEtag(_documents));
        }
    }

    // False: the batch is full before the end of the source.
    private bool ReadChanges(IndexSource source)
    {
        Etag read = Progress.OfMapped(source);
        SourceCursor cursor = source.OpenChanges(_documents, read);
        bool isFull = false;
        int looked = 0;
        while (!isFull && cursor.MoveNext())
        {
            // Nothing that a collection had when the first batch began was in the index before its turn came: it would have a later etag since.
            bool isNew = source is CollectionSource && cursor.Etag.Value <= Progress.Began.Value;
            if (cursor.IsDeletion)
            {
                RemoveIfGone(cursor.Key, isNew);
                _count++;
            }
            else if (cursor.TryGetDocument(out StoredDocument document) && _sources.Have(document))
            {
                _mapped++;
                _mapErrors += Map(document, isNew) ? 0 : 1;
            }

            read = cursor.Etag;
            isFull = ++looked >= ChangesLookedAtMax || IsFull;
        }

        // At the end everything up to the last change is read, even if the source has no change at all.
        Progress = Progress.WithMapped(source, read);
        return !isFull;
    }

    private void RemoveIfGone(ReadOnlySpan<byte> key, bool wasNeverIn)
    {
        if (wasNeverIn || (_documents.TryGet(key, out StoredDocument document) && _sources.Have(document)))
        {
            return; // Or it lives in another collection of this index.
        }

        Remove(key);
    }

    /// <summary>Whether an index maps a document, which may be archived.</summary>
    internal static bool Takes(ArchivedDataProcessing archived, in StoredDocument document) =>
        archived == ArchivedDataProcessing.IncludeArchived
        || document.Flags.HasFlag(DocumentFlags.Archived) == (archived == ArchivedDataProcessing.ArchivedOnly);

    private void Remove(ReadOnlySpan<byte> key)
    {
        if (_groups is null)
        {
            _batch.Delete(key);
        }

        _groups?.Replace(key, []);
        _references?.Replace(key, []);
    }

    // Returns false when it failed and has no entries.
    private bool Map(in StoredDocument document, bool isNew)
    {
        bool isMapped = true;
        _count++;
        if (!Takes(_builder.Archived, document))
        {
            Remove(document.Key);
            return true;
        }

        _bytes += document.Body.Length;
        DocumentOrigin origin = _builder.Loader.OriginOf(document);
        string key = document.Key.SequenceEqual(document.Id) ? origin.Id : Encoding.UTF8.GetString(document.Key);
        if (!isNew && _groups is null)
        {
            _batch.Delete(document.Key);
        }

        _entry.Reset(document.Key);
        _builder.Filler.Begin();
        _rows.Clear();
        _loaded.Clear();
        try
        {
            int entries = 0;
            if (_sources.Items is { } items)
            {
                AddItems(items, document, origin, key, ref entries);
            }
            else
            {
                AddRows(_builder.Loader.TextOf(document, _builder.Mapping.ReadsKeptMetadata), origin, key, ref entries);
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
                _batch.Delete(document.Key); // the entries that were added before it failed
            }
        }

        _groups?.Replace(document.Key, _rows, isNew);
        _references?.Replace(document.Key, [.. _loaded.Distinct(ByteTextComparer.Instance)]);
        return isMapped;
    }

    private void AddItems(ItemSource source, in StoredDocument document, in DocumentOrigin origin, string key, ref int entries)
    {
        using ItemCursor items = source.OpenItems(_documents, document);
        while (items.MoveNext())
        {
            AddRows(items.Json, origin with { Item = items.Name }, key, ref entries);
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

                // The time that the engine takes for an entry is not the time that the definition takes.
                long before = GC.GetAllocatedBytesForCurrentThread();
                AddRow(key, origin.Id);
                ExecutionBudget.Excuse(GC.GetAllocatedBytesForCurrentThread() - before);
            }
        }
        finally
        {
            if (_builder.Run.References.Count > 0)
            {
                _loaded.AddRange(KeysOf(_builder.Run.References));
            }
        }
    }

    private void AddRow(string key, string id)
    {
        _bytes += EntryBytesMin;
        if (_groups is not null)
        {
            byte[] row = _builder.Run.WriteRow();
            _bytes += row.Length;
            _rows.Add(new MappedRow(KeyHash.Of(Encoding.UTF8.GetBytes(_builder.Run.KeyOf(row))), row));
            return;
        }

        _entry.Reset();
        if (_builder.Filler.Fill(_builder.Run.Current, _entry) || _builder.Mapping.IndexesEmptyEntries || _builder.Settings.IndexesEmptyEntries)
        {
            _entry.AddText(_idField, key);
            if (_builder.HasItemRows)
            {
                _entry.AddStored(_rowField, _builder.Run.Current.ToJson());
            }

            _batch.Add(_entry);
        }

        foreach (string message in _builder.Filler.LeftOut)
        {
            Fail(id, "Map", message); // It does not count: the document is mapped.
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
                keys.Add(reference.IsValue ? ValueSource.LoadedKeyOf(key) : key.ToArray());
            }
        }

        return keys;
    }

    // Returns false when the batch is full before all of them are mapped again.
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

        return _sources.Loaded.All(FollowReferences);
    }

    private bool FollowReferences(IndexSource source)
    {
        SourceCursor cursor = source.OpenChanges(_documents, Progress.OfLoaded(source));
        while (cursor.MoveNext())
        {
            if (!MapLoaders(new PendingReference(source.Key, cursor.Etag, cursor.Key.ToArray(), [])) || IsFull)
            {
                return false;
            }
        }

        return true;
    }

    // Maps all documents again that loaded one, and only then notes that its change was followed. Returns false when the batch is full before that.
    private bool MapLoaders(PendingReference change)
    {
        while (_references!.FindLoaders(change.Loaded, change.After, LoadersMax) is { Count: > 0 } loaders)
        {
            foreach (byte[] loader in loaders)
            {
                if (_documents.TryGet(loader, out StoredDocument document) && _sources.Have(document))
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

        Progress = Progress.WithFollowed(change);
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
            byte[] id = group.Group.ToUtf8();
            _reduced++;
            _batch.Delete(id);
            byte[]? row = group.Row is not null && TryAddGroup(id, reduced, group.Row) ? group.Row : null;
            if (outputs?.Note(group.Group, row) is { } problem)
            {
                Fail(null, "Output", problem);
            }
        }
    }

    private bool TryAddGroup(byte[] id, ReducedRowReader reader, byte[] stored)
    {
        try
        {
            _entry.Reset(id);
            _builder.Filler.Begin();
            _builder.Filler.Fill(reader.Read(stored), _entry);
            _entry.AddStored(_rowField, stored);
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
        if (_failures.Count < FailuresReportedMax)
        {
            _failures.Add(new MappingFailure(document, action, message));
        }
    }
}
