using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Spatial;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>Finds entries with a shape that has a relation to another shape: cells give candidates, and their shapes decide.</summary>
internal sealed class SpatialFilter(
    string field, SpatialSettings settings, SpatialRelation relation, Shape searched, CancellationToken cancellation) : Filter
{
    private readonly BytesRef _bytes = new();

    public override DocIdSet? GetDocIdSet(AtomicReaderContext context, IBits acceptDocs)
    {
        AtomicReader reader = context.AtomicReader;
        if (reader.GetTerms(IndexTerms.Cells(field))?.GetEnumerator() is not { } terms)
        {
            return null;
        }

        BinaryDocValues shapes = reader.GetBinaryDocValues(IndexTerms.Shapes(field));
        var grid = new CellGrid(settings);
        var found = new FixedBitSet(reader.MaxDoc);
        var seen = new FixedBitSet(reader.MaxDoc);
        bool isDisjoint = relation == SpatialRelation.Disjoint;
        if (isDisjoint)
        {
            ForEach(terms, CellGrid.All, acceptDocs, found.Set); // each entry that has a shape
        }

        foreach (string cell in grid.SearchTerms(searched))
        {
            ForEach(terms, cell, acceptDocs, doc =>
            {
                if (!seen.GetAndSet(doc) && Holds(shapes, doc, isDisjoint ? SpatialRelation.Intersects : relation))
                {
                    Set(found, doc, !isDisjoint);
                }
            });
        }

        return found;
    }

    private static void Set(FixedBitSet set, int doc, bool value)
    {
        if (value)
        {
            set.Set(doc);
        }
        else
        {
            set.Clear(doc);
        }
    }

    private static void ForEach(TermsEnum terms, string cell, IBits acceptDocs, Action<int> action)
    {
        if (!terms.SeekExact(new BytesRef(cell)))
        {
            return;
        }

        DocsEnum entries = terms.Docs(acceptDocs, null, DocsFlags.NONE);
        for (int doc = entries.NextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = entries.NextDoc())
        {
            action(doc);
        }
    }

    private bool Holds(BinaryDocValues shapes, int doc, SpatialRelation asked)
    {
        shapes.Get(doc, _bytes);
        ReadOnlySpan<byte> rest = _bytes.Bytes.AsSpan(_bytes.Offset, _bytes.Length);
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
