using Jackdaw.Indexing.Reducing;
using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Searching;

/// <summary>Tells the first entry of a document from its others, for an index that has several of one.</summary>
/// <param name="isTogether">Entries of one document follow one another: only the last one is remembered.</param>
internal sealed class SeenDocuments(bool isTogether)
{
    /// <summary>Documents that are told apart when entries of one may lie far from each other: some 50 MB. Above it the query is
    /// refused.</summary>
    private const int DocumentsMax = 1_000_000;

    private readonly HashSet<KeyHash> _seen = [];
    private byte[] _last = [];

    /// <summary>Whether no entry of the document came before, and takes note of it.</summary>
    /// <param name="id">UTF-8; of one document always the same.</param>
    /// <exception cref="InvalidQueryException">They are too many.</exception>
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
