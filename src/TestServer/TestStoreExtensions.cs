using System.Runtime.CompilerServices;
using Jackdaw.Client;

namespace Jackdaw.TestServer;

/// <summary>Methods for tests, of stores that a <see cref="JackdawTestServer"/> made.</summary>
public static class TestStoreExtensions
{
    private static readonly ConditionalWeakTable<IDocumentStore, JackdawTestServer> s_servers = [];

    /// <inheritdoc cref="JackdawTestServer.WaitForIndexingAsync"/>
    /// <param name="store">A store made by <see cref="JackdawTestServer.NewStoreAsync(TestStoreOptions?, CancellationToken)"/>.</param>
    /// <param name="database">Null for the store's own database.</param>
    /// <exception cref="ArgumentException">The store was made by something else, or names no database.</exception>
    public static Task WaitForIndexingAsync(
        this IDocumentStore store, TimeSpan? patience = null, string? database = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(store);
        if (!s_servers.TryGetValue(store, out JackdawTestServer? server))
        {
            throw new ArgumentException(
                "The store was not made by NewStoreAsync of a test server; call WaitForIndexingAsync of the server, with the name of the database.",
                nameof(store));
        }

        string name = database ?? store.Database ?? throw new ArgumentException("The store names no database: give its name.", nameof(database));
        return server.WaitForIndexingAsync(name, patience, cancellationToken);
    }

    internal static void Add(IDocumentStore store, JackdawTestServer server) => s_servers.Add(store, server);
}
