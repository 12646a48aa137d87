using Jackdaw.Indexing.Reducing;
using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Searching;

/// <summary>Tells the first entry of a document from its other entries, for an index with several entries for a document.</summary>
/// <param name="isTogether">The entries of one document follow one another, so that only the last document is remembered.</param>
internal sealed class SeenDocuments(bool isTogether)
{
    /// <summary>The most documents that are remembered when the entries of one document may lie apart: some 50 MB. A query that finds more
    /// is refused.</summary>
    private const int DocumentsMax = 1_000_000;

    private readonly HashSet<KeyHash> _seen = [];
    private byte[] _last = [];

    /// <summary>Whether no entry of the document came before. Remembers the document.</summary>
    /// <param name="id">UTF-8; always the same for one document.</param>
    /// <exception cref="InvalidQueryException">There are too many documents.</exception>
    public bool IsFirstOf(ReadOnlySpan<byte> id)
    {
        if (isTogether)
        {
            bool isSame = id.SequenceEqual(_last);
            _last = isSame ? _last : id.ToArray();
            return !isSame;
        }

        bool isFirst = _seen.Add(KeyHash.Of(id));
        return _seen.Count <= DocumentsMax ? isFirst : throw new InvalidQueryException(
            $"The query finds entries of more than {DocumentsMax} documents in an order in which those of one may lie apart; " +
            "leave 'order by' out, or set SkipDuplicateChecking to get each entry.");
    }
}
