using Jackdaw.Documents;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Queries.Rows;

namespace Jackdaw.Queries.Changes;

/// <summary>A document as a query found it.</summary>
/// <param name="Id">UTF-8, as it is stored.</param>
/// <param name="Etag">The etag of the version that was found.</param>
internal readonly record struct MatchingKey(byte[] Id, byte[] Key, Etag Etag);

/// <summary>Gathers the documents that a query finds, some at a time, to change them.</summary>
/// <param name="run">Finds the documents.</param>
/// <param name="batchMax">The number of documents after which a step ends.</param>
internal sealed class MatchingKeys(QueryRun run, int batchMax) : QueryWalk(run)
{
    private readonly QueryRun _run = run;
    private long _toSkip = run.Skip;
    private long _toTake = run.Take;

    /// <summary>The documents of the step; the caller takes them out before the next one.</summary>
    public List<MatchingKey> Matches { get; } = [];

    /// <summary>Whether documents that were written after an index found them are gathered too.</summary>
    public bool TakesChanged { get; init; }

    protected override bool IsSatisfied => _toTake == 0;

    protected override bool IsStepFull => Matches.Count >= batchMax;

    protected override int Take(RenewedRead read, in StoredDocument document, in EvaluatedDocument evaluated)
    {
        bool isSkipped = _toSkip > 0;
        _toSkip -= isSkipped ? 1 : 0;
        if (IsRepeated(document) || isSkipped)
        {
            return 0;
        }

        _toTake--;
        if (!TakesChanged && _run.IndexAnswer is { } answer && document.Etag.Value > answer.LastEtag.Value)
        {
            return 0; // The index found another version of it, and nobody knows whether this one matches.
        }

        Matches.Add(new MatchingKey(document.Id.ToArray(), document.Key.ToArray(), document.Etag));
        return document.Id.Length + document.Key.Length;
    }
}
