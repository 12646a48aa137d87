using Jackdaw.Scripting.Caching;
using Xunit.Abstractions;

namespace Jackdaw.Documents.Tests.Models;

/// <summary>Random batches over all kinds of commands together, reopens and snapshots, against a plain model.</summary>
public sealed class TogetherModelTests(ITestOutputHelper output)
{
    internal static string[] KindsOfCommands { get; } =
    [
        "PUT", "PUT numbered", "PUT identity", "DELETE", "DELETE IdPrefixed", "PATCH", "PATCH put", "PATCH del", "PATCH load", "PATCH incrementCounter",
        "PATCH deleteCounter", "PATCH unarchive", "PATCH cmpxchg", "BatchPATCH", "JsonPatch", "AttachmentPUT", "AttachmentCOPY", "AttachmentMOVE",
        "AttachmentDELETE", "Counters Increment", "Counters Delete", "Counters Get", "ForceRevisionCreation", "ClusterPUT", "ClusterDELETE",
        "CompareExchangePUT", "CompareExchangeDELETE",
    ];

    private static readonly string[] s_kinds =
        [.. KindsOfCommands, "refused", "configuration", "revert", "purge", "due", "trim", "reopen", "snapshot"];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(1022)]
    public Task RandomBatches_OfAllKinds_AreTheSame(int seed) => RunAsync(seed, 1, 1_000, 1);

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData(1000)]
    public Task ManyRandomBatches_OfAllKinds_AreTheSame(int firstSeed) => RunAsync(firstSeed, 100, 2_000, 100);

    private async Task RunAsync(int firstSeed, int seeds, int commandsEach, int timesAtLeast)
    {
        using var scripts = new QueryScripts();
        var done = new Dictionary<string, int>();
        int commands = 0;
        for (int seed = firstSeed; seed < firstSeed + seeds; seed++)
        {
            await using var run = new TogetherRun(seed, scripts);
            await run.RunAsync(commandsEach);
            commands += run.Commands;
            foreach ((string kind, int count) in run.Done)
            {
                done[kind] = done.GetValueOrDefault(kind) + count;
            }
        }

        output.WriteLine($"{commands} commands over {seeds} seeds from {firstSeed}: {string.Join(", ", done.OrderBy(one => one.Key))}");
        Assert.True(commands >= seeds * commandsEach, $"only {commands} commands");
        Assert.All(s_kinds, kind => Assert.True(done.GetValueOrDefault(kind) >= timesAtLeast, $"{kind} succeeded only {done.GetValueOrDefault(kind)} times"));
    }
}
