namespace Jackdaw.Security.Callers;

/// <summary>What a valid user may do with one database, in the words of the protocol. Each value includes those before it.</summary>
internal enum DatabasePermission
{
    Read,

    ReadWrite,

    Admin,
}
