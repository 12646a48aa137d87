namespace Jackdaw.Server.Tests.Http.Handlers.Queries;

/// <summary>A test that draws a page with Debian's Chromium; skipped, with the reason, where there is none.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class BrowserFactAttribute : FactAttribute
{
    public const string Path = "/usr/bin/chromium";

    public BrowserFactAttribute() => Skip = File.Exists(Path) ? null! : $"there is no {Path}: install the package chromium";
}
