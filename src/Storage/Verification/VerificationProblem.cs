using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Verification;

/// <summary>One broken invariant.</summary>
/// <param name="Page">The page it was found on; none when it concerns a whole structure.</param>
/// <param name="Reason">The problem, with the found and the expected figures.</param>
public readonly record struct VerificationProblem(PageNumber Page, string Reason)
{
    /// <inheritdoc/>
    public override string ToString() => $"page {Page}: {Reason}";
}
