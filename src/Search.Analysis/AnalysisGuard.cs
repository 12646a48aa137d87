namespace Jackdaw.Search.Analysis;

/// <summary>Limits the code of a user's analyzer. One object for all threads.</summary>
public abstract class AnalysisGuard
{
    /// <summary>Is called when the user's code begins to run on this thread.</summary>
    public abstract void Begin();

    /// <summary>Is called for each token.</summary>
    public abstract void Step();

    /// <summary>Is called when the user's code has ended on this thread. It may be called twice.</summary>
    public abstract void End();

    /// <summary>The exception that callers of the analyzer get.</summary>
    public abstract Exception Failed(Exception fault);
}
