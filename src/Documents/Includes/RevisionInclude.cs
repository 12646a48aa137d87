using Jackdaw.Documents.Parsing;
using Jackdaw.Json;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Documents.Includes;

/// <summary>The revisions that a load or a query wants besides its documents. Immutable.</summary>
internal sealed class RevisionInclude
{
    private readonly List<IncludePath> _paths = [];

    private RevisionInclude(IEnumerable<string> paths, string? before)
    {
        foreach (string path in paths.Distinct(StringComparer.Ordinal))
        {
            _paths.Add(IncludePath.TryParse(path, out IncludePath parsed) ? parsed : throw new RefusedException(
                RefusalKind.InvalidArgument, $"The path '{path}' to change vectors of revisions names no member; give one like 'Contract.RevisionVector'."));
        }

        if (!string.IsNullOrEmpty(before))
        {
            BeforeTicks = IsoDate.TryRead(before, out long ticks) ? ticks : throw new RefusedException(
                RefusalKind.InvalidArgument, $"'{before}' is not a time of revisions; give one like 2024-05-01T10:00:00Z.");
        }
    }

    /// <summary>The paths to change vectors of revisions in documents.</summary>
    public IReadOnlyList<IncludePath> Paths => _paths;

    /// <summary>The time whose revisions of the documents the answer includes, in UTC ticks; null when no time is asked for.</summary>
    public long? BeforeTicks { get; }

    /// <summary>Reads the parameters of a request; null when it asks for no revisions.</summary>
    /// <exception cref="RefusedException">A path names no member, or the time is not a time.</exception>
    public static RevisionInclude? Make(IReadOnlyCollection<string> paths, string? before) =>
        paths.Count > 0 || !string.IsNullOrEmpty(before) ? new RevisionInclude(paths, before) : null;
}
