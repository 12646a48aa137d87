using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Memory;

namespace Jackdaw.Search.Segments.Collecting;

/// <summary>Sorts the terms of a batch and groups the places where they stand. Its memory is used again. One thread.</summary>
internal sealed unsafe class TermSorter : IDisposable
{
    private readonly NativeList<int> _sorted = new();
    private readonly NativeList<ulong> _heads = new();
    private readonly NativeList<int> _ends = new();
    private readonly NativeList<int> _grouped = new();

    // What a term is written from.
    public NativeList<int> Entries { get; } = new();

    public NativeList<int> Frequencies { get; } = new();

    public NativeList<int> PositionBytes { get; } = new();

    public NativeBuffer Positions { get; } = new();

    /// <summary>Sorts terms: first by their first eight bytes behind the prefix that all have, then those that are equal in these.</summary>
    /// <param name="terms">Their numbers in the table.</param>
    /// <param name="prefix">Valid as long as the table does not change.</param>
    public ReadOnlySpan<int> Sort(TermTable table, ReadOnlySpan<int> terms, out ReadOnlySpan<byte> prefix)
    {
        prefix = PrefixOf(table, terms);
        ulong* heads = _heads.Resize(terms.Length);
        terms.CopyTo(new Span<int>(_sorted.Resize(terms.Length), terms.Length));
        for (int i = 0; i < terms.Length; i++)
        {
            byte* text = table.TextOf(terms[i], out int length);
            heads[i] = Term.HeadOf(text + prefix.Length, length - prefix.Length);
        }

        _heads.Span.Sort(_sorted.Span);
        for (int from = 0; from < terms.Length;)
        {
            int end = from + 1;
            while (end < terms.Length && heads[end] == heads[from])
            {
                end++;
            }

            if (end - from > 1)
            {
                _sorted.Span[from..end].Sort((left, right) => Compare(table, left, right));
            }

            from = end;
        }

        return _sorted.Span;
    }

    /// <summary>Groups the places where terms stand by term, in the order in which they came.</summary>
    /// <param name="termOf">The term of each place.</param>
    /// <param name="places">The place in the order of each term.</param>
    /// <param name="terms">The number of terms.</param>
    public void Group(NativeList<int> termOf, int* places, int terms)
    {
        int* ends = _ends.Resize(terms + 1);
        _ends.Span.Clear();
        for (int i = 0; i < termOf.Count; i++)
        {
            ends[places[termOf[i]]]++;
        }

        int sum = 0;
        for (int i = 0; i <= terms; i++)
        {
            int count = ends[i];
            ends[i] = sum;
            sum += count;
        }

        int* grouped = _grouped.Resize(termOf.Count);
        for (int i = 0; i < termOf.Count; i++)
        {
            grouped[ends[places[termOf[i]]]++] = i; // afterwards each end is that of its group
        }
    }

    /// <summary>The places where a term stands.</summary>
    public ReadOnlySpan<int> GroupOf(int term)
    {
        int first = term == 0 ? 0 : _ends[term - 1];
        return _grouped.Span[first.._ends[term]];
    }

    public void Dispose()
    {
        _sorted.Dispose();
        _heads.Dispose();
        _ends.Dispose();
        _grouped.Dispose();
        Entries.Dispose();
        Frequencies.Dispose();
        PositionBytes.Dispose();
        Positions.Dispose();
    }

    private static int Compare(TermTable table, int left, int right)
    {
        byte* leftText = table.TextOf(left, out int leftLength), rightText = table.TextOf(right, out int rightLength);
        return Term.Compare(leftText, leftLength, rightText, rightLength);
    }

    private static ReadOnlySpan<byte> PrefixOf(TermTable table, ReadOnlySpan<int> terms)
    {
        if (terms.IsEmpty)
        {
            return [];
        }

        byte* first = table.TextOf(terms[0], out int prefix);
        for (int i = 1; i < terms.Length && prefix > 0; i++)
        {
            byte* text = table.TextOf(terms[i], out int length);
            prefix = Term.CommonLength(first, prefix, text, length);
        }

        return new ReadOnlySpan<byte>(first, prefix);
    }
}
