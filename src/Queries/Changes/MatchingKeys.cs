using Jackdaw.Documents;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Queries.Execution;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Queries.Rows;

namespace Jackdaw.Queries.Changes;

/// <summary>A document as a query found it.</summary>
/// <param name="Id">UTF-8, as it is stored.</param>
/// <param name="Etag">Of the version that was found.</param>
internal readonly record struct MatchingKey(byte[] Id, byte[] Key, Etag Etag);

/// <summary>Gathers the documents that a query finds, some at a time, to change them.</summary>
/// <param name="query">Which documents.</param>
/// <param name="batchMax">Documents after which a step ends.</param>
internal sealed class MatchingKeys(CollectionQuery query, int batchMax) : QueryWalk(query)
{
    private readonly CollectionQuery _query = query;
    private readonly List<MatchingKey> _found = [];
    private long _toSkip = query.Skip;
    private long _toTake = query.Take;

    /// <summary>Documents of the step; the caller takes them out before the next one.</summary>
    public List<MatchingKey> Found => _found;

    /// <summary>Also documents that were written after an index found them.</summary>
    public bool TakesChanged { get; init; }

    protected override bool IsSatisfied => _toTake == 0;

    protected override bool IsStepFull => _found.Count >= batchMax;

    protected override int Take(RenewedRead read, in StoredDocument document, in EvaluatedDocument evaluated)
    {
        bool isSkipped = _toSkip > 0;
        _toSkip -= isSkipped ? 1 : 0;
        if (IsRepeated(document) || isSkipped)
        {
            return 0;
        }

        _toTake--;
        if (!TakesChanged && _query.Found is { } found && document.Etag.Value > found.LastEtag.Value)
        {
            return 0; // The index found another version of it, and nobody looks whether this one matches.
        }

        _found.Add(new MatchingKey(document.Id.ToArray(), document.Key.ToArray(), document.Etag));
        return document.Id.Length + document.Key.Length;
    }
}
