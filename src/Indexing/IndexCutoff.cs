using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Counters;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Storage;
using Jackdaw.Indexing.Building;

namespace Jackdaw.Indexing;

/// <summary>Up to where an index has to have read for a query to be up to date: the last changes of its collections in one snapshot.</summary>
internal sealed class IndexCutoff
{
    private readonly (string Collection, Etag Last)[] _documents;
    private readonly (string Collection, Etag Last)[] _references;
    private readonly Etag _trimmed;

    private IndexCutoff((string Collection, Etag Last)[] documents, (string Collection, Etag Last)[] references, Etag trimmed)
    {
        _documents = documents;
        _references = references;
        _trimmed = trimmed;
    }

    /// <param name="read">The snapshot.</param>
    /// <param name="collections">Keys of the collections; an empty list stands for all documents.</param>
    /// <param name="references">Keys of the collections that are loaded from.</param>
    /// <param name="readsCounters">Counters of the documents are read, too.</param>
    public static IndexCutoff Of(
        StoredReadScope read, IReadOnlyList<string> collections, IReadOnlyList<string> references, bool readsCounters) => new(
        [
            .. (collections.Count == 0 ? [""] : collections).Select(name => (name, LastOf(read, name))),
            .. new[] { IndexProgress.Counters }.Where(_ => readsCounters).Select(name => (name, new CounterReads(read.Transaction).LastEtag)),
        ],
        [.. references.Select(name => (name, LastOf(read, name)))],
        read.TrimmedEtag);

    /// <summary>Last changes of the collections that are read, or of all documents.</summary>
    public IEnumerable<Etag> Documents => _documents.Select(one => one.Last);

    /// <summary>The same, but no further than an etag: what was written later is not waited for.</summary>
    public IndexCutoff AtMost(Etag etag) => new(
        [.. _documents.Select(one => (one.Collection, Min(one.Last, etag)))],
        [.. _references.Select(one => (one.Collection, Min(one.Last, etag)))],
        _trimmed);

    public bool IsPassedBy(IndexProgress progress) =>
        !MissesDeletions(progress)
        && _documents.All(one => progress.Of(one.Collection).Value >= one.Last.Value)
        && _references.All(one => progress.OfReferences(one.Collection).Value >= one.Last.Value);

    /// <summary>Why a query is stale, for people; nothing when it is not.</summary>
    public IEnumerable<string> DescribeStaleness(IndexProgress progress)
    {
        if (MissesDeletions(progress))
        {
            yield return $"Deletions up to etag {_trimmed} are forgotten, and the index knows those up to {progress.KnownDeletions}: it is built again.";
        }

        foreach ((string collection, Etag last) in _documents)
        {
            if (progress.Of(collection).Value < last.Value)
            {
                yield return $"There are changes of {Describe(collection)} up to etag {last}, and the index has read up to {progress.Of(collection)}.";
            }
        }

        foreach ((string collection, Etag last) in _references)
        {
            if (progress.OfReferences(collection).Value < last.Value)
            {
                yield return $"There are changes of {Describe(collection)}, which the index loads documents from, up to etag {last}, "
                    + $"and they are followed up to {progress.OfReferences(collection)}.";
            }
        }
    }

    // A forgotten deletion leaves no trace in its collection: an index that slept over it seems to have read everything.
    private bool MissesDeletions(IndexProgress progress) => progress.MissesDeletions(_trimmed);

    private static string Describe(string collection) => collection switch
    {
        "" => "documents",
        IndexProgress.Counters => "counters",
        ValueChanges.Name => "compare exchange values",
        _ => $"collection '{collection}'",
    };

    private static Etag LastOf(StoredReadScope read, string collection) => SourceEtags.LastOf(read, collection);

    private static Etag Min(Etag left, Etag right) => left.Value <= right.Value ? left : right;
}
