using Jackdaw.Server.Documents;
using Jackdaw.Server.Http.Reading;
using Jackdaw.Server.Queries.Evaluation;

namespace Jackdaw.Server.Queries.Execution;

/// <summary>Gathers the documents that a query finds, some at a time, to change them.</summary>
/// <param name="query">Which documents.</param>
/// <param name="batchMax">Documents after which a step ends.</param>
internal sealed class MatchingKeys(CollectionQuery query, int batchMax) : CollectionWalk(query)
{
    private readonly List<(byte[] Id, byte[] Key)> _found = [];
    private long _toSkip = query.Skip;
    private long _toTake = query.Take;

    /// <summary>Documents of the step; the caller takes them out before the next one.</summary>
    public List<(byte[] Id, byte[] Key)> Found => _found;

    protected override bool IsSatisfied => _toTake == 0;

    protected override bool IsStepFull => _found.Count >= batchMax;

    protected override int Take(RenewedRead read, in StoredDocument document, in EvaluatedDocument evaluated)
    {
        if (_toSkip > 0)
        {
            _toSkip--;
            return 0;
        }

        _toTake--;
        _found.Add((document.Id.ToArray(), document.Key.ToArray()));
        return document.Id.Length + document.Key.Length;
    }
}
