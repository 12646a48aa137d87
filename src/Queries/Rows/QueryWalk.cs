using System.Diagnostics;
using Jackdaw.Documents;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Json.Tape;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Queries.Planning.Projections;
using Jackdaw.Queries.Searching;

namespace Jackdaw.Queries.Rows;

/// <summary>A walk over the candidates of a query that hands its results on, and continues from its position in the next
/// snapshot.</summary>
/// <remarks>
/// What it guarantees when documents are written while it runs longer than one snapshot: none comes twice; one that is
/// there all the time and is not written comes once. By etag, the walk ends at the last write of its first snapshot: a
/// document that is written meanwhile may be passed by, but does not come again.
/// </remarks>
internal abstract class QueryWalk : IDisposable
{
    private readonly CollectionQuery _query;
    private readonly JsonTape? _tape;
    private readonly LoadedAliases? _loaded;
    private readonly QueryTrace? _trace;
    private byte[] _lastKey = [];
    private Etag _nextEtag = Etag.None;
    private Etag? _lastEtag;
    private int _nextId;
    private int? _position;

    protected QueryWalk(CollectionQuery query)
    {
        _query = query;
        _trace = query.Trace;
        _tape = query.Filter is not null || query.Projection is { ReadsFields: true } ? new JsonTape() : null;
        _loaded = query.LoadPaths.Count > 0 && _tape is not null ? new LoadedAliases(query.LoadPaths) : null;
    }

    /// <summary>Results so far, before paging. Of all when <see cref="CollectionQuery.CountsByWalking"/>.</summary>
    public long Results { get; private set; }

    /// <summary>Candidates that the filter has looked at.</summary>
    public long Scanned { get; private set; }

    /// <summary>Index of the candidate of now in what an index found; null when there is none.</summary>
    protected int? Position => _position;

    /// <summary>What the index adds to the metadata of the candidate of now; empty: nothing.</summary>
    protected ReadOnlySpan<byte> MoreMetadata => _position is { } at && _query.Found is { Metadata: { Count: > 0 } all } ? all[at] : default;

    /// <summary>Whether an entry of an index is of a document of which another one came before. To be asked once of each, in their order,
    /// of those too that are skipped.</summary>
    protected bool IsRepeated(in StoredDocument document) =>
        _query.Found?.More?.Repeating is { } seen && !seen.IsFirstOf(document.Id);

    /// <summary>Whether no more results are wanted.</summary>
    protected abstract bool IsSatisfied { get; }

    /// <summary>Whether what was handed on should be sent before the walk goes on.</summary>
    protected abstract bool IsStepFull { get; }

    /// <summary>Looks at the next candidates; false when there are no more.</summary>
    /// <param name="read">Its snapshot must be renewed before the next call.</param>
    public bool Step(RenewedRead read)
    {
        _lastEtag ??= read.Scope.LastEtag;
        using DocumentCursor cursor = Open(read.Scope);
        bool isStepOver;
        do
        {
            if (IsOver)
            {
                return false;
            }

            _query.Deadline.Token.ThrowIfCancellationRequested();
            long began = _trace is null ? 0 : Stopwatch.GetTimestamp();
            if (!cursor.TryNext(out StoredDocument document))
            {
                _nextId = 0;
                return _query.TryNextPage(read);
            }

            if (IsBehindLast(document))
            {
                return false;
            }

            _trace?.NoteFetch(began, document.Body.Length);
            _position = (cursor as IPositionedCursor)?.Next - 1;
            int bytes = Look(read, document, StoredOf(cursor));
            isStepOver = read.IsSpentAfter(bytes) || IsStepFull;
        }
        while (!isStepOver);
        Remember(cursor);
        return true;
    }

    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    protected virtual void Dispose(bool disposing)
    {
        _tape?.Dispose();
        _loaded?.Dispose();
    }

    /// <summary>Takes one result.</summary>
    /// <param name="read">What it was read from.</param>
    /// <param name="document">As it is stored.</param>
    /// <param name="evaluated">Its id; its fields, too, when the query filters or projects any.</param>
    /// <returns>Bytes that were copied of it.</returns>
    protected abstract int Take(RenewedRead read, in StoredDocument document, in EvaluatedDocument evaluated);

    private bool IsOver => Scanned >= _query.FilterLimit || (IsSatisfied && !(_query.CountsByWalking));

    private DocumentCursor Open(DocumentReadScope read) => _query.Order switch
    {
        CandidateOrder.ByEtag => read.OpenByEtag(_query.Collection, EtagOrder.Ascending, _nextEtag),
        CandidateOrder.ByIdPrefix => read.OpenByIdPrefix(_query.Prefix, _lastKey),
        CandidateOrder.ByRow => new RowCursor(_query.Found!.Stored, _nextId),
        _ => new IdListCursor(read, _query.Keys, _nextId),
    };

    private void Remember(DocumentCursor cursor)
    {
        switch (_query.Order)
        {
            case CandidateOrder.ByEtag:
                _nextEtag = new Etag(cursor.Current.Etag.Value + 1);
                break;
            case CandidateOrder.ByIdPrefix:
                _lastKey = cursor.Current.Key.ToArray();
                break;
            default:
                _nextId = ((IPositionedCursor)cursor).Next;
                break;
        }
    }

    private bool IsBehindLast(in StoredDocument document) =>
        _query.Order == CandidateOrder.ByEtag && document.Etag.Value > _lastEtag!.Value.Value;

    private StoredEntry? StoredOf(DocumentCursor cursor) =>
        _query.Found is { Stored: { Count: > 0 } stored } && cursor is IPositionedCursor at ? stored[at.Next - 1] : null;

    private int Look(RenewedRead read, in StoredDocument document, StoredEntry? stored)
    {
        if (!IsOfCollection(document))
        {
            return 0;
        }

        EvaluatedDocument evaluated = _tape is not null && (_query.Filter is not null || !IsSatisfied)
            ? Evaluate(read, document, stored)
            : new EvaluatedDocument { Root = default, Id = document.Id };

        if (_query.Filter is { } filter)
        {
            Scanned++;
            long began = _trace is null ? 0 : Stopwatch.GetTimestamp();
            bool isMet = filter.IsMet(evaluated);
            _trace?.NoteFilter(began, isMet);
            if (!isMet)
            {
                return 0;
            }
        }

        Results++;
        if (IsSatisfied)
        {
            return 0;
        }

        long writing = _trace is null ? 0 : Stopwatch.GetTimestamp();
        int bytes = Take(read, document, evaluated);
        _trace?.NoteRow(writing);
        return bytes;
    }

    private EvaluatedDocument Evaluate(RenewedRead read, scoped in StoredDocument document, StoredEntry? stored)
    {
        var evaluated = new EvaluatedDocument
        {
            Root = _tape!.ReadStored(document.Body, document.Id),
            Id = document.Id,
            Loaded = _loaded,
            Stored = stored,
        };
        if (_loaded is not null)
        {
            long began = _trace is null ? 0 : Stopwatch.GetTimestamp();
            (int documents, long bytes) = _loaded.Load(read.Scope, evaluated);
            _trace?.NoteLoads(began, documents, bytes);
        }

        return evaluated;
    }

    // By etag, the index has only those of the collection.
    private bool IsOfCollection(in StoredDocument document) =>
        _query.Order == CandidateOrder.ByEtag || _query.Collection.Length == 0
        || CollectionNames.AreEqual(document.Collection, _query.Collection);
}
