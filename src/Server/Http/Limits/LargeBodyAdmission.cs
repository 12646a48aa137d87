using Jackdaw.Server.Http.Problems;

namespace Jackdaw.Server.Http.Limits;

/// <summary>Limits how many large bodies are in memory at once. A request takes a place when its body turns out to be large, and returns it with the body.
/// While there is no free place, nothing more of its body is read.</summary>
/// <remarks>A request never waits for a second place, so waiting ones cannot block each other.</remarks>
internal sealed class LargeBodyAdmission : IDisposable
{
    private readonly SemaphoreSlim _places;

    public LargeBodyAdmission()
        : this((int)Math.Clamp(
            GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 2 / HttpLimits.LargeBodyMemoryBytes, 2, 64))
    {
    }

    internal LargeBodyAdmission(int count) => _places = new SemaphoreSlim(count, count);

    /// <summary>How long a request waits for a place.</summary>
    internal TimeSpan WaitTime { get; set; } = HttpLimits.LargeBodyWaitTime;

    /// <exception cref="RequestRefusedException">No place became free within <see cref="WaitTime"/>.</exception>
    public async ValueTask EnterAsync(CancellationToken cancellationToken)
    {
        if (!await _places.WaitAsync(WaitTime, cancellationToken).ConfigureAwait(false))
        {
            throw new RequestRefusedException(Problem.Unavailable(ProblemTypes.Timeout,
                "For some seconds the server has held as many large requests as it can; nothing of this transaction was written, try again.") with
            {
                CloseConnection = true,
            });
        }
    }

    public void Leave() => _places.Release();

    public void Dispose() => _places.Dispose();
}
