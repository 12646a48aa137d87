namespace Jackdaw.Search.Segments.Matching;

/// <summary>A condition of several others.</summary>
internal abstract class PartsMatcher : Matcher
{
    private const int FewParts = 8;
    private const int KeptPartsMax = 256;

    private Matcher[] _parts = new Matcher[FewParts];

    /// <summary>The number of conditions.</summary>
    public int Count { get; private set; }

    /// <summary>The conditions, in the order in which they were added.</summary>
    public ReadOnlySpan<Matcher> Parts => _parts.AsSpan(0, Count);

    /// <summary>Forgets the conditions.</summary>
    public void Clear()
    {
        _parts = _parts.Length > KeptPartsMax ? new Matcher[FewParts] : _parts;
        Count = 0;
    }

    public void Add(Matcher part)
    {
        if (Count == _parts.Length)
        {
            Array.Resize(ref _parts, 2 * Count);
        }

        _parts[Count++] = part;
    }

    public override void CountForScores()
    {
        foreach (Matcher part in Parts)
        {
            part.CountForScores();
        }
    }

    /// <summary>Turns all conditions to the segment of this one.</summary>
    protected void BindParts()
    {
        foreach (Matcher part in Parts)
        {
            part.Bind(Segment);
        }
    }
}
