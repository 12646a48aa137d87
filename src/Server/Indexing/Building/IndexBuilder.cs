namespace Jackdaw.Server.Indexing.Building;

/// <summary>Reads changed documents into the storage of one index, a batch at a time. One thread at a time, but for <see cref="Progress"/>.</summary>
internal abstract class IndexBuilder : IDisposable
{
    /// <summary>Keys of the collections it reads; an empty list stands for all documents.</summary>
    public abstract IReadOnlyList<string> Collections { get; }

    /// <summary>Keys of the collections from which documents are loaded.</summary>
    public abstract IReadOnlyList<string> ReferencedCollections { get; }

    /// <summary>What is durable. Any thread.</summary>
    public abstract IndexProgress Progress { get; }

    /// <summary>Reads one batch; it is durable, and searches see it, when this returns.</summary>
    /// <param name="stop">Ends the batch early; what it has read is written.</param>
    public abstract BatchResult RunBatch(CancellationToken stop);

    public abstract void Dispose();
}

/// <summary>What a batch did.</summary>
/// <param name="IsMore">There was more to read than a batch takes.</param>
/// <param name="Documents">Documents that were mapped.</param>
/// <param name="Failures">What could not be mapped.</param>
internal sealed record BatchResult(bool IsMore, int Documents, IReadOnlyList<MappingFailure> Failures);

/// <summary>A document that could not be mapped, or a group that could not be reduced.</summary>
/// <param name="DocumentId">Its id; null for a group.</param>
/// <param name="Action">Map or Reduce.</param>
/// <param name="Message">What happened, for the author of the definition.</param>
internal sealed record MappingFailure(string? DocumentId, string Action, string Message);
