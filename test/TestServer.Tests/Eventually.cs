using System.Diagnostics;

namespace Jackdaw.TestServer.Tests;

/// <summary>Waits for what nobody signals.</summary>
internal static class Eventually
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    /// <param name="look">Null: it is so; otherwise what is there instead.</param>
    public static async Task IsAsync(Func<Task<string?>> look)
    {
        long began = Stopwatch.GetTimestamp();
        while (await look() is { } problem)
        {
            Assert.True(Stopwatch.GetElapsedTime(began) < s_patience, problem);
            await Task.Delay(10);
        }
    }
}
