using Jackdaw.Pal.InMemory;

namespace Jackdaw.Pal.Tests;

/// <summary>The suite over names in a table and contents in memfd.</summary>
public sealed class MemoryPlatformTests : PlatformTests
{
    public MemoryPlatformTests()
        : base(new MemoryPlatform())
    {
    }

    [Fact]
    public void TwoPlatforms_WithEqualNames_ShareNothing()
    {
        var other = new MemoryPlatform();
        Create("file").Dispose();
        Assert.False(other.Exists(In("file")));
        other.CreateDirectory(Root);
        other.OpenFile(In("file"), FileOpening.CreateNew, FileUse.Data).Dispose();
        Assert.NotEqual(Platform.GetIdentity(In("file")), other.GetIdentity(In("file")));
    }
}
