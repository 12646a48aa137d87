namespace Jackdaw.Server.Http.Problems;

/// <summary>A request that cannot be served as it is: thrown where it is noticed, answered in one place.</summary>
/// <remarks>For malformed input only. Conflicts and missing documents are values.</remarks>
internal sealed class RequestRefusedException(Problem problem) : Exception(problem.Message)
{
    public Problem Problem { get; } = problem;
}
