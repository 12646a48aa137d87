namespace Jackdaw.TestServer.Tests;

/// <summary>A document.</summary>
internal sealed class Thing
{
    public string? Id { get; set; }

    public string? Name { get; set; }
}
