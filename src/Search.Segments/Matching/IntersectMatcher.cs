using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Matching;

/// <summary>The entries of ids for which each of several conditions finds at least one entry.</summary>
/// <remarks>All entries of an id are in one segment, and are deleted together, so that segments can be looked at one by one.</remarks>
internal sealed unsafe class IntersectMatcher : PartsMatcher
{
    private ColumnReader _ids;
    private int _idCount;

    protected override (int Most, bool IsExact) BindCore()
    {
        BindParts();
        int most = Segment.Entries;
        foreach (Matcher part in Parts)
        {
            most = part.Most == 0 ? 0 : most;
        }

        // Only a segment in which an id has several entries has the column.
        _ids = ColumnReader.Open(Segment, FieldRecord.OfEntries, PartKind.Ordinals, PartKind.OrdinalRows);
        if (_ids.Exists)
        {
            _ids.RequirePlaces(Segment.Entries, ofAll: true);
        }

        _idCount = _ids.Exists ? (int)_ids.Head.Greatest + 1 : 0;
        return (most, most == 0);
    }

    protected override Found MatchCore()
    {
        ulong* common = null;
        foreach (Matcher part in Parts)
        {
            ulong* found = part.Match().ToOwnBits(Scratch, Segment.Entries);
            ulong* ids = _ids.Exists ? IdsOf(found) : found;
            int words = Bits.WordsOf(_ids.Exists ? _idCount : Segment.Entries);
            if (common == null)
            {
                common = ids;
            }
            else
            {
                Bits.And(common, ids, words);
            }
        }

        return Found.OfBits(_ids.Exists ? EntriesOf(common) : common);
    }

    private ulong* IdsOf(ulong* entries)
    {
        ulong* ids = Scratch.TakeZeroed<ulong>(Bits.WordsOf(_idCount));
        for (int word = 0; word < Bits.WordsOf(Segment.Entries); word++)
        {
            for (ulong left = entries[word]; left != 0; left &= left - 1)
            {
                int entry = (word << 6) + System.Numerics.BitOperations.TrailingZeroCount(left);
                Bits.Add(ids, (int)_ids.ReadRow(entry));
            }
        }

        return ids;
    }

    private ulong* EntriesOf(ulong* ids)
    {
        ulong* entries = Scratch.TakeZeroed<ulong>(Bits.WordsOf(Segment.Entries));
        for (int entry = 0; entry < Segment.Entries; entry++)
        {
            if (Bits.Has(ids, (int)_ids.ReadRow(entry)))
            {
                Bits.Add(entries, entry);
            }
        }

        return entries;
    }
}
