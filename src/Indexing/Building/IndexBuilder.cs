using Jackdaw.Documents.Storage;
using Jackdaw.Indexing.Records;
using Jackdaw.Indexing.Sources;

namespace Jackdaw.Indexing.Building;

/// <summary>Reads changed documents into the storage of one index, a batch at a time. One thread at a time, but for <see cref="Progress"/>.</summary>
internal abstract class IndexBuilder : IDisposable
{
    /// <summary>What it reads.</summary>
    public abstract IndexSources Sources { get; }

    /// <summary>What is durable. Any thread.</summary>
    public abstract IndexProgress Progress { get; }

    /// <summary>What it has done since the index was created, as far as it is durable. Any thread.</summary>
    public abstract IndexTotals Totals { get; }

    /// <summary>What it has still to read in a snapshot, for statistics.</summary>
    public List<SourceLag> LagsIn(StoredReadScope read)
    {
        IndexProgress progress = Progress;
        return [.. Sources.Mapped.Select(source => source.LagOf(read, progress.OfMapped(source))).OfType<SourceLag>()];
    }

    /// <summary>Reads one batch; it is durable, and searches see it, when this returns.</summary>
    /// <param name="stop">Ends the batch early; what it has read is written.</param>
    public abstract BatchResult RunBatch(CancellationToken stop);

    /// <summary>Does what nobody waits for, such as merging, for a short while behind a batch; true: there is more to do.</summary>
    /// <param name="isAwaited">Whether somebody waits for the thread by now: then it ends as soon as it may.</param>
    public abstract bool Maintain(Func<bool> isAwaited);

    /// <summary>Makes durable what the failures of the index are now, without reading anything.</summary>
    public abstract void WriteFailures();

    /// <summary>Whether documents that the index makes are not yet what they have to be. Any thread.</summary>
    public virtual bool HasPendingOutputs => false;

    /// <summary>Writes documents that the index makes, some of them.</summary>
    /// <param name="record">Of the index, as it is now.</param>
    /// <returns>Whether there are more.</returns>
    public virtual bool WriteOutputs(IndexRecord record) => false;

    public abstract void Dispose();
}

/// <summary>What a batch did.</summary>
/// <param name="IsMore">There was more to read than a batch takes.</param>
/// <param name="Documents">Changes that were read.</param>
/// <param name="Failures">The first failures; <paramref name="Counts"/> has the number of all.</param>
/// <param name="Counts">What the batch added to the totals.</param>
internal sealed record BatchResult(bool IsMore, int Documents, IReadOnlyList<MappingFailure> Failures, IndexTotals Counts);

/// <summary>A document that could not be mapped, or a group that could not be reduced.</summary>
/// <param name="DocumentId">Its id; null for a group.</param>
/// <param name="Action">Map or Reduce.</param>
/// <param name="Message">What happened, for the author of the definition.</param>
internal sealed record MappingFailure(string? DocumentId, string Action, string Message);
