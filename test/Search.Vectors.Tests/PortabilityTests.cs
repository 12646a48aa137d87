using Jackdaw.TestKit;

namespace Jackdaw.Search.Vectors.Tests;

/// <summary>Processors without the instructions of this one write and read the same files.</summary>
public sealed class PortabilityTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("jackdaw-vectors-").FullName;

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
        string writtenHere = GraphFiles.Write(here);
        Assert.Equal(writtenThere, GraphFiles.Read(there));
        Assert.Equal(writtenHere, await OtherProcessor.RunAsync(typeof(Program), switchedOff, "read", here));
        Assert.Equal(writtenHere, writtenThere);
    }
}
