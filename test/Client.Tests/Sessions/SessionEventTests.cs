using System.Text.Json;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>What stores and sessions tell.</summary>
public sealed class SessionEventTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;

    private DocumentStore Store => _fixture.Store;

    public async Task InitializeAsync() => _fixture = await StoreFixture.StartAsync();

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task Events_OfAStore_AreThoseOfItsSessions()
    {
        List<string> told = [];
        Store.OnSessionCreated += (_, args) => told.Add($"created {args.Session.NumberOfRequests}");
        Store.OnSessionDisposing += (sender, args) => told.Add($"disposing {ReferenceEquals(sender, args.Session)}");
        Store.OnBeforeStore += (sender, args) =>
        {
            told.Add($"before store {args.DocumentId} {sender is IAsyncDocumentSession}");
            ((Company)args.Entity).Name += " Ltd";
            args.DocumentMetadata["by"] = "test";
        };
        Store.OnAfterSaveChanges += (_, args) => told.Add($"saved {args.DocumentId} {args.DocumentMetadata.ContainsKey("@change-vector")}");
        Store.OnBeforeDelete += (_, args) => told.Add($"before delete {args.DocumentId} {args.Entity is Company}");
        Store.OnBeforeQuery += (_, args) => told.Add($"query {args.Query.Query}");
        var company = new Company { Name = "Acme" };
        using (IAsyncDocumentSession session = Store.OpenAsyncSession())
        {
            await session.StoreAsync(company, "companies/1");
            Assert.True(session.Advanced.HasChanges);
            await session.SaveChangesAsync();
            Assert.False(session.Advanced.HasChanges);
            await session.Query<Company>().ToListAsync();
            session.Delete(company);
            session.Delete("companies/2");
            await session.SaveChangesAsync();
            session.Dispose();
        }

        Assert.Equal("Acme Ltd", company.Name);
        Assert.Equal(
            [
                "created 0", "before store companies/1 True", "saved companies/1 True", "query from 'Companies'",
                "before delete companies/1 True", "before delete companies/2 False", "disposing True",
            ],
            told);
    }

    [Fact]
    public void Events_OfASession_AreItsOwn()
    {
        int told = 0;
        using IDocumentSession session = Store.OpenSession();
        void Count(object? sender, EventArgs args) => told++;
        session.Advanced.OnBeforeStore += Count;
        session.Advanced.OnAfterSaveChanges += Count;
        session.Store(new Company { Name = "Acme" }, "companies/1");
        session.SaveChanges();
        Assert.Equal(2, told);
        using (IDocumentSession other = Store.OpenSession())
        {
            other.Store(new Company { Name = "Acme" }, "companies/2");
            other.SaveChanges();
        }

        session.Advanced.OnBeforeStore -= Count;
        session.Store(new Company { Name = "Acme" }, "companies/3");
        session.SaveChanges();
        Assert.Equal(3, told);
    }

    [Fact]
    public async Task BeforeStore_ThatThrows_SavesNothing()
    {
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        session.Advanced.OnBeforeStore += (_, _) => throw new InvalidDataException("no");
        await session.StoreAsync(new Company(), "companies/1");
        await Assert.ThrowsAsync<InvalidDataException>(() => session.SaveChangesAsync());
        Assert.True(session.Advanced.HasChanges);
        using IAsyncDocumentSession other = Store.OpenAsyncSession();
        Assert.False(await other.Advanced.ExistsAsync("companies/1"));
    }

    [Fact]
    public async Task BeforeQuery_ChangesHowItRuns()
    {
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        await session.StoreAsync(new Company { Name = "Acme" }, "companies/1");
        await session.SaveChangesAsync();
        session.Advanced.Clear();
        session.Advanced.OnBeforeQuery += (_, args) => args.Query.NoTracking = true;
        Company found = Assert.Single(await session.Query<Company>().ToListAsync());
        Company lazy = Assert.Single(await session.Query<Company>().LazilyAsync().Value);
        Assert.NotSame(found, lazy);
        Assert.False(session.Advanced.IsLoaded("companies/1"));
    }

    [Fact]
    public async Task Conversions_AreSeenAndCanBeReplaced()
    {
        // Names are stored in capitals, and nobody in the program sees that.
        Store.OnAfterConversionToDocument += (_, args) => args.Document = Replaced(args.Document, name => name.ToUpperInvariant());
        Store.OnBeforeConversionToEntity += (_, args) => args.Document = Replaced(args.Document, name => name.ToLowerInvariant());
        List<string> told = [];
        Store.OnBeforeConversionToDocument += (_, args) => told.Add($"to document {args.DocumentId}");
        Store.OnAfterConversionToEntity += (_, args) => told.Add($"to entity {args.DocumentId} {((Company)args.Entity).Name}");
        using (IAsyncDocumentSession session = Store.OpenAsyncSession())
        {
            await session.StoreAsync(new Company { Name = "acme" }, "companies/1");
            await session.SaveChangesAsync();
        }

        using (IAsyncDocumentSession session = Store.OpenAsyncSession())
        {
            Assert.Equal("acme", (await session.LoadAsync<Company>("companies/1"))!.Name);
            Assert.False(session.Advanced.HasChanges);
        }

        Assert.Equal(["to document companies/1", "to entity companies/1 acme", "to document companies/1"], told);
        await using DocumentStore plain = await _fixture.NewStoreAsync();
        using IAsyncDocumentSession reader = plain.OpenAsyncSession();
        Assert.Equal("ACME", (await reader.LoadAsync<Company>("companies/1"))!.Name);
    }

    private static JsonElement Replaced(JsonElement document, Func<string, string> change)
    {
        Dictionary<string, JsonElement> members = document.EnumerateObject().ToDictionary(member => member.Name, member => member.Value);
        members["Name"] = JsonSerializer.SerializeToElement(change(members["Name"].GetString()!));
        return JsonSerializer.SerializeToElement(members);
    }
}
