using System.Diagnostics;

namespace Jackdaw.Client.Tests.Harness;

/// <summary>Waits for what nobody signals.</summary>
internal static class Eventually
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(30);

    public static async Task IsSoAsync(Func<Task<bool>> look)
    {
        for (var waited = Stopwatch.StartNew(); !await look();)
        {
            Assert.True(waited.Elapsed < s_limit, "it does not become so");
            await Task.Delay(1);
        }
    }
}
