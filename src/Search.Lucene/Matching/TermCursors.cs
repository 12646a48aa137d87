using Jackdaw.Search.Lucene.Files;
using Lucene.Net.Index;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>Cursors over the dictionaries of the segments of one reader, which are kept from one search to the next. Only the thread that made it uses
/// it.</summary>
/// <remarks>Opening a cursor allocates some 4 KB for each segment, which was most of the work of a search for one term. A cursor that fails while it seeks is
/// not kept, because its position is unknown.</remarks>
internal sealed class TermCursors(IndexReader reader)
{
    private readonly IList<AtomicReaderContext> _segments = reader.Leaves;
    private readonly Dictionary<string, TermsEnum?[]> _byField = new(StringComparer.Ordinal);

    /// <summary>The places of a term in the segments, and the number of entries that have it, including deleted ones.</summary>
    public TermContext Find(Term term)
    {
        var found = new TermContext(reader.Context);
        for (int segment = 0; segment < _segments.Count; segment++)
        {
            if (Take(segment, term.Field) is { } cursor)
            {
                if (cursor.SeekExact(term.Bytes))
                {
                    found.Register(cursor.GetTermState(), segment, cursor.DocFreq, cursor.TotalTermFreq);
                }

                GiveBack(segment, term.Field, cursor);
            }
        }

        return found;
    }

    /// <summary>The entries of a segment that have a term.</summary>
    /// <param name="state">The state that <see cref="Find"/> has found for the segment.</param>
    /// <param name="accepted">The entries that are not deleted; null when none is deleted.</param>
    public DocsEnum Open(int segment, Term term, TermState state, IBits? accepted)
    {
        TermsEnum cursor = Take(segment, term.Field) ?? throw new InvalidOperationException("A term was found in a field that does not exist.");
        cursor.SeekExact(term.Bytes, state);
        DocsEnum entries = cursor.Docs(accepted, null);
        GiveBack(segment, term.Field, cursor);
        return entries;
    }

    /// <summary>A cursor for the caller alone until it gives it back; null when no entry of the segment has the field.</summary>
    /// <remarks>A kept cursor has parts of the dictionary in memory already, so it is not used while reads are counted.</remarks>
    public TermsEnum? Take(int segment, string field)
    {
        if (ReadMeter.Current is null && _byField.TryGetValue(field, out TermsEnum?[]? cursors) && cursors[segment] is { } kept)
        {
            cursors[segment] = null;
            return kept;
        }

        return _segments[segment].AtomicReader.GetTerms(field)?.GetEnumerator();
    }

    /// <summary>Keeps a cursor for the next search.</summary>
    public void GiveBack(int segment, string field, TermsEnum cursor)
    {
        if (!_byField.TryGetValue(field, out TermsEnum?[]? cursors))
        {
            _byField[field] = cursors = new TermsEnum?[_segments.Count];
        }

        cursors[segment] = cursor;
    }
}
