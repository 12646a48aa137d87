using Jackdaw.Search.Segments.Matching;

namespace Jackdaw.Search.Segments.Compiling;

/// <summary>Matchers that the searches of a thread use one after another, so that a search allocates none. One thread.</summary>
internal sealed class MatcherPool
{
    /// <summary>The most matchers of a type that stay between two searches.</summary>
    private const int KeptMax = 64;

    private readonly List<Shelf> _shelves = [];

    /// <summary>A matcher that the caller sets up; its own until the next <see cref="Reset"/>.</summary>
    public T Take<T>()
        where T : Matcher, new()
    {
        while (_shelves.Count <= TypeNumber<T>.Value)
        {
            _shelves.Add(new Shelf());
        }

        Shelf shelf = _shelves[TypeNumber<T>.Value];
        if (shelf.Used == shelf.Matchers.Count)
        {
            shelf.Matchers.Add(new T());
        }

        var taken = (T)shelf.Matchers[shelf.Used++];
        taken.Meter = null;
        taken.Text = null;
        return taken;
    }

    /// <summary>Takes all matchers back.</summary>
    public void Reset()
    {
        foreach (Shelf shelf in _shelves)
        {
            shelf.Used = 0;
            if (shelf.Matchers.Count > KeptMax)
            {
                shelf.Matchers.RemoveRange(KeptMax, shelf.Matchers.Count - KeptMax);
            }
        }
    }

    private sealed class Shelf
    {
        public List<Matcher> Matchers { get; } = [];

        public int Used { get; set; }
    }

    private static class TypeNumbers
    {
        private static int s_last = -1;

        public static int Next() => Interlocked.Increment(ref s_last);
    }

    private static class TypeNumber<T>
    {
        public static readonly int Value = TypeNumbers.Next();
    }
}
