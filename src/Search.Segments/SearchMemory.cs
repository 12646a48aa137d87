using Jackdaw.Search.Segments.Compiling;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;

namespace Jackdaw.Search.Segments;

/// <summary>The memory of searches, which a thread uses again for its next one.</summary>
internal sealed class SearchMemory : IDisposable
{
    [ThreadStatic]
    private static SearchMemory? s_spare;

    private SearchMemory()
    {
    }

    /// <summary>Memory that lives as long as the search.</summary>
    public Arena Whole { get; } = new();

    /// <summary>Memory for views of one segment.</summary>
    public Arena Segment { get; } = new();

    /// <summary>Memory for what is found in one segment.</summary>
    public Arena Scratch { get; } = new();

    /// <summary>The view of one segment after another.</summary>
    public SegmentView View { get; } = new();

    public MatcherPool Matchers { get; } = new();

    /// <summary>The hits of the search.</summary>
    public NativeList<SegmentHit> Hits { get; } = new();

    /// <summary>The ids of the hits.</summary>
    public NativeBuffer Ids { get; } = new();

    public static SearchMemory Rent()
    {
        SearchMemory memory = s_spare ?? new SearchMemory();
        s_spare = null;
        return memory;
    }

    /// <summary>Gives the memory back to the thread.</summary>
    public void Dispose()
    {
        Whole.Reset();
        Segment.Reset();
        Scratch.Reset();
        Matchers.Reset();
        if (s_spare is null)
        {
            s_spare = this;
            return;
        }

        Whole.Dispose();
        Segment.Dispose();
        Scratch.Dispose();
        Hits.Dispose();
        Ids.Dispose();
    }
}
