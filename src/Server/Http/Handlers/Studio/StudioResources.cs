namespace Jackdaw.Server.Http.Handlers.Studio;

/// <summary>The files of the Studio in the assembly; <c>src/Studio/Studio.targets</c> puts them there.</summary>
internal static class StudioResources
{
    /// <summary>Reads one whole.</summary>
    /// <param name="name">As it was packed, such as <c>main.js.br</c>.</param>
    public static byte[] Read(string name)
    {
        using Stream resource = typeof(StudioResources).Assembly.GetManifestResourceStream($"studio/{name}")
            ?? throw new InvalidOperationException($"The server was built without the file '{name}' of the Studio.");
        byte[] bytes = new byte[resource.Length];
        resource.ReadExactly(bytes);
        return bytes;
    }
}
