namespace Jackdaw.Security.Callers;

/// <summary>What a certificate or a session opens on the whole server, in the words of the protocol.</summary>
internal enum Clearance
{
    /// <summary>Everything, with certificates and nodes.</summary>
    ClusterAdmin,

    /// <summary>Another node: everything that a cluster administrator may do, and what only nodes ask.</summary>
    ClusterNode,

    /// <summary>All databases and the settings of the server, but no certificates and no nodes.</summary>
    Operator,

    /// <summary>Only the databases of the permissions.</summary>
    ValidUser,
}
