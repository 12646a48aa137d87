using Jackdaw.Client.Conventions;

namespace Jackdaw.TestServer;

/// <summary>How a store of a test server is made.</summary>
public sealed record TestStoreOptions
{
    /// <summary>Name of the database. Null makes a new database, which is deleted with the store. A named database is created if it is missing, is
    /// shared by all stores that name it, and lives as long as the server.</summary>
    public string? Database { get; init; }

    /// <summary>Whether a new database processes <c>@expires</c>, <c>@refresh</c> and <c>@archive-at</c> of documents. As on any server, this is
    /// off by default.</summary>
    public bool HasExpiration { get; init; }

    /// <summary>Sets conventions, before the store is initialized.</summary>
    public Action<DocumentConventions>? Conventions { get; init; }
}
