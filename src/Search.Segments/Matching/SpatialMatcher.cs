using System.Text;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;
using Jackdaw.Search.Spatial;

namespace Jackdaw.Search.Segments.Matching;

/// <summary>The entries with a shape that has a relation to another shape: cells give candidates, and their shapes decide.</summary>
internal sealed unsafe class SpatialMatcher(
    int field, SpatialSettings settings, SpatialRelation relation, Shape searched, CancellationToken cancellation) : Matcher
{
    private static readonly byte[] s_allCells = Encoding.UTF8.GetBytes(CellGrid.All);

    private readonly byte[][] _cells = [.. new CellGrid(settings).SearchTerms(searched).Select(Encoding.UTF8.GetBytes)];
    private DictionaryView _dictionary;
    private BlobReader _shapes;
    private Found _found;
    private bool _isFound;

    private bool IsDisjoint => relation == SpatialRelation.Disjoint;

    protected override (int Most, bool IsExact) BindCore()
    {
        cancellation.ThrowIfCancellationRequested();
        _isFound = false;
        _dictionary = DictionaryView.Open(Segment, field, DictionaryParts.Cells);
        _shapes = BlobReader.Open(Segment, field, PartKind.Shapes);
        return (_dictionary.Exists && _shapes.Exists ? Segment.Entries : 0, !_dictionary.Exists);
    }

    protected override Found MatchCore()
    {
        if (!_isFound)
        {
            _isFound = true;
            _found = Found.OfBits(Find(), isShared: true);
        }

        return _found;
    }

    protected override int FilterCore(int* entries, int count) => Filter(MatchCore(), entries, count);

    private ulong* Find()
    {
        int words = Bits.WordsOf(Segment.Entries);
        ulong* found = Segment.Arena.TakeZeroed<ulong>(words);
        Arena.Mark mark = Scratch.Now();
        ulong* candidates = Scratch.TakeZeroed<ulong>(words);
        foreach (byte[] cell in _cells)
        {
            AddCell(candidates, cell);
        }

        if (IsDisjoint)
        {
            AddCell(found, s_allCells); // each entry that has a shape
        }

        Look(candidates, words, found);
        Scratch.Return(mark);
        return found;
    }

    private void Look(ulong* candidates, int words, ulong* found)
    {
        SpatialRelation asked = IsDisjoint ? SpatialRelation.Intersects : relation;
        for (int word = 0; word < words; word++)
        {
            for (ulong left = candidates[word]; left != 0; left &= left - 1)
            {
                int entry = (word << 6) + System.Numerics.BitOperations.TrailingZeroCount(left);
                if (!Segment.IsDeleted(entry) && Holds(entry, asked))
                {
                    ulong bit = 1UL << (entry & 63);
                    found[word] = IsDisjoint ? found[word] & ~bit : found[word] | bit;
                }
            }
        }
    }

    private void AddCell(ulong* words, byte[] cell)
    {
        fixed (byte* term = cell)
        {
            if (!_dictionary.TryFind(term, cell.Length, out TermEntries entries))
            {
                return;
            }

            Arena.Mark mark = Scratch.Now();
            int* list = Scratch.Take<int>(entries.Count + PostingsReader.Slack);
            Bits.AddAll(words, list, PostingsReader.Read(_dictionary, entries, list));
            Scratch.Return(mark);
        }
    }

    private bool Holds(int entry, SpatialRelation asked)
    {
        if (!_shapes.TryRead(entry, out ReadOnlySpan<byte> rest))
        {
            return false;
        }

        while (!rest.IsEmpty)
        {
            if (ShapeRelations.Holds(ShapeBytes.Read(ref rest, settings), asked, searched, cancellation))
            {
                return true;
            }
        }

        return false;
    }
}
