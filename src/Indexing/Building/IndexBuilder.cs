using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Mapping;
using Jackdaw.Indexing.Outputs;
using Jackdaw.Indexing.Records;
using Jackdaw.Indexing.Settings;
using Jackdaw.Indexing.Sources;
using Jackdaw.Search;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Vectors;
using Jackdaw.Search.Vectors.Answers;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Reports;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Indexing.Building;

/// <summary>Builds an index: reads changed documents, maps them, and writes their entries to the index's storage.</summary>
/// <remarks>
/// A batch, step by step:
/// 1. a snapshot of the documents, and a transaction of the index's storage;
/// 2. changes of each source that is mapped, in the order of their etags: entries of a changed document are replaced, and those of a deleted
///    document are removed; when a counter changed, all entries of its document are replaced;
/// 3. changes of each source that is loaded from: the documents that loaded what changed are mapped again;
/// 4. touched groups are reduced again;
/// 5. the progress is written, and everything is committed at once.
/// A document that moved between two collections of the index leaves a tombstone in the old one. So a tombstone counts only if no
/// collection of the index has the document.
/// </remarks>
internal sealed class IndexBuilder : IDisposable
{
    private readonly DocumentDatabase _database;
    private readonly StorageEnvironment _storage;
    private readonly IndexMapping _mapping;
    private readonly SnapshotLoader _loader;
    private readonly MappingRun _run;
    private readonly EntryFiller _filler;
    private readonly IndexFailures _failures;
    private readonly ComputedFields _computed;
    private bool _hasCaughtUp;
    private volatile IndexProgress _progress;
    private volatile IndexTotals _totals;
    private volatile KnownRepeats? _repeats; // of the state that was asked about last

    /// <param name="storage">Of the index; disposed with the builder, as are the next two.</param>
    /// <param name="failures">Gets those that the storage has; the builder writes them.</param>
    public IndexBuilder(
        DocumentDatabase database,
        StorageEnvironment storage,
        VectorSearchIndex index,
        IndexMapping mapping,
        ComputedFields fields,
        IndexingSettings settings,
        IndexFailures failures)
    {
        _failures = failures;
        _database = database;
        _storage = storage;
        Index = index;
        _mapping = mapping;
        _loader = new SnapshotLoader(database);
        _run = mapping.BeginRun(_loader);
        _computed = fields;
        _filler = new EntryFiller(fields, settings, index.DimensionsOf, mapping.LeavesOutValues);
        Settings = settings;
        index.Defaults = new VectorDefaults(settings.VectorCandidates, settings.VectorMinimumSimilarity);
        ReadComputedFields();
        using ReadTransaction read = storage.BeginRead();
        _progress = ReadProgress(read.Trees, mapping.Sources);
        _totals = IndexTotals.Read(ReadState(read.Trees, TotalsKey));
        FailureStore.Load(read.Trees, failures);
        IsAheadOfDocuments = IsAhead(database, _progress);
        BTree? state = read.Trees.FindTree(StateTree);
        HasItemRows = mapping.Sources.Items is not null && !mapping.HasReduce && EntryRules.HaveRowsOfItems(state);
        IsOutgrown = EntryRules.AreOutdated(state) || EntryRules.HaveOtherAnalyzers(state, index.Fields);
    }

    /// <summary>Whether the index had read further than the documents reach when it was opened. Queries may not take it for current.</summary>
    public bool IsAheadOfDocuments { get; }

    /// <summary>Whether its entries would be other ones today, by other rules or by analyzers with another code.</summary>
    public bool IsOutgrown { get; }

    /// <summary>Its entries and their vectors.</summary>
    public VectorSearchIndex Index { get; }

    /// <summary>Reads documents for the mapping.</summary>
    public SnapshotLoader Loader => _loader;

    public IndexFields Fields => Index.Fields;

    /// <summary>What it reads.</summary>
    public IndexSources Sources => _mapping.Sources;

    /// <summary>How far it has read, as far as that is durable. Any thread.</summary>
    public IndexProgress Progress => _progress;

    /// <summary>What it has done since the index was created, as far as it is durable. Any thread.</summary>
    public IndexTotals Totals => _totals;

    /// <summary>Whether documents that the index makes are still to be written. Any thread.</summary>
    public bool HasPendingOutputs => Outputs is { IsPending: true };

    /// <summary>Fields that the definition names.</summary>
    public IReadOnlyList<string> KnownFields => _mapping.Fields;

    /// <summary>Whether entries may have a field.</summary>
    public bool MayHaveField(string name) => _mapping.HasComputedFields || _mapping.Fields.Contains(name, StringComparer.Ordinal);

    /// <summary>Entries there are.</summary>
    public long CountEntries()
    {
        using Searcher searcher = Index.BeginSearch();
        return searcher.EntryCount;
    }

    /// <summary>What is known of the graphs of its fields of vectors.</summary>
    public IReadOnlyList<VectorFieldState> ReadVectorFields()
    {
        using Searcher searcher = Index.BeginSearch();
        return Index.ReadStates(searcher.Transaction);
    }

    /// <summary>Whether its entries are rows of groups.</summary>
    public bool HasReduce => _mapping.HasReduce;

    /// <summary>Whether its entries are rows of items of documents, such as counters. Then queries answer with the rows and not with the documents.</summary>
    public bool HasItemRows { get; }

    /// <summary>Whether a document has several entries, or had once.</summary>
    /// <param name="searcher">Of the state that is asked about.</param>
    public bool HasRepeats(Searcher searcher)
    {
        if (HasReduce)
        {
            return false;
        }

        long transaction = searcher.Transaction.TransactionId;
        if (_repeats is not { } known || known.Transaction != transaction)
        {
            IndexTotals totals = IndexTotals.Read(ReadState(searcher.Transaction.Trees, TotalsKey));
            _repeats = known = new KnownRepeats(transaction, totals.OutputsMax > 1);
        }

        return known.HasRepeats;
    }

    /// <summary>Bytes of its files.</summary>
    public long SizeBytes => _storage.FileBytes;

    /// <summary>Bytes of the pages that hold something.</summary>
    public long UsedBytes
    {
        get
        {
            var contents = StorageContents.Read(_storage, treesMax: 1);
            return (contents.Pages - contents.FreePages) * Page.Size;
        }
    }

    /// <summary>Bytes that it wrote since it was opened.</summary>
    public WrittenBytes Written => new(_storage.Statistics.Sum.StoredBytes, _storage.FlushTotal.Bytes);

    /// <summary>What it has not read yet of a snapshot, for statistics.</summary>
    public List<SourceLag> LagsIn(DocumentReadScope read)
    {
        IndexProgress progress = Progress;
        return [.. Sources.Mapped.Select(source => source.LagOf(read, progress.OfMapped(source))).OfType<SourceLag>()];
    }

    /// <summary>Reads one batch. When this returns, the batch is durable and searches see it.</summary>
    /// <param name="stop">Ends the batch early; what was read is written.</param>
    public BatchResult RunBatch(CancellationToken stop)
    {
        using DocumentReadScope documents = _database.BeginRead(ReaderKind.Index);
        if (_progress.MissesDeletions(documents.TrimmedEtag))
        {
            throw new IndexOutdatedException("Deletions that the index has not read were forgotten.");
        }

        if (IsAheadOfDocuments)
        {
            throw new IndexOutdatedException("The index has read further than its documents reach, as after the documents were restored.");
        }

        if (FindForgotten(documents) is { } forgotten)
        {
            throw new IndexOutdatedException($"Deletions of {forgotten.Description} that the index has not read were forgotten.");
        }

        return RunBatch(documents, stop);
    }

    /// <summary>Reads one batch of a snapshot, even if deletions were forgotten that it should have read.</summary>
    /// <param name="documents">The snapshot.</param>
    /// <param name="stop">Ends the batch early; what was read is written.</param>
    public BatchResult RunBatch(DocumentReadScope documents, CancellationToken stop)
    {
        if (!HasWork(documents))
        {
            return PassBy(documents);
        }

        _loader.Snapshot = documents;
        try
        {
            using IndexBatch batch = Index.BeginBatch();
            var work = new BatchWork(this, documents, batch, stop);
            BatchResult result = work.Run(_progress);
            foreach (MappingFailure failure in result.Failures)
            {
                _failures.Add(Time.GetUtcNow(), failure);
            }

            ComputedFieldTable.Write(batch.Transaction.Trees, _computed.Changed);
            WriteState(batch.Transaction.Trees, work.Progress, result.Counts, batch.Commit);
            _computed.Saved();
            _hasCaughtUp = !result.IsMore;
            Outputs?.NoteBatch();
            return result;
        }
        catch when (_computed.Changed.Any())
        {
            ReadComputedFields();
            throw;
        }
        finally
        {
            _loader.Snapshot = null;
        }
    }

    /// <summary>Does work that nobody waits for, such as merging, for a short time after a batch. Returns whether there is more of it.</summary>
    /// <param name="isAwaited">Whether somebody waits for the thread: then the work ends as soon as possible.</param>
    public bool Maintain(Func<bool> isAwaited) => Index.Maintain(isAwaited);

    /// <summary>Makes the current failures of the index durable, without reading anything.</summary>
    public void WriteFailures()
    {
        using WriteTransaction write = _storage.BeginWrite();
        WriteState(write.Trees, _progress, IndexTotals.None, write.Commit);
    }

    /// <summary>Writes some of the documents that the index makes.</summary>
    /// <param name="record">The current record of the index.</param>
    /// <returns>Whether there are more to write.</returns>
    public bool WriteOutputs(IndexRecord record) => Outputs is not null && Outputs.Step(record, _hasCaughtUp);

    public void Dispose()
    {
        Outputs?.Dispose();
        _run.Dispose();
        _mapping.Dispose();
        Index.Dispose();
        _storage.Dispose();
    }

    internal MappingRun Run => _run;

    internal IndexingSettings Settings { get; }

    /// <summary>Name of the engine that writes the index.</summary>
    internal required string Engine { get; init; }

    internal TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>Whether the index has archived documents, others, or both.</summary>
    internal ArchivedDataProcessing Archived { get; init; }

    /// <summary>Null when its groups do not become documents.</summary>
    internal OutputWriter? Outputs { get; init; }

    internal EntryFiller Filler => _filler;

    internal IndexMapping Mapping => _mapping;

    internal StorageEnvironment Storage => _storage;

    // Immutable, so that threads replace it as a whole.
    private sealed record KnownRepeats(long Transaction, bool HasRepeats);

    private void ReadComputedFields()
    {
        using Searcher searcher = Index.BeginSearch();
        _computed.Reset(
            ComputedFieldTable.Read(searcher.Transaction.Trees), _mapping.HasComputedFields ? searcher.ListIndexedFields() : []);
    }

    private bool HasWork(DocumentReadScope documents) =>
        _progress.PendingReference is not null
        || Sources.Mapped.Any(source => source.LastEtag(documents).Value > _progress.OfMapped(source).Value)
        || Sources.Loaded.Any(source => source.LastEtag(documents).Value > _progress.OfLoaded(source).Value);

    // A source that does not have all changes any more that the index has still to read.
    private static bool IsAhead(DocumentDatabase database, IndexProgress progress)
    {
        using DocumentReadScope documents = database.BeginRead(ReaderKind.Index);
        return progress.Last.Value > documents.LastEtag.Value;
    }

    private IndexSource? FindForgotten(DocumentReadScope documents) => _progress.IsNone ? null
        : Sources.Mapped.FirstOrDefault(source => source.ForgottenEtag(documents).Value > _progress.OfMapped(source).Value)
            ?? Sources.Loaded.FirstOrDefault(source => source.ForgottenEtag(documents).Value > _progress.OfLoaded(source).Value);

    // Nothing to read. This is noted from time to time, so that tombstones of other collections can be removed.
    private BatchResult PassBy(DocumentReadScope documents)
    {
        if (documents.LastEtag.Value - _progress.Passed.Value >= PassedLagMax
            || (_progress.IsNone && documents.LastEtag != Etag.None)
            || _failures.IsUnwritten)
        {
            using WriteTransaction write = _storage.BeginWrite();
            WriteState(write.Trees, _progress.WithPassed(documents.LastEtag), IndexTotals.None, write.Commit);
        }

        _hasCaughtUp = true;
        return new BatchResult(false, 0, [], IndexTotals.None);
    }

    /// <summary>Etags of other collections that may be written before the index notes that it has passed them: a note is a transaction.</summary>
    private const long PassedLagMax = 1000;

    internal static ReadOnlySpan<byte> StateTree => "index state"u8;

    internal static ReadOnlySpan<byte> ProgressKey => "progress"u8;

    private static ReadOnlySpan<byte> TotalsKey => "totals"u8;

    private static IndexProgress ReadProgress(TreeCatalog trees, IndexSources sources) => IndexProgress.Read(ReadState(trees, ProgressKey), sources);

    private static ReadOnlySpan<byte> ReadState(TreeCatalog trees, ReadOnlySpan<byte> key) =>
        trees.FindTree(StateTree) is { } state && state.TryGet(key, out ReadOnlySpan<byte> stored) ? stored : default;

    // Everything that belongs to one transaction beside entries and rows.
    private void WriteState(TreeCatalog trees, IndexProgress progress, IndexTotals counts, Action commit)
    {
        FailureChanges failures = _failures.TakeUnwritten();
        IndexTotals totals = _totals.Plus(counts);
        totals = failures.ForgetsRate ? totals with { RatedAttempts = 0, RatedErrors = 0 } : totals;
        BTree state = trees.CreateTree(StateTree);
        WritingEngine.WriteName(state, Engine);
        if (!IsOutgrown)
        {
            EntryRules.WriteVersion(state, Fields);
        }

        state.Put(ProgressKey, progress.ToBytes());
        state.Put(TotalsKey, totals.ToBytes());
        FailureStore.Write(trees, failures);
        commit();
        _progress = progress;
        _totals = totals;
        _failures.NoteWritten(failures);
    }
}

/// <summary>The index does not fit the documents any more, and has to be built again.</summary>
internal sealed class IndexOutdatedException(string message) : Exception(message);
