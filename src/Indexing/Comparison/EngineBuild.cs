using System.Diagnostics;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Records;

namespace Jackdaw.Indexing.Comparison;

/// <summary>A sample that is indexed by one engine, in files that nobody else knows. One thread.</summary>
internal sealed class EngineBuild : IDisposable
{
    private TimeSpan _wall;
    private TimeSpan? _processor = TimeSpan.Zero;

    /// <param name="index">Has the record; it is never started.</param>
    private EngineBuild(DatabaseIndex index) => Index = index;

    /// <summary>The name of the engine.</summary>
    public string Engine => Index.Record.Engine;

    /// <summary>What queries see of the index besides its files.</summary>
    public DatabaseIndex Index { get; }

    /// <summary>Its files; null if the engine could not open them.</summary>
    public IndexBuilder? Builder { get; private set; }

    /// <summary>Whether there is more of the sample to read.</summary>
    public bool IsMore { get; private set; } = true;

    /// <summary>Why the engine could not go on; null if it could.</summary>
    public string? Failure { get; private set; }

    /// <summary>How long it has worked.</summary>
    public TimeSpan Wall => _wall;

    /// <summary>The processor time of the thread that worked; null where the system does not tell it. Threads of the storage are not counted.</summary>
    public TimeSpan? Processor => _processor;

    /// <summary>Opens files for a build.</summary>
    /// <param name="record">Its folder does not exist yet.</param>
    public static EngineBuild Open(IndexHost host, IIndexFactory factory, IndexRecord record, IReadOnlyList<SampledCollection> documents)
    {
        var index = new DatabaseIndex(host, record, _ => throw new InvalidOperationException("The index of a comparison is not started."));
        var build = new EngineBuild(index);
        build.Try(() => build.Builder = factory.Open(host, record, index.Failures, whole => new SampledMapping(whole, documents)));
        return build;
    }

    /// <summary>Indexes one batch.</summary>
    /// <param name="documents">The snapshot, which is the same for all engines.</param>
    public void Read(DocumentReadScope documents, CancellationToken ended) => Work(() =>
    {
        IsMore = Builder!.RunBatch(documents, ended).IsMore;
        Builder.Maintain(static () => false);
    });

    /// <summary>Does what the engine does when nobody waits for it, such as merging.</summary>
    /// <param name="isOver">Whether there is no time left.</param>
    public void Settle(Func<bool> isOver) => Work(() =>
    {
        while (!isOver() && Builder!.Maintain(isOver))
        {
            // There is more.
        }
    });

    public void Dispose() => Builder?.Dispose();

    private void Work(Action work)
    {
        if (Failure is not null)
        {
            return;
        }

        long began = Stopwatch.GetTimestamp();
        TimeSpan? processor = ThreadTime.Read();
        Try(work);
        _wall += Stopwatch.GetElapsedTime(began);
        _processor += ThreadTime.Read() - processor;
    }

    // An engine that fails says so in the report; it is what somebody wants to know who compares.
    private void Try(Action work)
    {
        try
        {
            work();
        }
        catch (Exception failure) when (failure is not OperationCanceledException)
        {
            (Failure, IsMore) = (failure.Message, false);
        }
    }
}
