using Jackdaw.Pal.Native;

namespace Jackdaw.Server.SelfTest;

/// <summary>A stage of the self test. It runs on one thread, in a folder of its own.</summary>
/// <param name="folder">A folder that does not exist yet; the caller removes it.</param>
/// <param name="seed">The seed of every random choice.</param>
internal abstract class SelfTestStage(string folder, int seed)
{
    /// <summary>Name for users.</summary>
    public abstract string Name { get; }

    /// <summary>The activity, for the progress bar.</summary>
    public abstract string Activity { get; }

    /// <summary>The share of the stage in the whole time.</summary>
    public abstract double Share { get; }

    protected string Folder { get; } = folder;

    protected int Seed { get; } = seed;

    protected NativePlatform Platform { get; } = new();

    /// <summary>Runs for some time, at least once.</summary>
    /// <exception cref="OperationCanceledException">The user stopped it.</exception>
    /// <exception cref="IOException">The disk failed, or is full.</exception>
    public abstract Finding Run(TimeSpan time, CancellationToken cancellationToken);

    protected Finding Passed(string summary, params IReadOnlyList<string> details) => new(Name, Verdict.Passed, summary, details);

    protected Finding Suspicious(string summary, params IReadOnlyList<string> details) => new(Name, Verdict.Suspicious, summary, details);

    protected Finding Failed(string summary, params IReadOnlyList<string> details) => new(Name, Verdict.Failed, summary, details);
}
