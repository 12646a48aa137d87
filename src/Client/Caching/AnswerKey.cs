using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Jackdaw.Client.Caching;

/// <summary>Which question an answer belongs to. Not to which server: a copy of the database on another one answers the same.</summary>
/// <param name="Database">As in the request.</param>
/// <param name="Method">GET, POST.</param>
/// <param name="PathAndQuery">After the database's path.</param>
/// <param name="BodyHash"><see cref="HashOf"/> of the request's body; 0 when it has none.</param>
internal readonly record struct AnswerKey(string Database, string Method, string PathAndQuery, UInt128 BodyHash = default)
{
    /// <summary>Bytes of memory of its texts.</summary>
    public int Size => PathAndQuery.Length * sizeof(char);

    /// <summary>Half of a SHA-256: bodies hold what users typed, and nobody can make two of them that get each other's answers.</summary>
    public static UInt128 HashOf(ReadOnlySpan<byte> body)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(body, hash);
        return MemoryMarshal.Read<UInt128>(hash);
    }
}
