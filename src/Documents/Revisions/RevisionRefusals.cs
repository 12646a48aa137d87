using Jackdaw.Documents.Commands;

namespace Jackdaw.Documents.Revisions;

/// <summary>Why commands about revisions are refused.</summary>
internal static class RevisionRefusals
{
    /// <summary>A document goes back to a revision that is gone.</summary>
    public static CommandRefusal Gone(string id, string changeVector) => new(
        400, CommandRefusal.InvalidOperationType,
        $"Document '{id}' has no revision with the change vector '{changeVector}' (any more). Nothing was reverted; read its revisions again.");
}
