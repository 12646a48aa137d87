using System.Diagnostics;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Lucene.Files;
using Jackdaw.Search.Lucene.Merging;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Lucene.Net.Index;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene;

/// <summary>An index that Lucene makes, whose files are stored in the trees of a storage.</summary>
/// <remarks>
/// 1. A commit of Lucene and the caller's own writes beside it are one transaction of the storage.
/// 2. Each state of the storage has the reader of that state attached, so that a search sees entries and the caller's trees of the same transaction.
/// 3. Only <see cref="Maintain"/> merges segments, in bounded transactions of its own, and batches may come between them. An index without unfinished merges
/// runs no thread.
/// </remarks>
internal sealed class LuceneSearchIndex : SearchIndex
{
    /// <summary>The memory, in MB, in which entries of a batch are collected before they become a segment. More memory would make fewer segments per batch, but
    /// batches should stay below 32 MB.</summary>
    private const double WriterMegabytes = 16;

    private readonly StorageEnvironment _storage;
    private readonly StorageDirectory _directory;
    private IndexWriter? _writer; // the thread of the batch
    private SharedReader _reader;
    private MergePace _pace;
    private volatile IndexFields _fields;

    private LuceneSearchIndex(StorageEnvironment storage, IndexFields fields, MergeSizes sizes)
    {
        Merges = new MergeRunner(sizes);
        _storage = storage;
        _fields = fields;
        _directory = new StorageDirectory(storage);
        using ReadTransaction read = storage.BeginRead();
        using PageLease lease = PageLease.Begin(read);
        _reader = new SharedReader(this, _directory.FileCount == 0 ? null : DirectoryReader.Open(_directory));
    }

    public override IndexFields Fields
    {
        get => _fields;
        set => _fields = value;
    }

    internal StorageEnvironment Storage => _storage;

    internal StorageDirectory Directory => _directory;

    internal MergeRunner Merges { get; }

    /// <summary>The number of segments that a search has to read.</summary>
    internal int SegmentCount => _reader.Reader?.Leaves.Count ?? 0;

    /// <inheritdoc cref="LuceneEngine.Open"/>
    public static LuceneSearchIndex Open(StorageEnvironment storage, IndexFields fields) => Open(storage, fields, new MergeSizes());

    public static LuceneSearchIndex Open(StorageEnvironment storage, IndexFields fields, MergeSizes sizes) => new(storage, fields, sizes);

    public override IndexBatch BeginBatch()
    {
        _pace.BatchBegins();
        return new LuceneBatch(this);
    }

    public override Searcher BeginSearch()
    {
        while (true)
        {
            ReadTransaction read = _storage.BeginRead();
            SharedReader reader = read.State.ClientState is SharedReader attached && attached.Owner == this ? attached : Volatile.Read(ref _reader);
            if (reader.TryAcquire())
            {
                return new LuceneSearcher(this, reader, read);
            }

            read.Dispose(); // a batch was committed in between, and its reader is current
        }
    }

    public override bool Maintain(Func<bool> isAwaited)
    {
        TimeSpan due = _pace.TakeTimeToMerge(Merges.Sizes.BehindBatchTimeMax);
        long began = Stopwatch.GetTimestamp();
        bool HasMergedEnough() => Stopwatch.GetElapsedTime(began) >= due;
        bool MustEnd() => isAwaited() && HasMergedEnough();
        bool isMore;
        do
        {
            if (MustEnd())
            {
                return true;
            }

            using var batch = new LuceneBatch(this);
            isMore = batch.Merge(MustEnd);
        }
        while (isMore && !HasMergedEnough());
        return isMore;
    }

    protected override void Dispose(bool isDisposing)
    {
        DropWriter();
        _reader.Release();
        _directory.Dispose();
    }

    /// <summary>The writer; it is made with the first batch, and again after a batch that failed.</summary>
    internal IndexWriter OpenWriter() => _writer ??= new IndexWriter(_directory, new IndexWriterConfig(LuceneVersion.LUCENE_48, new FieldAnalyzers(this))
    {
        RAMBufferSizeMB = WriterMegabytes,
        UseCompoundFile = false,
        UseReaderPooling = true,
        MergeScheduler = new NoMerges(),
        MergePolicy = Merges.NewPolicy(),
    });

    /// <summary>Discards the writer with everything that it has not committed.</summary>
    internal void DropWriter()
    {
        IndexWriter? writer = _writer;
        _writer = null;
        if (writer is null)
        {
            return;
        }

        using WriteTransaction? own = _directory.IsWriting ? null : _storage.BeginWrite();
        if (own is not null)
        {
            _directory.Begin(own);
        }

        using (PageLease.Begin(_directory.Writing))
        {
            Merges.Abort(_directory.Writing);
            writer.Rollback(); // deletes its files that no commit names; this is undone with the transaction
        }

        if (own is not null)
        {
            own.Dispose();
            _directory.RolledBack();
        }
    }

    /// <summary>The reader of everything that the writer has committed; the same reader as before when nothing changed.</summary>
    internal SharedReader OpenReader()
    {
        DirectoryReader? old = _reader.Reader;
        DirectoryReader? changed = old is null ? DirectoryReader.Open(_directory) : DirectoryReader.OpenIfChanged(old);
        return changed is null ? _reader : new SharedReader(this, changed);
    }

    /// <summary>Is called when the transaction with this reader was committed.</summary>
    internal void Replace(SharedReader reader)
    {
        SharedReader old = _reader;
        if (old != reader)
        {
            Volatile.Write(ref _reader, reader);
            old.Release();
        }
    }

    private sealed class NoMerges : MergeScheduler
    {
        public override void Merge(IndexWriter writer, MergeTrigger trigger, bool newMergesFound)
        {
            // Maintain merges.
        }

        protected override void Dispose(bool disposing)
        {
        }
    }
}
