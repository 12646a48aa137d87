namespace Jackdaw.Server.Documents.Databases;

/// <summary>Settings that clients fetch and obey; opaque to the server but for the switch.</summary>
/// <param name="Etag">Commit index of the change; 0 for "never set".</param>
/// <param name="IsDisabled">A disabled configuration is as good as none.</param>
/// <param name="Json">UTF-8 of the object as it was sent; empty when never set.</param>
public sealed record ClientConfiguration(long Etag, bool IsDisabled, ReadOnlyMemory<byte> Json)
{
    public static ClientConfiguration Unset { get; } = new(0, true, default);
}
