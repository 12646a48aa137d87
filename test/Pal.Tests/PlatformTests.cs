namespace Jackdaw.Pal.Tests;

/// <summary>One suite for all implementations of <see cref="IPlatform"/>; the other parts cover files and
/// names.</summary>
public abstract unsafe partial class PlatformTests : IDisposable
{
    private const int Page = 4096;

    protected PlatformTests(IPlatform platform)
    {
        Platform = platform;
        Root = Path.Combine(Path.GetTempPath(), $"jackdaw-pal-{Guid.NewGuid():N}");
        platform.CreateDirectory(Root);
    }

    protected IPlatform Platform { get; }

    protected string Root { get; }

    public virtual void Dispose()
    {
        Platform.DeleteDirectory(Root);
        GC.SuppressFinalize(this);
    }

    protected string In(string name) => Path.Combine(Root, name);

    protected PalFile Create(string name, FileUse use = FileUse.Data) =>
        Platform.OpenFile(In(name), FileOpening.CreateNew, use);

    protected PalFile Open(string name, FileUse use = FileUse.Data) =>
        Platform.OpenFile(In(name), FileOpening.Existing, use);

    private static void AssertFails(PalStatus status, Action action)
    {
        PalException exception = Assert.Throws<PalException>(action);
        Assert.Equal(status, exception.Status);
        Assert.NotEmpty(exception.Operation);
        Assert.DoesNotContain('\n', exception.Message);
    }
}
