namespace Jackdaw.Storage.Tests.Crashes;

/// <summary>A test on a <see cref="LoopDisk"/>; skipped, with the reason, where none can be made.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class LoopDiskFactAttribute : FactAttribute
{
    public LoopDiskFactAttribute(string fileSystem) => Skip = LoopDisk.FindProblem(fileSystem)!;
}
