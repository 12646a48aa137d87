using Jackdaw.Storage.Sharing;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Sharing;

public sealed class LinkPatienceTests
{
    private readonly ManualTime _time = new();
    private readonly LinkPatience _patience;

    public LinkPatienceTests()
    {
        _patience = new LinkPatience(_time);
        _time.Advance(TimeSpan.FromMinutes(1));
    }

    [Fact]
    public void TryWait_AtOnce_RestsForATenthOfASecond()
    {
        Assert.False(_patience.IsResting);
        Assert.True(_patience.TryWait());
        _time.Advance(TimeSpan.FromMilliseconds(99));
        Assert.True(_patience.IsResting);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.False(_patience.IsResting);
    }

    [Fact]
    public void TryWait_ForTenSeconds_EndsForAll()
    {
        DateTimeOffset began = _time.GetUtcNow();
        FailUntilTheEnd();
        Assert.Equal(TimeSpan.FromSeconds(10), _time.GetUtcNow() - began);
        Assert.False(_patience.TryWait()); // whichever branch tries next
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.False(_patience.TryWait());
    }

    [Fact]
    public void TryWait_AfterALink_BeginsAnew()
    {
        FailUntilTheEnd();
        _patience.OnLinked();
        Assert.False(_patience.IsResting);
        Assert.True(_patience.TryWait());
    }

    [Fact]
    public void TryWait_LongAfterTheLastShortage_BeginsAnew()
    {
        FailUntilTheEnd();
        _time.Advance(TimeSpan.FromSeconds(11));
        Assert.True(_patience.TryWait());
    }

    private void FailUntilTheEnd()
    {
        for (int tries = 0; _patience.TryWait(); tries++)
        {
            Assert.InRange(tries, 0, 1000);
            _time.Advance(TimeSpan.FromMilliseconds(100));
        }
    }
}
