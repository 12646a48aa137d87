using Jackdaw.Client.Exceptions;
using Microsoft.Extensions.Hosting;

namespace Jackdaw.Client.AspNetCore;

/// <summary>Creates the database and the indexes of a store when the program starts.</summary>
internal sealed class StoreCreation(Func<IDocumentStore> store, Func<JackdawOptions> options) : IHostedService
{
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        JackdawOptions wanted = options();
        if (!wanted.CreateDatabase && wanted.Indexes.Count == 0)
        {
            return; // A store that nobody asks for is not made.
        }

        IDocumentStore created = store();
        if (wanted.CreateDatabase)
        {
            await created.EnsureDatabaseExistsAsync(token: cancellationToken).ConfigureAwait(false);
        }

        try
        {
            await created.ExecuteIndexesAsync(wanted.Indexes, token: cancellationToken).ConfigureAwait(false);
        }
        catch (DatabaseDoesNotExistException missing)
        {
            throw new InvalidOperationException($"{missing.Message} Or set CreateDatabase in the options of AddJackdaw.", missing);
        }
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
