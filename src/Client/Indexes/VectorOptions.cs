using Jackdaw.Client.Vectors;

namespace Jackdaw.Client.Indexes;

/// <summary>How the vectors of a field are indexed. A member that is null has the server's default.</summary>
public sealed class VectorOptions
{
    /// <summary>The numbers of each vector; null: as many as the first vector has.</summary>
    public int? Dimensions { get; set; }

    /// <summary>What the vectors of documents are.</summary>
    public EmbeddingType? SourceEmbeddingType { get; set; }

    /// <summary>What the index keeps of them.</summary>
    public EmbeddingType? DestinationEmbeddingType { get; set; }

    /// <summary>Neighbours that each vector is linked to.</summary>
    public int? NumberOfEdges { get; set; }

    /// <summary>Candidates from which the neighbours of a new vector are chosen.</summary>
    public int? NumberOfCandidatesForIndexing { get; set; }

    /// <summary>The share of the nearest ten that a search is to find when it gives no number of candidates, above 0.5 and below 1.</summary>
    public double? TargetRecall { get; set; }
}

/// <summary>Says how the vectors of a field are indexed.</summary>
public sealed class VectorOptionsBuilder
{
    internal VectorOptionsBuilder()
    {
    }

    internal VectorOptions Options { get; } = new();

    /// <summary>What the vectors of documents are. The default is <see cref="EmbeddingType.Single"/>.</summary>
    public VectorOptionsBuilder SourceEmbedding(EmbeddingType type)
    {
        Options.SourceEmbeddingType = type;
        return this;
    }

    /// <summary>What the index keeps of them: fewer bits need less memory, and rank less exactly. The default is what the documents have.</summary>
    public VectorOptionsBuilder DestinationEmbedding(EmbeddingType type)
    {
        Options.DestinationEmbeddingType = type;
        return this;
    }

    /// <summary>The numbers of each vector, 1 to 4,096. By default those of the first vector.</summary>
    public VectorOptionsBuilder Dimensions(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(count);
        Options.Dimensions = count;
        return this;
    }

    /// <summary>Neighbours that each vector is linked to. More make the index larger and searches better.</summary>
    public VectorOptionsBuilder NumberOfEdges(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(count);
        Options.NumberOfEdges = count;
        return this;
    }

    /// <summary>Candidates from which the neighbours of a new vector are chosen. More make indexing slower and searches better.</summary>
    public VectorOptionsBuilder NumberOfCandidates(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(count);
        Options.NumberOfCandidatesForIndexing = count;
        return this;
    }

    /// <summary>The share of the nearest ten that a search is to find when it gives no number of candidates. The default is 0.95.</summary>
    /// <param name="share">Above 0.5 and below 1.</param>
    public VectorOptionsBuilder TargetRecall(double share)
    {
        if (share is not (> 0.5 and < 1))
        {
            throw new ArgumentOutOfRangeException(nameof(share), share, "The target for the recall is above 0.5 and below 1, such as 0.95.");
        }

        Options.TargetRecall = share;
        return this;
    }
}
