namespace Jackdaw.Studio.Pack;

/// <summary>A file of the site that cannot be served as it is.</summary>
public sealed class SiteException(string path, string message) : Exception(message)
{
    /// <summary>The file, relative to the site.</summary>
    public string Path { get; } = path;
}
