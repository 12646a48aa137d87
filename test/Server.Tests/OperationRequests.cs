using System.Text.Json;

namespace Jackdaw.Server.Tests;

/// <summary>Operations in the background.</summary>
internal static class OperationRequests
{
    /// <summary>Waits for the end of an operation. Clients ask for the state again and again: there is nothing else that they could wait for.</summary>
    /// <returns>The last state.</returns>
    public static async Task<JsonElement> EndOfOperationAsync(this ServerFixture server, long id)
    {
        for (int asked = 0; asked < 1_000_000; asked++)
        {
            JsonElement state = (await server.DbAsync("GET", $"/operations/state?id={id}")).Json;
            if (state.GetProperty("Status").GetString() != "InProgress")
            {
                return state;
            }
        }

        throw new TimeoutException($"operation {id} does not end");
    }
}
