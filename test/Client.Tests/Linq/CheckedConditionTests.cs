using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Linq;

/// <summary>Conditions that the documents decide: what an index alone would miss or mistake, with totals and pages.</summary>
public sealed class CheckedConditionTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;

    public async Task InitializeAsync()
    {
        _fixture = await StoreFixture.StartAsync();
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        string filler = string.Concat(Enumerable.Repeat("lorem ipsum ", 2_000));
        for (int i = 0; i < 6; i++)
        {
            await session.StoreAsync(new User
            {
                Id = $"users/{i}",
                Bio = filler + (i % 2 == 0 ? "needle" : "hay"),
                Tags = i < 3 ? ["ab", "cd"] : ["abcd"],
                Lines = [new() { Product = "p", Quantity = i }, new() { Product = "q", Quantity = 9 }],
            });
        }

        await session.SaveChangesAsync();
    }

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task Contains_BehindTheBeginningThatAnIndexKeeps_IsFound()
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        Assert.Equal(3, await session.Query<User>().CountAsync(u => u.Bio!.Contains("NEEDLE")));
        Assert.Equal(3, await session.Query<User>().CountAsync(u => !u.Bio!.Contains("needle")));
        Assert.Equal(0, await session.Query<User>().CountAsync(u => u.Bio!.Contains("NEEDLE", StringComparison.Ordinal)));
        Assert.Equal(4, await session.Query<User>().CountAsync(u => u.Bio!.Contains("needle") || u.Id == "users/1"));
    }

    [Fact]
    public async Task Pages_OfCheckedResults_CountWhatHasPassed()
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        List<User> page = await session.Query<User>().Statistics(out QueryStatistics statistics)
            .Where(u => u.Lines.Any(l => l.Product == "p" && l.Quantity > 1)).OrderBy(u => u.Id).Skip(1).Take(2).ToListAsync();
        Assert.Equal(["users/3", "users/4"], page.Select(u => u.Id));
        Assert.Equal(4, statistics.TotalResults);
        Assert.Equal(6, statistics.ScannedResults); // Each document has a "p", and some quantity above 1.
        Assert.Equal(3, await session.Query<User>().CountAsync(u => u.Tags.Any(t => t.StartsWith("ab") && t.EndsWith("cd"))));
        List<string> streamed = [];
        await foreach (User user in session.Query<User>().Where(u => u.Lines.Any(l => l.Product == "p" && l.Quantity > 4)).AsAsyncEnumerable())
        {
            streamed.Add(user.Id);
        }

        Assert.Equal(["users/5"], streamed);
    }

    [Fact]
    public async Task Alternative_ThatOnlyAnIndexDecides_IsRefusedByName()
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        var refused = await Assert.ThrowsAsync<InvalidQueryException>(
            () => session.Advanced.RawQuery<User>("from Users where search(Bio, 'hay') or any(Lines as l, l.Quantity = 1 and l.Product = 'p')").ToListAsync());
        Assert.Contains("'search' asks the index", refused.Message, StringComparison.Ordinal);
        Assert.Equal(2, (await session.Advanced.RawQuery<User>("from Users where startsWith(id(), 'users/') and contains(Bio, 'hay') and Lines[].Quantity > 2")
            .ToListAsync()).Count(u => u.Lines[0].Quantity > 1));
    }
}
