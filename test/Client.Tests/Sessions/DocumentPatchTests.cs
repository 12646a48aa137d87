using Jackdaw.Client.Linq;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;
using Jackdaw.Client.Tests.Linq;
using Jackdaw.TestServer;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>Changes of documents that are not loaded, one by one and by a query.</summary>
public sealed class DocumentPatchTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;

    public async Task InitializeAsync()
    {
        _fixture = await StoreFixture.StartAsync();
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        await session.StoreAsync(new List<User>
        {
            new() { Id = "users/1", Name = "Ann", Age = 5, Price = 0.1m, Big = 9007199254740993, Tags = ["a", "b", "a"], Address = new() { City = "Ulm" } },
            new()
            {
                Id = "users/2", Name = "Bob", Age = 7, Tags = ["x"],
                Lines = [new() { Product = "p", Quantity = 1 }, new() { Product = "q", Quantity = 2 }],
            },
            new() { Id = "users/3", Name = "Cleo", Age = 9 },
        });
        await session.SaveChangesAsync();
    }

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task Patch_OfAMemberWithAnyName_ChangesThisMember()
    {
        using (IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession())
        {
            foreach (string key in new[] { "a b", "x.y", "class", "it's", "1", "[0]" })
            {
                session.Advanced.Patches.Set<User, int>("users/1", u => u.Dict[key], 5);
                session.Advanced.Patches.Increment<User, int>("users/1", u => u.Dict[key], 2);
                session.Advanced.Patches.Patch<User>("users/2", patch => patch.Set(u => u.Dict[key], 5).Increment(u => u.Dict[key], 2));
            }

            Assert.Throws<ArgumentException>(() => session.Advanced.Patches.Increment<User, DateTime>("users/1", u => u.CreatedAt, DateTime.UnixEpoch));
            Assert.Throws<ArgumentException>(() => session.Advanced.Patches.Set<User, IEnumerable<string>>("users/1", u => u.Lines.Select(l => l.Product), []));
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession reading = _fixture.Store.OpenAsyncSession();
        foreach (string id in new[] { "users/1", "users/2" })
        {
            User patched = (await reading.LoadAsync<User>(id))!;
            Assert.Equal(6, patched.Dict.Count);
            Assert.All(patched.Dict.Values, value => Assert.Equal(7, value));
        }
    }

    [Fact]
    public async Task Patch_OfAnObjectOfTheSession_ShowsInTheObject()
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        User user = (await session.LoadAsync<User>("users/1"))!;
        session.Advanced.Patches.Increment(user, u => u.Age, 2);
        session.Advanced.Patches.Set(user, u => u.Bio, "patched");
        session.Advanced.Patches.Patch(user, patch => patch.Add(u => u.Tags, "new"));
        session.Advanced.Attachments.Store(user, "a.txt", new MemoryStream([1, 2]));
        await session.SaveChangesAsync();
        Assert.Equal((7, "patched", "new"), (user.Age, user.Bio, user.Tags[^1]));
        Assert.False(session.Advanced.HasChanges);
        using (AttachmentResult? attachment = await session.Advanced.Attachments.GetAsync(user, "a.txt"))
        {
            Assert.Equal(2, attachment!.Size);
        }

        session.Advanced.Attachments.Delete(user, "a.txt");
        await session.SaveChangesAsync();
        Assert.Null(await session.Advanced.Attachments.GetAsync(user, "a.txt"));
        Assert.Throws<InvalidOperationException>(() => session.Advanced.Patches.Increment(new User(), u => u.Age, 2));
        var unsaved = new User();
        await session.StoreAsync(unsaved, "users/");
        Assert.Throws<InvalidOperationException>(() => session.Advanced.Attachments.Delete(unsaved, "a.txt"));
    }

    [Fact]
    public async Task Patch_OfADocument_MakesItsChangesInOrder()
    {
        int limit = 1;
        using (IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession())
        {
            session.Advanced.Patches.Patch<User>("users/1", patch => patch
                .Set(u => u.Address.City, "Bonn").Set(u => u.Bio, u => u.Name + "!").Set(u => u.Level, Level.High)
                .Increment(u => u.Price, 0.2m).Increment(u => u.Big, 2).Increment(u => u.Age, 1)
                .Add(u => u.Tags, "c", "d").Insert(u => u.Tags, 0, "first").Remove(u => u.Tags, "a").RemoveAt(u => u.Tags, 3));
            session.Advanced.Patches.Patch<User>("users/2", patch => patch
                .RemoveAll(u => u.Lines, l => l.Quantity > limit).Add(u => u.Lines, new Linq.Line { Product = "r", Price = 1.10m })
                .Remove(u => u.Tags, "none"));
            session.Advanced.Patches.Increment<User, decimal>("users/3", u => u.Price, 12345678901234567.89m);
            session.Advanced.Patches.Increment<User, decimal>("users/3", u => u.Price, 0.01m);
            session.Advanced.Patches.Increment<User, long>("users/3", u => u.Big, long.MaxValue - 1);
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession reading = _fixture.Store.OpenAsyncSession();
        User first = (await reading.LoadAsync<User>("users/1"))!;
        Assert.Equal(("Bonn", "Ann!", Level.High, 0.3m, 9007199254740995, 6), (first.Address.City, first.Bio, first.Level, first.Price, first.Big, first.Age));
        Assert.Equal(["first", "b", "a", "d"], first.Tags);
        User second = (await reading.LoadAsync<User>("users/2"))!;
        Assert.Equal([("p", 0m), ("r", 1.10m)], second.Lines.Select(l => (l.Product, l.Price)));
        User third = (await reading.LoadAsync<User>("users/3"))!;
        Assert.Equal((12345678901234567.90m, long.MaxValue - 1), (third.Price, third.Big));
    }

    [Fact]
    public void Patch_OfWhatIsNoProperty_IsRefused()
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        SessionPatches patches = session.Advanced.Patches;
        Assert.Throws<InvalidOperationException>(() => patches.Patch<User>("users/1", _ => { }));
        Assert.Contains(
            "u.Id", Assert.Throws<ArgumentException>(() => patches.Patch<User>("users/1", p => p.Set(u => u.Id, "x"))).Message, StringComparison.Ordinal);
        Assert.Contains("Round", Assert.Throws<ArgumentException>(
            () => patches.Patch<User>("users/1", p => p.Set(u => u.Rate, u => Math.Round(u.Rate)))).Message, StringComparison.Ordinal);
        Assert.False(session.Advanced.HasChanges);
    }

    [Fact]
    public async Task ExecuteUpdateAndDelete_ChangeAllThatIsFound()
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        string wanted = "x";
        IQueryable<User> users = session.Query<User>();
        long updated = await users.Where(u => u.Age >= 7 && u.Name!.Contains('O')).ExecuteUpdateAsync(patch => patch
            .Set(u => u.Bio, wanted).Set(u => u.Rate, u => u.Price + 0.1m).Increment(u => u.Age, 10));
        Assert.Equal(2, updated);
        Assert.Equal([5, 17, 19], (await session.Query<User>().OrderBy(u => u.Id).Select(u => u.Age).ToListAsync()));
        Assert.Equal(2, await session.Query<User>().CountAsync(u => u.Bio == "x"));
        Assert.Equal(1, await users.Where(u => u.Age == 17).ExecuteDeleteAsync());
        Assert.Equal(2, await session.Query<User>().CountAsync());
        await Assert.ThrowsAsync<InvalidOperationException>(() => users.Take(1).ExecuteDeleteAsync());
        await Assert.ThrowsAsync<InvalidOperationException>(() => users.Select(u => new User { Name = u.Name }).ExecuteDeleteAsync());
    }

    [Fact]
    public async Task StoreOfMany_PagesIdsAndTimes_AreSimpleToUse()
    {
        await using DocumentStore store = await _fixture.Server.NewStoreAsync(new TestStoreOptions
        {
            Database = "db1",
            Conventions = conventions => conventions.DocumentIdGenerator = entity => entity is Company c ? $"firms/{c.Name}" : null,
        });
        using (var bulk = store.BulkInsert())
        {
            bulk.Store(new Company { Name = "a" });
            await bulk.StoreAsync(new[] { new Company { Name = "b" }, new Company { Name = "c" } });
        }

        using IAsyncDocumentSession session = store.OpenAsyncSession();
        var expiring = new Company { Name = "d" };
        await session.StoreAsync(new[] { expiring });
        var at = new DateTimeOffset(2030, 1, 2, 3, 4, 5, TimeSpan.FromHours(2));
        session.Advanced.GetMetadataFor(expiring).ExpiresAt = at;
        session.Advanced.Attachments.Store("firms/d", "n.txt", new MemoryStream([1, 2, 3]), "text/plain");
        await session.SaveChangesAsync();
        using IAsyncDocumentSession reading = store.OpenAsyncSession();
        Company found = (await reading.LoadAsync<Company>("firms/d"))!;
        Assert.Equal(at, reading.Advanced.GetMetadataFor(found).ExpiresAt);
        AttachmentName attachment = Assert.Single(reading.Advanced.Attachments.GetNames(found));
        Assert.Equal(("n.txt", "text/plain", 3L), (attachment.Name, attachment.ContentType, attachment.Size));
        PagedList<Company> page = await reading.Query<Company>().OrderBy(c => c.Name).ToPagedListAsync(2, 3);
        Assert.Equal(["d"], page.Items.Select(c => c.Name));
        Assert.Equal((2, 4L, 2L, false, true), (page.PageNumber, page.TotalCount, page.PageCount, page.HasNextPage, page.HasPreviousPage));
        IAsyncEnumerable<Company> stream = reading.Query<Company>().Statistics(out QueryStatistics statistics).Where(c => c.Name != "").AsAsyncEnumerable();
        await foreach (Company one in stream)
        {
            Assert.Equal("Auto/Companies/ByName", statistics.IndexName);
        }
    }
}
