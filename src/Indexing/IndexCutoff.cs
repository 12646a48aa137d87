using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Sources;

namespace Jackdaw.Indexing;

/// <summary>Up to where an index must have read so that a query is not stale: the last changes of its sources in one snapshot.</summary>
internal sealed class IndexCutoff
{
    private readonly (IndexSource Source, Etag Last)[] _mapped;
    private readonly (IndexSource Source, Etag Last)[] _loaded;
    private readonly Etag[] _lastMapped;
    private readonly Etag _trimmed;

    private IndexCutoff((IndexSource Source, Etag Last)[] mapped, (IndexSource Source, Etag Last)[] loaded, Etag trimmed)
    {
        _mapped = mapped;
        _lastMapped = Array.ConvertAll(mapped, one => one.Last);
        _loaded = loaded;
        _trimmed = trimmed;
    }

    /// <param name="read">The snapshot.</param>
    /// <param name="sources">What the index reads.</param>
    public static IndexCutoff Of(DocumentReadScope read, IndexSources sources) => new(
        [.. sources.Mapped.Select(source => (source, source.LastEtag(read)))],
        [.. sources.Loaded.Select(source => (source, source.LastEtag(read)))],
        read.TrimmedEtag);

    /// <summary>Last changes of the sources that are mapped.</summary>
    public IReadOnlyList<Etag> Mapped => _lastMapped;

    /// <summary>A cutoff that ends at an etag at the latest, so that nobody waits for later writes.</summary>
    public IndexCutoff AtMost(Etag etag) => new(
        [.. _mapped.Select(one => (one.Source, Min(one.Last, etag)))],
        [.. _loaded.Select(one => (one.Source, Min(one.Last, etag)))],
        _trimmed);

    public bool IsPassedBy(IndexProgress progress)
    {
        foreach ((IndexSource source, Etag last) in _mapped)
        {
            if (progress.OfMapped(source).Value < last.Value)
            {
                return false;
            }
        }

        foreach ((IndexSource source, Etag last) in _loaded)
        {
            if (progress.OfLoaded(source).Value < last.Value)
            {
                return false;
            }
        }

        return !MissesDeletions(progress);
    }

    /// <summary>Why a query is stale, in sentences for people; empty if it is not.</summary>
    public IEnumerable<string> DescribeStaleness(IndexProgress progress)
    {
        if (MissesDeletions(progress))
        {
            yield return $"Deletions up to etag {_trimmed.Value} are forgotten, and the index knows those "
                + $"up to {progress.KnownDeletions.Value}: it is built again.";
        }

        foreach ((IndexSource source, Etag last) in _mapped)
        {
            if (progress.OfMapped(source).Value < last.Value)
            {
                yield return $"There are changes of {source.Description} up to etag {last.Value}, "
                    + $"and the index has read up to {progress.OfMapped(source).Value}.";
            }
        }

        foreach ((IndexSource source, Etag last) in _loaded)
        {
            if (progress.OfLoaded(source).Value < last.Value)
            {
                yield return $"There are changes of {source.Description}, which the index loads documents from, up to etag {last.Value}, "
                    + $"and they are followed up to {progress.OfLoaded(source).Value}.";
            }
        }
    }

    // A forgotten deletion leaves no trace in its collection, so an index that missed it seems to have read everything.
    private bool MissesDeletions(IndexProgress progress) => progress.MissesDeletions(_trimmed);

    private static Etag Min(Etag left, Etag right) => left.Value <= right.Value ? left : right;
}
