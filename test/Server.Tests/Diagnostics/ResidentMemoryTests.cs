using Jackdaw.Server.Diagnostics;

namespace Jackdaw.Server.Tests.Diagnostics;

public sealed class ResidentMemoryTests
{
    private const string SmapsRollup = "/proc/self/smaps_rollup";

    private const string Sample = """
        564e90930000-7ffc8446c000 ---p 00000000 00:00 0                          [rollup]
        Rss:              252000 kB
        Pss:              240441 kB
        Pss_Dirty:        200120 kB
        Pss_Anon:         200000 kB
        Pss_File:          30321 kB
        Pss_Shmem:         12000 kB
        Shared_Clean:      10640 kB
        Private_Dirty:    200120 kB
        Anonymous:        200000 kB
        Swap:                 64 kB
        SwapPss:               0 kB
        """;

    [Fact]
    public void TryParse_Sample_SplitsTheWhole()
    {
        ResidentMemory memory = ResidentMemory.TryParse(Sample)!.Value;
        Assert.Equal(new ResidentMemory(252_000 * 1024, 200_000 * 1024, 40_000 * 1024, 12_000 * 1024, 64 * 1024), memory);
        Assert.Equal(memory.Resident, memory.Anonymous + memory.File + memory.Shared);
    }

    [Fact]
    public void TryParse_KernelWithoutSharedMemoryAndSwap_CountsThemAsNone()
    {
        ResidentMemory memory = ResidentMemory.TryParse("x [rollup]\nRss: 100 kB\nAnonymous: 60 kB\n")!.Value;
        Assert.Equal(new ResidentMemory(100 * 1024, 60 * 1024, 40 * 1024, 0, 0), memory);
    }

    [Theory]
    [InlineData("")]
    [InlineData("Rss: 100 kB")]
    [InlineData("Anonymous: 100 kB")]
    [InlineData("Rss: 100\nAnonymous: 60 kB")]
    [InlineData("Rss: 100 MB\nAnonymous: 60 kB")]
    [InlineData("Rss: many kB\nAnonymous: 60 kB")]
    [InlineData("Rss: -100 kB\nAnonymous: 60 kB")]
    [InlineData("Rss: 99999999999999999999 kB\nAnonymous: 60 kB")]
    [InlineData("Rss: 9223372036854775807 kB\nAnonymous: 60 kB")]
    [InlineData("Rss:\nAnonymous: 60 kB")]
    [InlineData("Rss: 50 kB\nAnonymous: 60 kB")]
    [InlineData("Rss: 100 kB\nAnonymous: 60 kB\nPss_Shmem: 41 kB")]
    public void TryParse_Malformed_IsNothing(string text) => Assert.Null(ResidentMemory.TryParse(text));

    [SmapsRollupFact]
    public void TryParse_ThisProcess_IsPlausible()
    {
        ResidentMemory memory = ResidentMemory.TryParse(File.ReadAllText(SmapsRollup))!.Value;
        Assert.InRange(memory.Resident, 10L << 20, 100L << 30);
        Assert.InRange(memory.Anonymous, 1L << 20, memory.Resident);
        Assert.True(memory.File > 0);
    }

    /// <summary>Skipped, with the reason, where the system does not tell.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    private sealed class SmapsRollupFactAttribute : FactAttribute
    {
        public SmapsRollupFactAttribute() => Skip = File.Exists(SmapsRollup) ? null! : $"there is no {SmapsRollup}";
    }
}
