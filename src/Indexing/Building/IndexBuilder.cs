using Jackdaw.Documents.Storage;
using Jackdaw.Indexing.Records;
using Jackdaw.Indexing.Sources;

namespace Jackdaw.Indexing.Building;

/// <summary>Reads changed documents into the storage of one index, a batch at a time. One thread at a time, except for what says "any thread".</summary>
internal abstract class IndexBuilder : IDisposable
{
    /// <summary>What it reads.</summary>
    public abstract IndexSources Sources { get; }

    /// <summary>How far it has read, as far as that is durable. Any thread.</summary>
    public abstract IndexProgress Progress { get; }

    /// <summary>What it has done since the index was created, as far as it is durable. Any thread.</summary>
    public abstract IndexTotals Totals { get; }

    /// <summary>What it has not read yet of a snapshot, for statistics.</summary>
    public List<SourceLag> LagsIn(StoredReadScope read)
    {
        IndexProgress progress = Progress;
        return [.. Sources.Mapped.Select(source => source.LagOf(read, progress.OfMapped(source))).OfType<SourceLag>()];
    }

    /// <summary>Reads one batch. When this returns, the batch is durable and searches see it.</summary>
    /// <param name="stop">Ends the batch early; what was read is written.</param>
    public abstract BatchResult RunBatch(CancellationToken stop);

    /// <summary>Does work that nobody waits for, such as merging, for a short time after a batch. Returns whether there is more of it.</summary>
    /// <param name="isAwaited">Whether somebody waits for the thread: then the work ends as soon as possible.</param>
    public abstract bool Maintain(Func<bool> isAwaited);

    /// <summary>Makes the current failures of the index durable, without reading anything.</summary>
    public abstract void WriteFailures();

    /// <summary>Whether documents that the index makes are still to be written. Any thread.</summary>
    public virtual bool HasPendingOutputs => false;

    /// <summary>Writes some of the documents that the index makes.</summary>
    /// <param name="record">The current record of the index.</param>
    /// <returns>Whether there are more to write.</returns>
    public virtual bool WriteOutputs(IndexRecord record) => false;

    public abstract void Dispose();
}

/// <summary>What a batch did.</summary>
/// <param name="IsMore">There was more to read than fits into a batch.</param>
/// <param name="Documents">Changes that were read.</param>
/// <param name="Failures">The first failures; <paramref name="Counts"/> has the number of all.</param>
/// <param name="Counts">What the batch added to the totals.</param>
internal sealed record BatchResult(bool IsMore, int Documents, IReadOnlyList<MappingFailure> Failures, IndexTotals Counts);

/// <summary>A document that could not be mapped, or a group that could not be reduced.</summary>
/// <param name="DocumentId">Its id; null for a group.</param>
/// <param name="Action">Map or Reduce.</param>
/// <param name="Message">What happened, for the author of the definition.</param>
internal sealed record MappingFailure(string? DocumentId, string Action, string Message);
