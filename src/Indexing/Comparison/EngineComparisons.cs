using System.Diagnostics;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;
using Jackdaw.Indexing.Sources;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Indexing.Comparison;

/// <summary>Builds one definition over the same documents with each search engine, so that somebody can compare them. Any thread; one comparison of a
/// database at a time.</summary>
/// <remarks>The files are branches of the storage of the documents, as those of any index, so that they cost what an index costs. They lie in folders of
/// indexes that no record names: such folders are deleted when the database is opened, also after a crash.</remarks>
internal sealed class EngineComparisons(IndexHost host, IIndexFactory factory)
{
    /// <summary>Documents of a sample that does not say.</summary>
    public const int SampleDefault = 10_000;

    /// <summary>The most documents of a sample: they take seconds with each engine, and some hundred megabytes.</summary>
    public const int SampleMax = 100_000;

    /// <summary>The bytes of files after which a sample is cut: somebody waits, and the disk is that of the documents.</summary>
    private const long FileBytesMax = 1L << 30;

    private readonly SemaphoreSlim _one = new(1); // held while a comparison runs

    /// <summary>How long all engines together read; then the sample is cut, at the same document for all of them. Tests make it shorter.</summary>
    public TimeSpan TimeMax { get; set; } = TimeSpan.FromSeconds(60);

    /// <summary>Builds a definition with all engines, and deletes the files afterwards.</summary>
    /// <param name="definition">Checked. Which engine it names makes no difference, and its outputs are not written.</param>
    /// <param name="sources">The collections that it reads.</param>
    /// <param name="wanted">The most documents, of all collections together.</param>
    /// <param name="use">What is done with the builds, on the thread that made them.</param>
    /// <param name="ended">Ends it between two batches.</param>
    /// <exception cref="IndexException">Another comparison runs, or the database is being closed.</exception>
    public async Task RunAsync(
        IndexDefinition definition, IReadOnlyList<CollectionSource> sources, int wanted, Action<EngineSample, CancellationToken> use, CancellationToken ended)
    {
        if (!await _one.WaitAsync(TimeSpan.Zero, CancellationToken.None).ConfigureAwait(false))
        {
            throw new IndexException(IndexFault.NotNow, "Engines are being compared in this database; try again when that has ended.");
        }

        try
        {
            using var either = CancellationTokenSource.CreateLinkedTokenSource(ended, host.Closing);
            CancellationToken token = either.Token;

            // A thread of its own, because it works for up to minutes, and its processor time is measured.
            await Task.Factory.StartNew(
                () => Run(RecordsOf(definition), sources, wanted, use, token),
                CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default).ConfigureAwait(false);
        }
        finally
        {
            _one.Release();
        }
    }

    /// <summary>Waits for the running comparison, after which no other begins. The database has begun to close, which ends it soon.</summary>
    public Task EndAsync() => _one.WaitAsync(CancellationToken.None);

    private IndexRecord[] RecordsOf(IndexDefinition definition)
    {
        IndexRecord record = IndexDefinitions.ToRecord(
            definition with { OutputReduceToCollection = null, PatternForOutputReduceToCollectionReferences = null, PatternReferencesCollectionName = null },
            host.Time.GetUtcNow());
        return [.. factory.Engines.Names.Select(engine => record with
        {
            Engine = engine,
            Folder = IndexFolders.NewFor($"{engine} compared {record.Name}"),
        })];
    }

    private void Run(
        IndexRecord[] records, IReadOnlyList<CollectionSource> sources, int wanted, Action<EngineSample, CancellationToken> use, CancellationToken ended)
    {
        ended.ThrowIfCancellationRequested();
        List<EngineBuild> builds = [];
        try
        {
            IReadOnlyList<SampledCollection> documents = TakeSample(sources, wanted, ended);
            foreach (IndexRecord record in records)
            {
                builds.Add(EngineBuild.Open(host, factory, record, documents));
            }

            use(new EngineSample(builds, Build(builds, ended)), ended);
        }
        finally
        {
            builds.ForEach(build => build.Dispose());
            var folders = new IndexFolders(host);
            Array.ForEach(records, record => folders.Delete(record.Folder));
        }
    }

    private List<SampledCollection> TakeSample(IReadOnlyList<CollectionSource> sources, int wanted, CancellationToken ended)
    {
        using DocumentReadScope read = host.Database.BeginRead(ReaderKind.Index);
        return [.. sources.Select((source, i) =>
            SampledCollection.Take(read, source, (wanted / sources.Count) + (i < wanted % sources.Count ? 1 : 0), ended))];
    }

    // In rounds of one batch of each engine over the same snapshot: no engine sees a document that the others do not see.
    private string? Build(List<EngineBuild> builds, CancellationToken ended)
    {
        long began = Stopwatch.GetTimestamp();
        bool IsLate() => ended.IsCancellationRequested || Stopwatch.GetElapsedTime(began) > TimeMax;
        string? cut = null;
        while (cut is null && builds.Exists(build => build.IsMore))
        {
            using (DocumentReadScope documents = host.Database.BeginRead(ReaderKind.Index))
            {
                builds.Where(build => build.IsMore).ToList().ForEach(build => build.Read(documents, ended));
            }

            ended.ThrowIfCancellationRequested();
            builds.Reverse(); // the next round begins with the other one, which finds the documents in memory then
            cut = !builds.Exists(build => build.IsMore) ? null
                : IsLate() ? $"reading took longer than {TimeMax.TotalSeconds} s"
                : builds.Exists(build => build.Builder?.SizeBytes > FileBytesMax) ? $"the files are larger than {FileBytesMax >> 20} MB"
                : null;
        }

        builds.ForEach(build => build.Settle(IsLate));
        ended.ThrowIfCancellationRequested();
        builds.Sort((left, right) => string.CompareOrdinal(left.Engine, right.Engine));
        return cut;
    }
}

/// <summary>The builds of one sample.</summary>
/// <param name="Builds">One for each engine, ordered by name.</param>
/// <param name="Cut">Why not all documents were read that were wanted; null if they were.</param>
internal sealed record EngineSample(IReadOnlyList<EngineBuild> Builds, string? Cut);
