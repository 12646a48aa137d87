using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Collecting;

/// <summary>The first term of each entry, by its number in the table. One thread.</summary>
internal sealed unsafe class TermColumn : IDisposable
{
    private const int KeptMax = 1 << 18;

    private readonly NativeList<long> _terms = new();

    public NativeList<int> Entries { get; } = new();

    /// <summary>Whether an entry has several terms.</summary>
    public bool HasSeveral { get; private set; }

    /// <summary>Adds the term of an entry, if it is the first one. Entries come in order.</summary>
    public bool TryAdd(int entry, int term)
    {
        if (!Entries.IsEmpty && Entries.Last == entry)
        {
            HasSeveral |= _terms.Last != term;
            return false;
        }

        Entries.Add(entry);
        _terms.Add(term);
        return true;
    }

    /// <summary>Writes the column.</summary>
    public void Write(SegmentWriter writer, SegmentTools tools, int field, PartKind head, PartKind rows, bool hasSeveral)
    {
        if (Entries.IsEmpty)
        {
            return;
        }

        foreach (ref long term in _terms.Span)
        {
            term = tools.Places[term];
        }

        tools.Column.Write(writer, field, head, rows, Entries.Span, _terms.Span, new ColumnHead { HasSeveral = hasSeveral ? 1 : 0 });
    }

    public void Clear()
    {
        HasSeveral = false;
        Entries.Trim(KeptMax);
        _terms.Trim(KeptMax);
    }

    public void Dispose()
    {
        Entries.Dispose();
        _terms.Dispose();
    }
}
