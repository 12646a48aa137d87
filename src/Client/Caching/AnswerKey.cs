using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Jackdaw.Client.Caching;

/// <summary>The question that an answer belongs to. The server is not part of it, because a copy of the database on another server gives the same
/// answer.</summary>
/// <param name="Database">The database as it is in the request.</param>
/// <param name="Method">GET, POST.</param>
/// <param name="PathAndQuery">What comes after the path of the database.</param>
/// <param name="BodyHash"><see cref="HashOf"/> of the request's body; 0 when it has none.</param>
internal readonly record struct AnswerKey(string Database, string Method, string PathAndQuery, UInt128 BodyHash = default)
{
    private const string Load = "LOAD";

    /// <summary>The plain load of one document. Its id says everything, so that a hit needs no path.</summary>
    public static AnswerKey OfLoad(string database, string id) => new(database, Load, id);

    /// <summary>The keys of one cache differ in little but their paths.</summary>
    public override int GetHashCode() => PathAndQuery.GetHashCode(StringComparison.Ordinal) ^ BodyHash.GetHashCode();

    /// <summary>Bytes of memory that its texts take.</summary>
    public int Size => PathAndQuery.Length * sizeof(char);

    /// <summary>Half of a SHA-256. Bodies contain what users typed, and nobody can make two bodies that get each other's answers.</summary>
    public static UInt128 HashOf(ReadOnlySpan<byte> body)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(body, hash);
        return MemoryMarshal.Read<UInt128>(hash);
    }
}
