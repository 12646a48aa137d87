using Jackdaw.TestKit;

namespace Jackdaw.Search.Segments.Tests.Proofs;

/// <summary>Processors without the instructions of this one write the same files, and find the same in them.</summary>
public sealed class PortabilityTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("jackdaw-segments-").FullName;

    [Fact]
    public async Task Files_OfAProcessWithoutInstructionsOfTheProcessor_AreTheSameBothWays() => await RunAsync("DOTNET_EnableHWIntrinsic");

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Files_OfAProcessWithoutTheLongestInstructions_AreTheSameBothWays() => await RunAsync("DOTNET_EnableAVX2");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private async Task RunAsync(string switchedOff)
    {
        (string there, string here) = (Path.Combine(_folder, "there"), Path.Combine(_folder, "here"));
        string writtenThere = await OtherProcessor.RunAsync(typeof(Program), switchedOff, "write", there);
        string writtenHere = SegmentFiles.Write(here);
        Assert.True(writtenHere.Length > 10_000 && writtenHere.EndsWith('\n'), "verification found something: " + writtenHere[^200..]);
        Same(writtenThere, SegmentFiles.Read(there));
        Same(writtenHere, await OtherProcessor.RunAsync(typeof(Program), switchedOff, "read", here));
        Same(writtenHere, writtenThere);
    }

    // By lines, because a whole answer is too long for a message.
    private static void Same(string expected, string found) => Assert.Equal(expected.Split('\n'), found.Split('\n'));
}
