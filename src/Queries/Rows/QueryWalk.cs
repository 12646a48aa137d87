using System.Buffers;
using System.Diagnostics;
using Jackdaw.Documents;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Json.Tape;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Queries.Searching;

namespace Jackdaw.Queries.Rows;

/// <summary>Walks over the candidates of a run, hands its results on, and continues from its position in the next snapshot.</summary>
/// <remarks>
/// Documents may be written while the walk runs longer than one snapshot. No document comes twice. A document that exists all the time
/// and is not written comes once. By etag, the walk ends at the last write of its first snapshot, so that a document that is written
/// during the walk may be left out.
/// </remarks>
internal abstract class QueryWalk : IDisposable
{
    private readonly QueryRun _run;
    private readonly QueryPlan _plan;
    private readonly JsonTape? _tape;
    private readonly LoadedAliases? _loaded;
    private readonly ArrayBufferWriter<byte>? _whole; // the text with all metadata, when the query reads it
    private readonly QueryTrace? _trace;
    private byte[] _lastKey = [];
    private Etag _nextEtag = Etag.None;
    private Etag? _lastEtag;
    private int _nextId;
    private int? _position;
    private byte[]? _metadata; // of the current candidate, when it is asked for

    protected QueryWalk(QueryRun run)
    {
        _run = run;
        _plan = run.Plan;
        _trace = run.Trace;
        _tape = _plan.Filter is not null || _plan.Projection is { ReadsFields: true } ? new JsonTape() : null;
        _loaded = _plan.Loads.Count > 0 && _tape is not null ? new LoadedAliases(_plan.Loads, run.Database, _plan.KeptSources) : null;
        _whole = _plan.KeptSources.Contains(0) ? new ArrayBufferWriter<byte>() : null;
    }

    /// <summary>The number of results so far, before paging; of all results when <see cref="QueryRun.CountsByWalking"/>.</summary>
    public long Results { get; private set; }

    /// <summary>The number of candidates that the filter has looked at.</summary>
    public long Scanned { get; private set; }

    /// <summary>The index of the current candidate in its list, such as the current page of hits; null when there is no list.</summary>
    protected int? Position => _position;

    /// <summary>What the index adds to the metadata of the current candidate; may be empty.</summary>
    /// <remarks>Valid until it is asked for again.</remarks>
    protected ReadOnlySpan<byte> MoreMetadata
    {
        get
        {
            if (_position is not { } at || _run.Page is not { Metadata: { Count: > 0 } all })
            {
                return default;
            }

            _metadata ??= new byte[HitMetadata.BytesMax];
            return _metadata.AsSpan(0, all[at].Write(_metadata));
        }
    }

    /// <summary>Whether an earlier entry of the index belonged to the same document. Each entry must be asked once, in the order of the
    /// entries, including the entries that are skipped.</summary>
    protected bool IsRepeated(in StoredDocument document) =>
        _run.IndexAnswer?.Hits?.Repeating is { } seen && !seen.IsFirstOf(document.Id);

    /// <summary>Whether no more results are wanted.</summary>
    protected abstract bool IsSatisfied { get; }

    /// <summary>Whether the results so far should be sent before the walk goes on.</summary>
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

            _run.Deadline.Token.ThrowIfCancellationRequested();
            long began = _trace is null ? 0 : Stopwatch.GetTimestamp();
            if (!cursor.TryNext(out StoredDocument document))
            {
                _nextId = 0;
                return _run.TryNextPage(read);
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
    /// <param name="read">The snapshot of the document.</param>
    /// <param name="document">The document as it is stored.</param>
    /// <param name="evaluated">The id of the document, and its fields when the query filters or projects any.</param>
    /// <returns>The number of bytes that were copied.</returns>
    protected abstract int Take(RenewedRead read, in StoredDocument document, in EvaluatedDocument evaluated);

    private bool IsOver => Scanned >= _plan.FilterLimit || (IsSatisfied && !_run.CountsByWalking);

    private DocumentCursor Open(DocumentReadScope read) => _run.Order switch
    {
        CandidateOrder.ByEtag => read.OpenByEtag(_plan.Collection, EtagOrder.Ascending, _nextEtag),
        CandidateOrder.ByIdPrefix => read.OpenByIdPrefix(_plan.Candidates.Prefix, _lastKey, isNamed: _plan.Collection.Length > 0),
        CandidateOrder.ByRow => new RowCursor(read, _run.Page!.Keys, _run.Page.Stored, _nextId),
        _ => new IdListCursor(read, _run.Keys, _nextId),
    };

    private void Remember(DocumentCursor cursor)
    {
        switch (_run.Order)
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
        _run.Order == CandidateOrder.ByEtag && document.Etag.Value > _lastEtag!.Value.Value;

    private StoredEntry? StoredOf(DocumentCursor cursor) =>
        _run.Page is { Stored: { Count: > 0 } stored } && cursor is IPositionedCursor at ? stored[at.Next - 1] : null;

    private int Look(RenewedRead read, in StoredDocument document, StoredEntry? stored)
    {
        if (!IsOfCollection(document))
        {
            return 0;
        }

        EvaluatedDocument evaluated = _tape is not null && (_plan.Filter is not null || !IsSatisfied)
            ? Evaluate(read, document, stored)
            : new EvaluatedDocument { Root = default, Id = document.Id };

        if (_plan.Filter is { } filter)
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
            Root = _tape!.ReadStored(TextOf(document), document.Id),
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

    // Rows of groups have no metadata.
    private ReadOnlySpan<byte> TextOf(scoped in StoredDocument document)
    {
        if (_whole is null || document.Id.IsEmpty)
        {
            return document.Body;
        }

        _whole.Clear();
        DocumentAnswers.WriteForPaths(_whole, _run.Database, document);
        return _whole.WrittenSpan;
    }

    // By etag, only documents of the collection are walked over.
    private bool IsOfCollection(in StoredDocument document) =>
        _run.Order == CandidateOrder.ByEtag || _plan.Collection.Length == 0
        || CollectionNameComparer.AreSame(document.Collection, _plan.Collection);
}
