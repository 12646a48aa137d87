using System.Text.Json;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>Documents that their class cannot hold: the error says which document, which class and where in it.</summary>
public sealed class UnreadableDocumentTests
{
    [Fact]
    public async Task Document_ThatItsClassCannotHold_IsNamedWithThePath()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync();
        using (IAsyncDocumentSession writer = fixture.Store.OpenAsyncSession())
        {
            await writer.StoreAsync(new Dictionary<string, object> { ["Number"] = "many" }, "orders/1");
            await writer.SaveChangesAsync();
        }

        using IAsyncDocumentSession session = fixture.Store.OpenAsyncSession();
        Func<Task>[] reads = [() => session.LoadAsync<Order>("orders/1"), () => session.Advanced.RawQuery<Order>("from @all_docs").ToListAsync()];
        foreach (Func<Task> read in reads)
        {
            JsonException error = await Assert.ThrowsAsync<JsonException>(read);
            Assert.StartsWith("The document 'orders/1' cannot be read as Order.", error.Message, StringComparison.Ordinal);
            Assert.Equal("$.Number", error.Path);
        }
    }
}
