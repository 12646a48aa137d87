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
    public void TryWait_AtOnce_RestsForThePause()
    {
        Assert.False(_patience.IsResting);
        Assert.True(_patience.TryWait());
        Assert.True(_patience.IsResting);
        _time.Advance(LinkPatience.Pause);
        Assert.False(_patience.IsResting);
    }

    [Fact]
    public void TryWait_ForLong_EndsForAll()
    {
        int tries = FailUntilTheEnd();
        Assert.Equal(LinkPatience.Longest / LinkPatience.Pause, tries);
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
        _time.Advance(LinkPatience.Longest * 2);
        Assert.True(_patience.TryWait());
    }

    private int FailUntilTheEnd()
    {
        int tries = 0;
        for (; _patience.TryWait(); tries++)
        {
            Assert.InRange(tries, 0, 1000);
            _time.Advance(LinkPatience.Pause);
        }

        return tries;
    }
}
