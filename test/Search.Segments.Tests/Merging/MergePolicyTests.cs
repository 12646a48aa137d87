using Jackdaw.Search.Segments.Merging;
using Jackdaw.Search.Segments.Storing;
using Xunit.Abstractions;

namespace Jackdaw.Search.Segments.Tests.Merging;

/// <summary>How many segments there are, and how often an entry is written, counted without an index.</summary>
public sealed class MergePolicyTests(ITestOutputHelper output)
{
    private readonly List<SegmentRecord> _segments = [];
    private long _nextId;
    private long _added;
    private long _written;

    [Fact]
    public void Segments_OfAMillionEntriesAtRest_AreSixAtMost()
    {
        while (_added < 1_000_000)
        {
            Add(4096);
            Merge(isIdle: false);
        }

        int before = _segments.Count;
        Merge(isIdle: true);
        output.WriteLine($"{before} segments, {_segments.Count} at rest, each entry written {Amplification:F2} times");
        Assert.InRange(_segments.Count, 1, 6);
        Assert.InRange(Amplification, 1, 4);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(20)]
    [InlineData(2000)]
    public void Segments_OfManySmallBatchesWithRestBetween_AreFewAndWrittenSeldom(int entriesMax)
    {
        var random = new Random(entriesMax);
        int most = 0;
        for (int batch = 0; batch < 20_000; batch++)
        {
            Add(1 + random.Next(entriesMax));
            Merge(isIdle: true);
            most = Math.Max(most, _segments.Count);
        }

        output.WriteLine($"{_added} entries, up to {most} segments, each entry written {Amplification:F2} times");
        Assert.InRange(most, 1, 16);
        Assert.InRange(Amplification, 1, 2 + Math.Log2(_added));
    }

    [Fact]
    public void Segments_ThatAreLarge_AreNotWrittenAgainForAFewEntries()
    {
        for (int i = 0; i < 6; i++)
        {
            Add(1_000_000 >> (2 * i));
        }

        long before = _written;
        for (int batch = 0; batch < 1000; batch++)
        {
            Add(1);
            Merge(isIdle: true);
        }

        Assert.InRange(_written - before, 1000, 500_000); // one level is reached
    }

    [Fact]
    public void Segments_OfRandomBatchesWithoutRest_AreBoundedAndWrittenOncePerLevel()
    {
        var random = new Random(3);
        int most = 0;
        for (int batch = 0; batch < 5000; batch++)
        {
            Add(1 + random.Next(4096));
            Merge(isIdle: false);
            most = Math.Max(most, _segments.Count);
        }

        output.WriteLine($"{_added} entries, up to {most} segments, each entry written {Amplification:F2} times");
        Assert.InRange(most, 1, 48);
        Assert.InRange(Amplification, 1, 2 + (Math.Log(_added) / Math.Log(8)));
    }

    private double Amplification => (double)_written / _added;

    private void Add(int entries)
    {
        _segments.Add(new SegmentRecord { Id = ++_nextId, Entries = entries });
        _added += entries;
        _written += entries;
    }

    private void Merge(bool isIdle)
    {
        while (MergePolicy.TryChoose(_segments, isIdle, out int first, out int count))
        {
            Assert.True(count > 1 && first >= 0 && first + count <= _segments.Count, $"{count} from {first} of {_segments.Count}");
            int entries = _segments.Skip(first).Take(count).Sum(record => record.Entries);
            _segments.RemoveRange(first, count);
            _segments.Insert(first, new SegmentRecord { Id = ++_nextId, Entries = entries });
            _written += entries;
        }
    }
}
