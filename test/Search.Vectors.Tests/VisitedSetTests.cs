using Jackdaw.Search.Vectors.Walks;

namespace Jackdaw.Search.Vectors.Tests;

public sealed class VisitedSetTests
{
    [Fact]
    public void Visit_WhenTheVersionWraps_SeesNoNodeOfEarlierWalks()
    {
        var visited = new VisitedSet();
        visited.Begin(100);
        Assert.True(visited.Visit(1)); // Its stamp is the version that comes again after the wrap.
        visited.Begin(100, ushort.MaxValue - 1);
        Assert.True(visited.Visit(2));
        Assert.False(visited.Visit(2));
        visited.Begin(100);
        Assert.Equal(1, visited.Version);
        Assert.True(visited.Visit(1));
        Assert.True(visited.Visit(2));
        Assert.False(visited.Visit(1));
    }
}
