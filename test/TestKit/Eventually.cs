using System.Diagnostics;
using System.Runtime.CompilerServices;
using Xunit;

namespace Jackdaw.TestKit;

/// <summary>Waits for what another thread or process does without a signal. Fails when it does not happen in time.</summary>
public static class Eventually
{
    /// <summary>Far more than anything takes on a slow, busy machine.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    /// <summary>Between looks at what comes soon, and at what takes longer: looking takes time from those that are waited for.</summary>
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(2), s_longPause = TimeSpan.FromMilliseconds(10);

    private const int SoonLooks = 50;

    /// <summary>Waits on this thread.</summary>
    /// <param name="condition">Looked at until it is true.</param>
    /// <param name="describe">What is there instead, for the message of the failure.</param>
    /// <param name="patience">How long; null: 30 seconds.</param>
    /// <param name="text">The condition as the test has it.</param>
    public static void IsTrue(
        Func<bool> condition, Func<string>? describe = null, TimeSpan? patience = null, [CallerArgumentExpression(nameof(condition))] string text = "")
    {
        if (!SpinWait.SpinUntil(condition, patience ?? s_patience)) // the one wait for what has no signal
        {
            Fail(text, describe?.Invoke());
        }
    }

    /// <inheritdoc cref="IsTrue"/>
    /// <summary>Waits without holding a thread.</summary>
    public static Task IsTrueAsync(
        Func<bool> condition, Func<string>? describe = null, TimeSpan? patience = null, [CallerArgumentExpression(nameof(condition))] string text = "") =>
        IsTrueAsync(() => Task.FromResult(condition()), describe, patience, text);

    /// <inheritdoc cref="IsTrueAsync(Func{bool}, Func{string}?, TimeSpan?, string)"/>
    public static Task IsTrueAsync(
        Func<Task<bool>> condition,
        Func<string>? describe = null,
        TimeSpan? patience = null,
        [CallerArgumentExpression(nameof(condition))] string text = "") =>
        ReadAsync(condition, isTrue => isTrue, _ => describe?.Invoke(), patience, text);

    /// <summary>Reads until what is read is as expected.</summary>
    /// <param name="read">Reads once.</param>
    /// <param name="isExpected">Whether that is it.</param>
    /// <param name="describe">What was read last, for the message of the failure; null: its text.</param>
    /// <param name="patience">How long; null: 30 seconds.</param>
    /// <param name="text">What is expected, as the test has it.</param>
    /// <returns>What is as expected.</returns>
    public static async Task<T> ReadAsync<T>(
        Func<Task<T>> read,
        Func<T, bool> isExpected,
        Func<T, string?>? describe = null,
        TimeSpan? patience = null,
        [CallerArgumentExpression(nameof(isExpected))] string text = "")
    {
        long began = Stopwatch.GetTimestamp();
        for (int looks = 0; ; looks++)
        {
            T found = await read();
            if (isExpected(found))
            {
                return found;
            }

            if (Stopwatch.GetElapsedTime(began) > (patience ?? s_patience))
            {
                Fail(text, describe is null ? found?.ToString() : describe(found));
            }

            await Task.Delay(looks < SoonLooks ? s_pause : s_longPause); // the one wait for what has no signal
        }
    }

    private static void Fail(string expected, string? found) =>
        Assert.Fail($"It did not happen in time: {expected}{(found is null ? "." : $". Instead: {found}")}");
}
