using Jackdaw.Client.Conventions;

namespace Jackdaw.TestServer;

/// <summary>How a store of a test server is made.</summary>
public sealed record TestStoreOptions
{
    /// <summary>Null: a new database, which is deleted with the store. Otherwise one of this name: made when it is missing, shared by all stores that name
    /// it, and kept as long as the server.</summary>
    public string? Database { get; init; }

    /// <summary>Whether a database that is made does what documents ask for at a time: <c>@expires</c>, <c>@refresh</c>, <c>@archive-at</c>. As on any
    /// server, it does not unless it is told to.</summary>
    public bool HasExpiration { get; init; }

    /// <summary>Sets conventions, before the store is initialized.</summary>
    public Action<DocumentConventions>? Conventions { get; init; }
}
