namespace Jackdaw.Documents.Callers;

/// <summary>The access that a caller needs for an action. Each value includes all values before it, so that two values are compared by their order.</summary>
/// <remarks>Read, ReadWrite and Admin are granted for each database; the values after them hold for all databases.</remarks>
internal enum Access
{
    /// <summary>No access: everybody may do it.</summary>
    Anonymous,

    /// <summary>The server knows the caller, who may open any databases or none.</summary>
    ValidUser,

    /// <summary>Reads of a database: documents, queries, definitions, statistics, notices.</summary>
    Read,

    /// <summary>Changes of the contents of a database, and of indexes that run no C# of their author.</summary>
    ReadWrite,

    /// <summary>Changes of the settings of a database, and of everything in it.</summary>
    Admin,

    /// <summary>Creates, deletes and switches databases, and changes settings of the server.</summary>
    Operator,

    /// <summary>Changes the cluster: its nodes and their certificates.</summary>
    ClusterAdmin,

    /// <summary>Requests that only another node of the cluster sends.</summary>
    Node,
}
