namespace Jackdaw.Server.Documents.Identity;

/// <summary>What answers and messages say of a database.</summary>
public interface INamedDatabase
{
    /// <summary>In the casing of its creation.</summary>
    string Name { get; }

    /// <summary>Its id as the bytes that end each change vector.</summary>
    ReadOnlySpan<byte> DatabaseIdBytes { get; }
}
