using Jackdaw.Client.Conventions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Operations.Indexes;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>The convention on queries whose index is behind.</summary>
public sealed class StaleQueryTests
{
    [Theory]
    [InlineData(StaleQueryMode.Answer)]
    [InlineData(StaleQueryMode.WaitOrThrow)]
    public async Task Query_OfAnIndexThatIsBehind_DoesWhatTheConventionsSay(StaleQueryMode mode)
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync(conventions => conventions.StaleQueries = mode);
        using (IAsyncDocumentSession session = fixture.Store.OpenAsyncSession())
        {
            await session.StoreAsync(new Job { Number = 1 }, "jobs/1");
            await session.SaveChangesAsync();
            Assert.Equal(1, await session.Query<Job>().CountAsync(job => job.Number == 1));
        }

        await fixture.Store.Maintenance.SendAsync(new StopIndexingOperation());
        using (IAsyncDocumentSession session = fixture.Store.OpenAsyncSession())
        {
            await session.StoreAsync(new Job { Number = 1 }, "jobs/2");
            await session.SaveChangesAsync();
        }

        foreach (Func<IQueryable<Job>, Task<int>> ask in new Func<IQueryable<Job>, Task<int>>[]
        {
            async query => (await query.ToListAsync()).Count, query => query.CountAsync(), async query => (int)await query.SumAsync(job => job.Number),
            async query => await query.AsAsyncEnumerable().CountAsync(),
        })
        {
            using IAsyncDocumentSession session = fixture.Store.OpenAsyncSession();
            IQueryable<Job> query = session.Query<Job>().Where(job => job.Number == 1);
            if (mode == StaleQueryMode.WaitOrThrow)
            {
                query = query.Customize(query => query.WaitForNonStaleResults(TimeSpan.FromMilliseconds(50)));
                StaleResultsException stale = await Assert.ThrowsAsync<StaleResultsException>(() => ask(query));
                Assert.Contains("Auto/Jobs", stale.Message, StringComparison.Ordinal);
                Assert.True(stale.IsTransient);
            }
            else
            {
                Assert.Equal(1, await ask(query));
            }
        }
    }

    [Fact]
    public async Task Query_ThatWaitsByConvention_SeesWhatOthersHaveJustWritten()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync(conventions => conventions.StaleQueries = StaleQueryMode.Wait);
        for (int i = 1; i <= 20; i++)
        {
            using (IAsyncDocumentSession writer = fixture.Store.OpenAsyncSession())
            {
                await writer.StoreAsync(new Job { Number = 1 });
                await writer.SaveChangesAsync();
            }

            using IAsyncDocumentSession reader = fixture.Store.OpenAsyncSession();
            Assert.Equal(i, await reader.Query<Job>().CountAsync(job => job.Number == 1));
            Assert.Equal(i, await reader.Query<Job>().Where(job => job.Number == 1).AsAsyncEnumerable().CountAsync());
        }
    }

    [Fact]
    public async Task RawQuery_HasTheEndsOfOtherQueries()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync();
        using IAsyncDocumentSession session = fixture.Store.OpenAsyncSession();
        await session.StoreAsync(new Job { Number = 1 }, "jobs/1");
        await session.StoreAsync(new Job { Number = 2 }, "jobs/2");
        await session.SaveChangesAsync();
        RawQuery<Job> all = session.Advanced.RawQuery<Job>("from Jobs order by Number as long");
        RawQuery<Job> second = session.Advanced.RawQuery<Job>("from Jobs where Number = $number").AddParameter("number", 2);
        RawQuery<Job> none = session.Advanced.RawQuery<Job>("from Jobs where Number = 7");
        Assert.Equal((1, 2, true, false), ((await all.FirstAsync()).Number, (await second.SingleAsync()).Number, await all.AnyAsync(), await none.AnyAsync()));
        Assert.Equal((2L, 0L), (await session.Advanced.RawQuery<Job>("from Jobs limit 0").CountAsync(), await none.CountAsync()));
        Assert.Null(await none.SingleOrDefaultAsync());
        await Assert.ThrowsAsync<InvalidOperationException>(() => none.FirstAsync());
        await Assert.ThrowsAsync<InvalidOperationException>(() => all.SingleAsync());
        Lazy<Task<List<Job>>> pending = second.LazilyAsync();
        second.AddParameter("number", 1);
        Assert.Equal(2, (await pending.Value)[0].Number);
    }

    public sealed class Job
    {
        public string? Id { get; set; }

        public int Number { get; set; }
    }
}
