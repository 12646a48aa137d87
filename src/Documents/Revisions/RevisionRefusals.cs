using Jackdaw.Json.Refusals;

namespace Jackdaw.Documents.Revisions;

/// <summary>Why commands about revisions are refused.</summary>
internal static class RevisionRefusals
{
    /// <summary>A document goes back to a revision that is gone.</summary>
    public static Refusal Gone(string id, string changeVector) => new(
        RefusalKind.InvalidOperation,
        $"Document '{id}' has no revision with the change vector '{changeVector}' (any more). Nothing was reverted; read its revisions again.");
}
