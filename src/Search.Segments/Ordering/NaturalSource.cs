using Jackdaw.Search.Analysis;
using Jackdaw.Search.Ordering;
using Jackdaw.Search.Segments.Fields;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Segments.Ordering;

/// <summary>Orders by the first text, in which runs of digits are compared as numbers.</summary>
internal sealed class NaturalSource(SortKey key, FieldRecord? field, TextAnalyzer analyzer) : TermSource(key, field, analyzer)
{
    protected override bool NeedsBytes => true;

    protected override int CompareBytes(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right) => NaturalOrder.Compare(left, right);
}
