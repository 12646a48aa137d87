using Jackdaw.Search;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Tests.Additions;

/// <summary>A second search engine for tests of the choice between engines: Lucene under another name, and with faults that tests ask for.</summary>
internal sealed class StandInEngine(string name = "Corax") : SearchEngine
{
    public override string Name => name;

    /// <summary>Decides by its id whether an entry is added; null: all are.</summary>
    public Func<string, bool>? Takes { get; set; }

    /// <summary>Called at the beginning of each batch, on its thread; may wait or throw.</summary>
    public Action? Batching { get; set; }

    /// <summary>Called before each search begins.</summary>
    public Action? Searching { get; set; }

    /// <summary>The storages that it has opened.</summary>
    public int Opened { get; private set; }

    /// <summary>Lucene and a stand-in, as a program with both engines has them.</summary>
    /// <summary>A program that has only the engine of Lucene.</summary>
    public static SearchEngines LuceneAlone { get; } = new(LuceneEngine.Instance);

    public static SearchEngines Both(StandInEngine? own = null) => new(LuceneEngine.Instance, own ?? new StandInEngine());

    public override SearchIndex Open(StorageEnvironment storage, IndexFields fields)
    {
        Opened++;
        return new Index(this, LuceneEngine.Instance.Open(storage, fields));
    }

    public override IReadOnlyList<string> Verify(StorageEnvironment storage) => LuceneEngine.Instance.Verify(storage);

    private sealed class Index(StandInEngine engine, SearchIndex inner) : SearchIndex
    {
        public override IndexFields Fields
        {
            get => inner.Fields;
            set => inner.Fields = value;
        }

        public override IndexBatch BeginBatch()
        {
            engine.Batching?.Invoke();
            return new Batch(engine, inner.BeginBatch());
        }

        public override Searcher BeginSearch()
        {
            engine.Searching?.Invoke();
            return inner.BeginSearch();
        }

        public override bool Maintain(Func<bool> isAwaited) => inner.Maintain(isAwaited);

        protected override void Dispose(bool isDisposing) => inner.Dispose();
    }

    private sealed class Batch(StandInEngine engine, IndexBatch inner) : IndexBatch
    {
        public override WriteTransaction Transaction => inner.Transaction;

        public override void Delete(ReadOnlySpan<byte> id) => inner.Delete(id);

        public override void Add(IndexEntry entry)
        {
            if (engine.Takes is not { } takes || takes(System.Text.Encoding.UTF8.GetString(entry.Id)))
            {
                inner.Add(entry);
            }
        }

        public override void Commit() => inner.Commit();

        protected override void Dispose(bool isDisposing) => inner.Dispose();
    }
}
