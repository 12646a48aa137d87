using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Operations;

namespace Jackdaw.Client;

/// <summary>Creates databases that a program needs.</summary>
public static class DatabaseCreation
{
    /// <summary>Creates a database if the server does not have it. Several programs may call this at the same time.</summary>
    /// <param name="database">Null: that of the store.</param>
    /// <returns>Whether it was created.</returns>
    public static bool EnsureDatabaseExists(this IDocumentStore store, string? database = null)
    {
        try
        {
            return store.Maintenance.Server.Send(new CreateDatabaseOperation(NameOf(store, database)));
        }
        catch (DatabaseExistsException)
        {
            return false;
        }
    }

    /// <inheritdoc cref="EnsureDatabaseExists"/>
    public static async Task<bool> EnsureDatabaseExistsAsync(this IDocumentStore store, string? database = null, CancellationToken token = default)
    {
        try
        {
            return await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(NameOf(store, database)), token).ConfigureAwait(false);
        }
        catch (DatabaseExistsException)
        {
            return false;
        }
    }

    private static string NameOf(IDocumentStore store, string? database)
    {
        ArgumentNullException.ThrowIfNull(store);
        return database ?? store.Database ?? throw new ArgumentException("The store names no database: give its name.", nameof(database));
    }
}
