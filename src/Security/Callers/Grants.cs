using System.Collections.Frozen;
using Jackdaw.Documents.Callers;

namespace Jackdaw.Security.Callers;

/// <summary>A clearance with the permissions for databases that a valid user has: the one place that decides what a caller may do. Immutable.</summary>
internal sealed class Grants
{
    private readonly FrozenDictionary<string, DatabasePermission> _permissions;
    private readonly FrozenDictionary<string, DatabasePermission>.AlternateLookup<ReadOnlySpan<char>> _byName;

    /// <param name="permissions">By the name of the database, as it was given; names are the same in any casing. Only a valid user has some.</param>
    public Grants(Clearance clearance, IEnumerable<KeyValuePair<string, DatabasePermission>> permissions)
    {
        Clearance = clearance;
        _permissions = clearance == Clearance.ValidUser
            ? permissions.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase)
            : FrozenDictionary<string, DatabasePermission>.Empty;
        _byName = clearance == Clearance.ValidUser ? _permissions.GetAlternateLookup<ReadOnlySpan<char>>() : default;
    }

    public Grants(Clearance clearance)
        : this(clearance, [])
    {
    }

    public Clearance Clearance { get; }

    /// <summary>By the name of the database, in the casing in which it was given; empty unless the clearance is that of a valid user.</summary>
    public IReadOnlyDictionary<string, DatabasePermission> Permissions => _permissions;

    /// <summary>Whether they include an access.</summary>
    /// <param name="database">The name of the database in any casing; empty for the whole server.</param>
    public bool Include(Access access, ReadOnlySpan<char> database) => Clearance switch
    {
        Clearance.ClusterNode => true,
        Clearance.ClusterAdmin => access <= Access.ClusterAdmin,
        Clearance.Operator => access <= Access.Operator,
        _ => access <= Access.ValidUser || (_byName.TryGetValue(database, out DatabasePermission permission) && access <= ToAccess(permission)),
    };

    private static Access ToAccess(DatabasePermission permission) => permission switch
    {
        DatabasePermission.Read => Access.Read,
        DatabasePermission.ReadWrite => Access.ReadWrite,
        _ => Access.Admin,
    };
}
