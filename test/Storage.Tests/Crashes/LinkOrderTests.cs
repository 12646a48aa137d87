using System.Diagnostics;
using System.Globalization;
using Xunit.Abstractions;

namespace Jackdaw.Storage.Tests.Crashes;

/// <summary>Links, syncs, moves and closes of a branch beside a root that goes on to other journals, in the orders in which their calls of
/// the platform can come, as far as the time goes. Power cuts in between and behind must leave each storage what was acknowledged,
/// together and alone, with either copy of the header.</summary>
/// <remarks>A failure prints its order. To run one again: <c>JACKDAW_ORDER="again: link*3, root*1" dotnet test test/Storage.Tests --filter
/// Order_Chosen</c>. Threads change at calls of the platform and where one waits for another: not between two locks.</remarks>
public sealed class LinkOrderTests(ITestOutputHelper output)
{
    private const int CutEvery = 64;

    private static readonly TimeSpan s_quick = TimeSpan.FromSeconds(0.6);
    private static readonly TimeSpan s_full = TimeSpan.FromMinutes(4);

    public static TheoryData<string> Scenarios => [.. LinkOrderRun.Scenarios];

    [Theory]
    [MemberData(nameof(Scenarios))]
    public void Order_Some_LoseNothing(string scenario) => Search(scenario, delaysMax: 2, seed: 1, s_quick);

    [Theory]
    [Trait("Tier", "Full")]
    [MemberData(nameof(Scenarios))]
    public void Order_Many_LoseNothing(string scenario) => Search(scenario, delaysMax: 3, Environment.TickCount, s_full);

    /// <summary>Orders that failed once: journals chosen outside the write of the header's second copy, and one copy only that says that
    /// recovery begins earlier.</summary>
    [Theory]
    [InlineData("again: sync*3, link*6, root*1, move*1, sync*1, link*2, sync*2")]
    [InlineData("reuse: sync*2, link*6, sync*1, link*1")]
    public void Order_OfAnEarlierFault_LosesNothing(string order) => Repeat(order);

    [Fact]
    public void Order_Chosen_LosesNothing()
    {
        if (Environment.GetEnvironmentVariable("JACKDAW_ORDER") is { } order)
        {
            Repeat(order);
        }
    }

    private void Repeat(string order)
    {
        string[] parts = order.Split(": ");
        Search(parts[0], ScheduleSearch.Parse(parts[1]), s_quick, cutEvery: 1);
    }

    private void Search(string scenario, int delaysMax, int seed, TimeSpan time)
    {
        output.WriteLine($"seed {seed}");
        Search(scenario, new ScheduleSearch(LinkOrderRun.ThreadsOf(scenario), delaysMax, seed), time, CutEvery);
    }

    private void Search(string scenario, ScheduleSearch search, TimeSpan time, int cutEvery)
    {
        long started = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(started) < time && search.TryBegin())
        {
            using var run = new LinkOrderRun(scenario, search.Runs, cutEvery);
            try
            {
                run.Run(search);
            }
            catch (Exception e)
            {
                Assert.Fail($"{scenario}: {search.Taken}\n(order {search.Runs}) {e}");
            }
        }

        output.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"{scenario}: {search.Runs} orders, the last with {search.Delays} delays, {search.Lost} went otherwise than planned, {search.Open} to be tried, " +
            $"{Stopwatch.GetElapsedTime(started).TotalSeconds:0.0} s"));
    }
}
