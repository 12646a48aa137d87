namespace Jackdaw.Bench.Search;

/// <summary>Every order updated ten times, in another order each time.</summary>
internal static class GrowBench
{
    public static void Run(string folder, int count, int round)
    {
        var orders = new Orders(20_000);
        var random = new Random(round);
        int[] numbers = [.. Enumerable.Range(0, count)];
        using var stored = new StoredIndex(folder);
        stored.Write(orders, numbers, version: 0);
        stored.Rest();
        double fresh = stored.DataBytes;
        int segments = 0;
        for (int version = 1; version <= 10; version++)
        {
            random.Shuffle(numbers);
            stored.Write(orders, numbers, version);
            segments = Math.Max(segments, stored.Index.SegmentCount);
        }

        stored.Rest();
        Figures.Print($"grow-{round}", "size-by-fresh", stored.DataBytes / fresh, "times");
        Figures.Print($"grow-{round}", "segments-at-most", segments, "");
        Figures.Print($"grow-{round}", "segments-at-rest", stored.Index.SegmentCount, "");
    }
}
