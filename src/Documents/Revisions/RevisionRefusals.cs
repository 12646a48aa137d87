using Jackdaw.Json.Refusals;

namespace Jackdaw.Documents.Revisions;

/// <summary>Makes the refusals of commands about revisions.</summary>
internal static class RevisionRefusals
{
    /// <summary>The refusal to revert a document to a revision that is gone.</summary>
    public static Refusal Gone(string id, string changeVector) => new(
        RefusalKind.InvalidOperation,
        $"Document '{id}' has no revision with the change vector '{changeVector}' (any more). Nothing was reverted; read its revisions again.");
}
