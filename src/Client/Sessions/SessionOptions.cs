namespace Jackdaw.Client.Sessions;

/// <summary>How a session is opened.</summary>
public sealed class SessionOptions
{
    /// <summary>Null: that of the store.</summary>
    public string? Database { get; init; }

    /// <summary>Whether nothing that is loaded is tracked, and nothing can be saved.</summary>
    public bool NoTracking { get; init; }

    /// <summary>Whether no answer comes from a cache.</summary>
    public bool NoCaching { get; init; }

    /// <summary>Whether a save is a transaction of this server, or of the whole cluster.</summary>
    public TransactionMode TransactionMode { get; init; }

    /// <summary>Whether cluster-wide saves do not guard documents. Two saves of the same document then do not notice each other.</summary>
    public bool DisableAtomicDocumentWritesInClusterWideTransaction { get; init; }
}

/// <summary>Where a save is a transaction.</summary>
public enum TransactionMode
{
    /// <summary>On one server.</summary>
    SingleNode,

    /// <summary>In the whole cluster, with guards of the documents: serialisable.</summary>
    ClusterWide,
}
